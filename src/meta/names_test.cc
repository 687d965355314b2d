#include "meta/names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace strake::meta {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

TEST(Dns1123Label, IsLowerCaseAlphanumericWithDashesInside) {
  for (const char* good : {"a", "0", "my-name", "123-abc", "a--b"})
    EXPECT_THAT(check_dns1123_label(good), IsEmpty());
  for (const char* bad : {"", "-a", "a-", "A", "a_b", "a b", "é"}) {
    EXPECT_THAT(check_dns1123_label(bad),
                ElementsAre(StartsWith("a lowercase RFC 1123 label must consist of")));
  }
}

TEST(Dns1123Label, SaysSoWhenOnlyDotsAreWrong) {
  EXPECT_THAT(check_dns1123_label("a.b"), ElementsAre("must not contain dots"));
}

TEST(Dns1123Label, CountsItsLengthFirst) {
  EXPECT_THAT(check_dns1123_label(std::string(63, 'a')), IsEmpty());
  EXPECT_THAT(check_dns1123_label(std::string(64, 'a')),
              ElementsAre("must be no more than 63 characters"));
  EXPECT_THAT(
      check_dns1123_label(std::string(64, 'A')),
      ElementsAre("must be no more than 63 characters", StartsWith("a lowercase RFC 1123 label")));
}

TEST(Dns1123Subdomain, IsLabelsJoinedByDots) {
  for (const char* good : {"a", "example.com", "a.b-c.0"})
    EXPECT_THAT(check_dns1123_subdomain(good), IsEmpty());
  for (const char* bad : {"", ".", "a.", ".a", "a..b", "a.-b", "a/b", "Bad_Name"}) {
    EXPECT_THAT(check_dns1123_subdomain(bad),
                ElementsAre("a lowercase RFC 1123 subdomain must consist of lower case "
                            "alphanumeric characters, '-' or "
                            "'.', and must start and end with an alphanumeric character (e.g. "
                            "'example.com', regex used "
                            "for validation is "
                            "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"));
  }
  EXPECT_THAT(check_dns1123_subdomain(std::string(253, 'a')), IsEmpty());
  EXPECT_THAT(check_dns1123_subdomain(std::string(254, 'a')),
              ElementsAre("must be no more than 253 characters"));
}

TEST(Dns1035Label, StartsWithALetter) {
  EXPECT_THAT(check_dns1035_label("v1"), IsEmpty());
  EXPECT_THAT(check_dns1035_label("1v"),
              ElementsAre(StartsWith("a DNS-1035 label must consist of")));
  EXPECT_THAT(check_dns1035_label(""),
              ElementsAre(HasSubstr("(e.g. 'my-name',  or 'abc-123', regex")));
}

TEST(QualifiedName, HasAnOptionalPrefix) {
  for (const char* good : {"a", "MyName", "a.b_c-D", "example.com/MyName", "123-abc"}) {
    EXPECT_THAT(check_qualified_name(good), IsEmpty());
  }
  EXPECT_THAT(check_qualified_name("-bad-"),
              ElementsAre(StartsWith("name part must consist of alphanumeric")));
  EXPECT_THAT(check_qualified_name(""),
              ElementsAre("name part must be non-empty", StartsWith("name part must consist of")));
  EXPECT_THAT(check_qualified_name("/a"), ElementsAre("prefix part must be non-empty"));
  EXPECT_THAT(check_qualified_name("A/a"),
              ElementsAre(StartsWith("prefix part a lowercase RFC 1123 subdomain")));
  EXPECT_THAT(check_qualified_name("a/b/c"),
              ElementsAre("a valid label key must consist of alphanumeric characters, '-', '_' or "
                          "'.', and must start and "
                          "end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or "
                          "'123-abc', regex used "
                          "for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]') with an "
                          "optional DNS subdomain "
                          "prefix and '/' (e.g. 'example.com/MyName')"));
}

TEST(QualifiedName, CountsBytes) {
  EXPECT_THAT(check_qualified_name(std::string(64, 'a')),
              ElementsAre("name part must be no more than 63 bytes"));
  EXPECT_THAT(check_qualified_name(std::string(254, 'a') + "/b"),
              ElementsAre("prefix part must be no more than 253 bytes"));
}

TEST(LabelValue, MayBeEmpty) {
  EXPECT_THAT(check_label_value(""), IsEmpty());
  EXPECT_THAT(check_label_value("MyValue"), IsEmpty());
  EXPECT_THAT(check_label_value("a b"),
              ElementsAre(StartsWith("a valid label must be an empty string or consist of")));
  EXPECT_THAT(check_label_value(std::string(64, 'a')),
              ElementsAre("must be no more than 63 bytes"));
}

TEST(PathSegment, MayNotLeaveItsPlace) {
  EXPECT_THAT(check_path_segment_name("."), ElementsAre("may not be '.'"));
  EXPECT_THAT(check_path_segment_name(".."), ElementsAre("may not be '..'"));
  EXPECT_THAT(check_path_segment_prefix(".."), IsEmpty());
  EXPECT_THAT(check_path_segment_name("a/%b"),
              ElementsAre("may not contain '/'", "may not contain '%'"));
  EXPECT_THAT(check_path_segment_name("Any thing"), IsEmpty());
}

TEST(NameChecks, LetAPrefixEndInADash) {
  EXPECT_THAT(name_is_dns_subdomain("web-", true), IsEmpty());
  EXPECT_THAT(name_is_dns_subdomain("web-", false), ::testing::SizeIs(1));
  EXPECT_THAT(name_is_dns_subdomain("-", true), ::testing::SizeIs(1));
  EXPECT_THAT(name_is_path_segment(".", true), IsEmpty());
}

TEST(Port, IsBetweenOneAnd65535) {
  EXPECT_THAT(check_port(1), IsEmpty());
  EXPECT_THAT(check_port(65535), IsEmpty());
  EXPECT_THAT(check_port(0), ElementsAre("must be between 1 and 65535, inclusive"));
  EXPECT_THAT(check_port(65536), ElementsAre("must be between 1 and 65535, inclusive"));
}

}  // namespace
}  // namespace strake::meta
