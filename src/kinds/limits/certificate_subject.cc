#include "kinds/limits/certificate_subject.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/base64.h"
#include "base/utf8.h"
#include "kinds/fields.h"
#include "kinds/pem.h"

// RFC 2986: a request is a sequence that begins with one of a version, the subject, and more. The
// subject is a sequence of sets of pairs of a type and a text.

namespace strake::kinds {

using value::Value;

namespace {

constexpr std::string_view kClientSigner = "kubernetes.io/kube-apiserver-client";
constexpr std::string_view kMasters = "system:masters";
constexpr std::string_view kOrganization = "\x55\x04\x0a";  // 2.5.4.10

enum Tag : unsigned char {
  kInteger = 0x02,
  kObjectId = 0x06,
  kUtf8String = 0x0c,
  kNumericString = 0x12,
  kPrintableString = 0x13,
  kT61String = 0x14,
  kIa5String = 0x16,
  kBmpString = 0x1e,
  kSequence = 0x30,
  kSet = 0x31,
};

// Takes the elements of DER text one after the other.
class DerReader {
 public:
  explicit DerReader(std::string_view bytes) : left_(bytes) {}

  bool done() const { return left_.empty(); }

  struct Element {
    unsigned char tag;
    std::string_view content;
  };
  // Nothing when the text ends within it, or its length is not in its one form.
  std::optional<Element> next() {
    if (left_.size() < 2) return std::nullopt;
    const unsigned char tag = at(0);
    std::size_t length = at(1);
    std::size_t head = 2;
    if (length >= 0x80) {
      const std::size_t digits = length & 0x7f;
      if (digits == 0 || digits > 4 || left_.size() < 2 + digits) return std::nullopt;
      length = 0;
      for (std::size_t i = 0; i < digits; ++i) length = length << 8 | at(2 + i);
      head += digits;
    }
    if (left_.size() - head < length) return std::nullopt;
    const Element out{tag, left_.substr(head, length)};
    left_.remove_prefix(head + length);
    return out;
  }
  // The content of the next element, when it has that tag.
  std::optional<std::string_view> next(unsigned char tag) {
    const auto found = next();
    if (!found || found->tag != tag) return std::nullopt;
    return found->content;
  }

 private:
  unsigned char at(std::size_t i) const { return static_cast<unsigned char>(left_[i]); }

  std::string_view left_;
};

// Two bytes for each character.
std::string from_bmp(std::string_view bytes) {
  std::string out;
  for (std::size_t i = 0; i + 1 < bytes.size(); i += 2) {
    utf8::append(out, static_cast<char32_t>(static_cast<unsigned char>(bytes[i]) << 8 |
                                            static_cast<unsigned char>(bytes[i + 1])));
  }
  return out;
}

// Nothing for what Go's encoding/asn1 reads as something else than a text.
std::optional<std::string> text_of_element(const DerReader::Element& element) {
  switch (element.tag) {
    case kUtf8String:
    case kNumericString:
    case kPrintableString:
    case kT61String:
    case kIa5String: return std::string(element.content);
    case kBmpString: return from_bmp(element.content);
    default: return std::nullopt;
  }
}

// Adds what one set of the subject says of organizations. False when it cannot be read.
bool read_set(std::string_view set, std::vector<std::string>& out) {
  for (DerReader pairs(set); !pairs.done();) {
    const auto pair = pairs.next(kSequence);
    if (!pair) return false;
    DerReader parts(*pair);
    const auto type = parts.next(kObjectId);
    const auto text = parts.next();
    if (!type || !text) return false;
    if (*type != kOrganization) continue;
    if (auto read = text_of_element(*text)) out.push_back(*std::move(read));
  }
  return true;
}

}  // namespace

std::optional<std::vector<std::string>> organizations_of(std::string_view der) {
  const auto request = DerReader(der).next(kSequence);
  if (!request) return std::nullopt;
  const auto info = DerReader(*request).next(kSequence);
  if (!info) return std::nullopt;
  DerReader parts(*info);
  if (!parts.next(kInteger)) return std::nullopt;
  const auto subject = parts.next(kSequence);
  if (!subject) return std::nullopt;
  std::vector<std::string> out;
  for (DerReader sets(*subject); !sets.done();) {
    const auto set = sets.next(kSet);
    if (!set || !read_set(*set, out)) return std::nullopt;
  }
  return out;
}

std::optional<std::string> certificate_subject_fault(const Value& signing_request) {
  const Value& spec = signing_request.get("spec");
  if (text_of(spec, "signerName") != kClientSigner) return std::nullopt;
  const auto text = base64_decode(text_of(spec, "request"));
  const std::vector<PemBlock> blocks = text ? pem_blocks(*text) : std::vector<PemBlock>();
  const auto groups = blocks.empty() ? std::nullopt : organizations_of(blocks.front().bytes);
  // Whom nobody can read nobody lets in.
  if (!groups) return "failed to parse CSR: asn1: syntax error: data truncated";
  if (std::ranges::find(*groups, kMasters) == groups->end()) return std::nullopt;
  return fmt::format("use of {} signer with {} group is not allowed", kClientSigner, kMasters);
}

}  // namespace strake::kinds
