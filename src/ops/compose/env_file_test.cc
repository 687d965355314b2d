#include "ops/compose/env_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace strake::ops::compose {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(EnvFile, ReadsLines) {
  const auto got = parse_env_file("a.env",
                                  "# a comment\n"
                                  "\n"
                                  "  # another\n"
                                  "PLAIN=value # not a comment \n"
                                  " SPACED = one two\n"
                                  "export EXPORTED=x\r\n"
                                  "EMPTY=\n"
                                  "EQUALS=a=b=c\n"
                                  "DOUBLE=\"a\\n\\t\\r\\\\\\\"b $X\"  \n"
                                  "SINGLE='a\\n\"b'\n"
                                  "VARIABLE=${OTHER}\n"
                                  "TWICE=1\n"
                                  "TWICE=2");
  ASSERT_TRUE(got.has_value()) << got.error().to_string();
  EXPECT_EQ(*got, (Variables{{"PLAIN", "value # not a comment "},
                             {"SPACED", "one two"},
                             {"EXPORTED", "x"},
                             {"EMPTY", ""},
                             {"EQUALS", "a=b=c"},
                             {"DOUBLE", "a\n\t\r\\\"b $X"},
                             {"SINGLE", "a\\n\"b"},
                             {"VARIABLE", "${OTHER}"},
                             {"TWICE", "2"}}));
}

TEST(EnvFile, KeepsQuotesOfRawLines) {
  EXPECT_EQ(parse_env_file("a.env", "A=\"x\"\nB= 'y", true).value(),
            (Variables{{"A", "\"x\""}, {"B", " 'y"}}));
}

TEST(EnvFile, ReadsMappingsByExtension) {
  const Variables want = {{"A", "x"}, {"B", "1"}, {"C", "true"}, {"D", "1.5"}, {"E", "yes"}};
  EXPECT_EQ(parse_env_file("a.yml", "A: x\nB: 1\nC: true\nD: 1.5\nE: yes\n").value(), want);
  EXPECT_EQ(parse_env_file("a.yaml", "{A: x, B: 1, C: true, D: 1.5, E: 'yes'}").value(), want);
  EXPECT_EQ(parse_env_file("a.json", R"({"A":"x","B":1,"C":true,"D":1.5,"E":"yes"})").value(),
            want);
  EXPECT_EQ(parse_env_file("a.yml", "").value(), Variables());
}

TEST(EnvFile, NamesTheLineAndNeverAValue) {
  struct Case {
    std::string_view name;
    std::string_view text;
    std::string_view want;
  };
  const Case cases[] = {
      {"a.env", "A=1\nsecret", "a.env:2:1: there is no = on the line"},
      {"a.env", "1A=secret", "a.env:1:1: the name of a variable has letters, digits and _ alone"},
      {"a.env", "secret+==", "a.env:1:1: the name of a variable has letters, digits and _ alone"},
      {"a.env", "A=\"secret", "a.env:1:1: a quote does not end on its line"},
      {"a.env", "A='secret", "a.env:1:1: a quote does not end on its line"},
      {"a.env", "A=\"", "a.env:1:1: a quote does not end on its line"},
      {"a.env", "A=\"secret\\x\"",
       "a.env:1:1: only \\\\ \\\" \\n \\r \\t are known after a backslash"},
      {"a.env", "A=\"sec\"ret\"", "a.env:1:1: a double quote stands inside of a value"},
      {"a.env", "A='sec'ret'", "a.env:1:1: a single quote stands inside of a value"},
      {"a.env",
       "\xef\xbb\xbf"
       "A=secret",
       "a.env: must be UTF-8 without a byte order mark"},
      {"a.env", "A=secret\xff", "a.env: must be UTF-8 without a byte order mark"},
      {"a.yml", "A: x\nB:\n",
       "a.yml:2:3: .B: must be a string, a number or a boolean, got nothing"},
      {"a.yml", "A: [secret]",
       "a.yml:1:4: .A: must be a string, a number or a boolean, got a list"},
      {"a.yml", "- secret", "a.yml:1:1: must be a mapping, got a list"},
      {"a.yml", "a b: secret", "a.yml:1:1: the name of a variable has letters, digits and _ alone"},
  };
  for (const Case& one : cases) {
    const auto got = parse_env_file(one.name, one.text);
    ASSERT_FALSE(got.has_value()) << one.text;
    EXPECT_EQ(got.error().to_string(), one.want);
    EXPECT_THAT(got.error().to_string(), Not(HasSubstr("secret")));
  }
  EXPECT_EQ(parse_env_file("a.json", "{").error().code(), Code::kParse);
}

TEST(EnvFile, ChecksWhatBecomesASecret) {
  EXPECT_TRUE(check_variables({{"A", "a\tb\nc\r"}}).has_value());
  EXPECT_EQ(check_variables({{"A", "a\x01"}}).error().message(),
            "the value of A has a control character");
  EXPECT_EQ(check_variables({{"A", "a\x7f"}}).error().message(),
            "the value of A has a control character");
  EXPECT_EQ(check_variables({{"A", std::string(1, '\0')}}).error().message(),
            "the value of A has a control character");
  EXPECT_TRUE(check_variables({{"AB", std::string(kMaxEnvBytes - 2, 'x')}}).has_value());
  EXPECT_EQ(check_variables({{"AB", std::string(kMaxEnvBytes - 1, 'x')}}).error().message(),
            "the variables take 1000001 bytes, more than 1000000");
}

}  // namespace
}  // namespace strake::ops::compose
