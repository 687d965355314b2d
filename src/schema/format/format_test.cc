#include "schema/format/format.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace strake::schema {
namespace {

struct FormatCase {
  const char* name;
  std::vector<std::string> accepted;
  std::vector<std::string> refused;
};

class FormatTable : public ::testing::TestWithParam<FormatCase> {};

TEST_P(FormatTable, AcceptsAndRefusesAsTheServerDoes) {
  const Format format = string_format(GetParam().name);
  ASSERT_NE(format, Format::kNone);
  for (const std::string& text : GetParam().accepted)
    EXPECT_TRUE(matches_format(format, text)) << text;
  for (const std::string& text : GetParam().refused)
    EXPECT_FALSE(matches_format(format, text)) << text;
}

const std::string kLong63(63, 'a');
const std::string kLong64(64, 'a');

INSTANTIATE_TEST_SUITE_P(
    All, FormatTable,
    ::testing::Values(
        FormatCase{"bsonobjectid",
                   {"507f1f77bcf86cd799439011", "507F1F77BCF86CD799439011"},
                   {"", "507f1f77bcf86cd79943901", "507f1f77bcf86cd7994390111",
                    "507f1f77bcf86cd79943901g"}},
        FormatCase{"uri",
                   {"https://a/b", "http://[::1]/", "http://[fe80::1%25en0]:80/", "mailto:a@b",
                    "/a/b", "*", "a:", "urn:x:y", "http://u:p@h:80/p?q=1", "http://a.b/%20",
                    "http://h/a b", "http://h:/", "http://%E4%BD%A0/", "file:///x"},
                   {"", "no", "no/path", "a b", "http://h/%2", "http://h/%zz", "http://h:x/",
                    "http://[::1", "http://a b/", "http://%41/", ":x", "1a:b", "http://[1.2.3.4]/",
                    "http://::1/", "http://a\nb/", "http://u ser@h/", "?x", "#x", "http://h#frag"}},
        FormatCase{"email",
                   {"a@b.co", "A <a@b.co>", "\"a b\"@c", "a@b (note)", "Group: a@b;", "  a@b",
                    "a@[127.0.0.1]", "\xc3\xa9@b.co", "Pete \\ B <p@b>", "<a@b>", "a.b@c.d"},
                   {"", "a@", "nope", "@b", "a@b c@d", "a@b, c@d", "a..b@c", ".a@b", "a.@b",
                    "\"\"@b", "a@b.", "A <a@b", "Group: a@b, c@d;", "Group:;", "a@[x]",
                    "=?big5?q?x?= <a@b>", "a@b (open"}},
        FormatCase{"hostname",
                   {"example.com", "a", "a-b", "a-", "1", "1.example.com", "ex-am-ple.com",
                    "\xf0\x9f\x98\x80.com", "xn--nxasmq6b.com", "\xe4\xbe\x8b.jp", kLong63},
                   {"", "-bad", "a_b", "ab-c", "a.b", "a.1", "example.com.", ".com", "a..com",
                    "a-.com", "-a.com", kLong64 + ".com", kLong64, "a b"}},
        FormatCase{"ipv4",
                   {"1.2.3.4", "01.002.3.4", "255.255.255.255", "::ffff:1.2.3.4"},
                   {"", "1.2.3", "1.2.3.256", "1.2.3.4.5", "::1", "1.2.3.4 ", "a.b.c.d", "1.2.3."}},
        FormatCase{
            "ipv6",
            {"::", "::1", "1::", "1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7::", "::ffff:1.2.3.4", "ABCD::"},
            {"", "1.2.3.4", ":::", "1::2::3", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9",
             "12345::", "::ffff:01.2.3.4", "fe80::1%eth0", "1:2:3:4:5:6:7:8::", ":1",
             "1:", "g::", "1:2:3:4:5:6:7:1.2.3.4"}},
        FormatCase{"cidr",
                   {"10.0.0.0/8", "2001:db8::/32", "10.0.0.1/32", "010.0.0.0/08", "::/0", "::/128"},
                   {"", "10.0.0.0", "10.0.0.1/33", "::/129", "10.0.0.0/", "10.0.0.0/a", "10.0.0/8",
                    "10.0.0.0/8/8"}},
        FormatCase{
            "mac",
            {"00:00:5e:00:53:01", "00-00-5e-00-53-01", "0000.5e00.5301", "02:00:5e:10:00:00:00:01",
             "0200.5e10.0000.0001", "00:00:00:00:fe:80:00:00:00:00:00:00:02:00:5e:10:00:00:00:01"},
            {"", "x", "00:00:5e:00:53", "00:00:5e:00:53-01", "00:00:5e:00:53:0g", "0000:5e00:5301",
             "00005e005301"}},
        FormatCase{"uuid",
                   {"123e4567-e89b-12d3-a456-426614174000", "123e4567e89b12d3a456426614174000",
                    "123E4567-E89B-12D3-A456-426614174000", "123e4567-e89b12d3-a456-426614174000"},
                   {"", "x", "123e4567-e89b-12d3-a456-42661417400",
                    "123e4567-e89b-12d3-a456-4266141740000",
                    "{123e4567-e89b-12d3-a456-426614174000}", "1-23e4567e89b12d3a456426614174000"}},
        FormatCase{"uuid3",
                   {"123e4567-e89b-32d3-0456-426614174000"},
                   {"123e4567-e89b-42d3-a456-426614174000", ""}},
        FormatCase{
            "uuid4",
            {"123e4567-e89b-42d3-a456-426614174000", "123e4567-e89b-42d3-B456-426614174000"},
            {"123e4567-e89b-12d3-a456-426614174000", "123e4567-e89b-42d3-c456-426614174000"}},
        FormatCase{
            "uuid5",
            {"123e4567-e89b-52d3-8456-426614174000"},
            {"x", "123e4567-e89b-52d3-7456-426614174000", "123e4567-e89b-42d3-8456-426614174000"}},
        FormatCase{"isbn",
                   {"9783161484100", "0306406152", "978-3-16-148410-0"},
                   {"1", "", "9783161484101"}},
        FormatCase{"isbn10",
                   {"0306406152", "0-306-40615-2", "043942089X"},
                   {"1", "0306406153", "X306406152", "9783161484100"}},
        FormatCase{"isbn13",
                   {"9783161484100", "978 3 16 148410 0"},
                   {"1", "9783161484101", "0306406152", "978316148410X"}},
        FormatCase{"creditcard",
                   {"4111111111111111", "4111-1111-1111-1111", "378282246310005",
                    "5555555555554444", "6011111111111117"},
                   {"1", "", "4111111111111112", "1234567890123456"}},
        FormatCase{"ssn",
                   {"123-45-6789", "123 45 6789", "123-45 6789"},
                   {"1", "", "123456789", "123-456789", "abc-de-fghi"}},
        FormatCase{"hexcolor",
                   {"#ff0000", "fff", "#FFF", "ABCDEF"},
                   {"red", "", "#ff", "#ffff", "##fff", "#ggg"}},
        FormatCase{
            "rgbcolor",
            {"rgb(1,2,3)", "rgb( 0 , 255, 99 )", "rgb(\t1,2,3)"},
            {"red", "", "rgb(256,0,0)", "rgb(01,2,3)", "rgb(1,2)", "rgb (1,2,3)", "RGB(1,2,3)"}},
        FormatCase{"byte",
                   {"YQ==", "YWI=", "YWJj", "+/+/"},
                   {"", "YQ", "YQ=", "Y===", "Y-_=", "YQ==YQ==", "YQ= =", "===="}},
        FormatCase{"password", {"p", ""}, {}},
        FormatCase{"date",
                   {"2024-02-29", "0000-01-01", "9999-12-31", "2000-02-29"},
                   {"", "2023-02-29", "2024-1-1", "x", "2024-13-01", "2024-00-01", "2024-01-00",
                    "2024-04-31", "1900-02-29", "2024-01-01T00:00:00Z", "2024/01/01", " 2024-01-01",
                    "+024-01-01"}},
        FormatCase{"duration",
                   {"1s", "1h30m", "P1D", "5 minutes", "-2us", "1d", "1.5h", "0", "2 Weeks",
                    "3\xc2\xb5s", "in 4 hrs or 2 hr", "1wk", "7 nanos"},
                   {"", "1", "x", "five minutes", "1 fortnight", "99999999999999999999s", "h",
                    "1 mon", "1month"}},
        FormatCase{"date-time",
                   {"2024-01-01T00:00:00Z", "2024-01-01t23:59:59.123z", "2024-01-01T00:00:00+99:99",
                    "2024-01-01T00:00:00,5Z", "2024-01-01T00:00:00ZTail"},
                   {"", "zzz", "2024-01-01", "2024-01-01T24:00:00Z", "2024-01-01T00:60:00Z",
                    "2024-01-01T00:00:60Z", "2024-01-01T00:00:00", "2023-02-29T00:00:00Z",
                    "2024-01-01 00:00:00Z", "2024-01-01T0:00:00Z", "2024-01-01T00:00:00.Z",
                    "2024-01-01T00:00:00+0100"}},
        FormatCase{"k8s-short-name",
                   {"abc", "0", "a-b", kLong63},
                   {"", "a.b", "A", "-a", "a-", "a_b", kLong64}},
        FormatCase{"k8s-long-name",
                   {"a.b.c", "a", "a-b.c", kLong64 + ".a", std::string(253, 'a')},
                   {"", "A.b", "a..b", ".a", "a.", "a.-b", std::string(254, 'a')}}),
    [](const auto& instance) {
      std::string name = instance.param.name;
      std::erase(name, '-');
      return name;
    });

TEST(FormatNames, AreComparedWithoutDashes) {
  EXPECT_EQ(string_format("datetime"), Format::kDateTime);
  EXPECT_EQ(string_format("da-te-ti-me"), Format::kDateTime);
  EXPECT_EQ(string_format("Date"), Format::kNone);
  EXPECT_EQ(string_format("int32"), Format::kNone);
  EXPECT_EQ(integer_format("int-32"), Format::kInt32);
  EXPECT_EQ(integer_format("int64"), Format::kInt64);
  EXPECT_EQ(integer_format("float"), Format::kNone);
  EXPECT_EQ(number_format("double"), Format::kDouble);
  EXPECT_EQ(number_format("float"), Format::kFloat);
  EXPECT_EQ(number_format("int32"), Format::kNone);
  EXPECT_TRUE(is_recognized_format("k8s-long-name"));
  EXPECT_TRUE(is_recognized_format("int32"));
  EXPECT_FALSE(is_recognized_format("unknownformat"));
  EXPECT_FALSE(is_recognized_format(""));
}

}  // namespace
}  // namespace strake::schema
