#include "kinds/limits/certificate_subject.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "value/json_reader.h"

namespace strake::kinds {
namespace {

// As recorded: of the organization system:masters, under the name root.
constexpr std::string_view kMasters =
    "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIak1JR0tBZ0VBTUNneEZ6QVZCZ05WQkFv"
    "TURuTjVjM1JsYlRwdFlYTjBaWEp6TVEwd0N3WURWUVFEREFSeQpiMjkwTUZrd0V3WUhLb1pJemowQ0FRWUlL"
    "b1pJemowREFRY0RRZ0FFZmhsVlV4SFZlSktlZXM0a1pTTnlmYysvCkdUNUdobnhTWVRiOXdBNFVyRVBnbjhw"
    "MHpyRFFXNzZjUkhxYU9VQnNQMGpMWHJkd2FxVnRMbEdqcjF6dzJhQUEKTUFvR0NDcUdTTTQ5QkFNQ0EwZ0FN"
    "RVVDSUg2b2tMYytRZkhhc3BZaEZWLzJQdm9sVDZuWjNTc2Y1NzZycnRPZwo0UjJ0QWlFQWpsM1IzNnljTmFN"
    "TEdwTTlNak9Kd1VnVnkzcGJiNzZEU3BZZnhoZTRqcms9Ci0tLS0tRU5EIENFUlRJRklDQVRFIFJFUVVFU1Qt"
    "LS0tLQo=";

std::optional<std::string> fault(std::string_view signer, std::string_view request) {
  const auto object = value::read_json(
      fmt::format(R"({{"spec":{{"signerName":"{}","request":"{}"}}}})", signer, request));
  return certificate_subject_fault(object->root());
}

TEST(CertificateSubject, IsNotOneOfThoseWhoMayDoEverything) {
  EXPECT_EQ(fault("kubernetes.io/kube-apiserver-client", kMasters),
            "use of kubernetes.io/kube-apiserver-client signer with system:masters group is not "
            "allowed");
  EXPECT_EQ(fault("kubernetes.io/kube-apiserver-client-kubelet", kMasters), std::nullopt);
}

TEST(CertificateSubject, IsRefusedWhenItCannotBeRead) {
  constexpr std::string_view kWhy = "failed to parse CSR: asn1: syntax error: data truncated";
  EXPECT_EQ(fault("kubernetes.io/kube-apiserver-client", ""), kWhy);
  EXPECT_EQ(fault("kubernetes.io/kube-apiserver-client", kMasters.substr(0, 40)), kWhy);
}

// A DER element with its content.
std::string der(char tag, std::string_view content) {
  std::string out(1, tag);
  if (content.size() < 0x80) {
    out += static_cast<char>(content.size());
  } else {
    out += static_cast<char>(0x82);
    out += static_cast<char>(content.size() >> 8);
    out += static_cast<char>(content.size() & 0xff);
  }
  return out.append(content);
}
constexpr char kSequence = 0x30;
constexpr char kSet = 0x31;
std::string pair(std::string_view type, char tag, std::string_view text) {
  return der(kSequence, der(0x06, type) + der(tag, text));
}
std::string request(std::string_view subject) {
  return der(kSequence,
             der(kSequence, der(0x02, std::string_view("\0", 1)) + der(kSequence, subject)));
}

TEST(CertificateSubject, HasOrganizationsOfAnyKindOfText) {
  constexpr std::string_view kO = "\x55\x04\x0a";
  constexpr std::string_view kName = "\x55\x04\x03";
  const std::string subject =
      der(kSet, pair(kO, 0x13, "printable") + pair(kO, 0x0c, std::string(200, 'u'))) +
      der(kSet, pair(kName, 0x0c, "name")) +
      der(kSet, pair(kO, 0x1e, std::string_view("\0s\0y", 4))) +
      der(kSet, pair(kO, 0x04, "octets"));
  EXPECT_EQ(organizations_of(request(subject)),
            (std::vector<std::string>{"printable", std::string(200, 'u'), "sy"}));
  EXPECT_EQ(organizations_of(request("")), std::vector<std::string>{});
}

TEST(CertificateSubject, IsNotReadBeyondItsEnd) {
  const std::string whole = request(der(kSet, pair("\x55\x04\x0a", 0x13, "x")));
  for (std::size_t size = 0; size < whole.size(); ++size)
    EXPECT_EQ(organizations_of(std::string_view(whole).substr(0, size)), std::nullopt) << size;
  EXPECT_EQ(organizations_of("\x30\x84\xff\xff\xff\xff"), std::nullopt);
}

}  // namespace
}  // namespace strake::kinds
