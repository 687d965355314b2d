#include "schema/pattern/pattern.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "schema/pattern/pattern_syntax.h"

namespace strake::schema {
namespace {

std::string fault_of(std::string_view pattern) {
  const auto result = check_pattern(pattern);
  return result ? "" : result.error().message();
}

TEST(Pattern, SearchesAnywhereInTheSubject) {
  const Pattern pattern("b+");
  EXPECT_TRUE(pattern.search("abbc"));
  EXPECT_FALSE(pattern.search("ac"));
  EXPECT_TRUE(Pattern("").search(""));
  EXPECT_FALSE(Pattern("^a$").search("a\n"));
  EXPECT_TRUE(Pattern("(?m)^a$").search("b\na"));
  EXPECT_FALSE(Pattern("a.b").search("a\nb"));
  EXPECT_TRUE(Pattern("a[^x]b").search("a\nb"));
}

TEST(Pattern, ReadsWhatGoReads) {
  for (const char* text : {"(?P<n>a)",
                           "(?<n>a)",
                           "(?P<n>a)(?P<n>b)",
                           "a{1000}",
                           "a{,2}",
                           "a{2",
                           "{",
                           "\\pN\\p{Greek}[\\P{^Han}]",
                           "[[:word:]]",
                           "\\Qa.b\\E",
                           "\\x{1F600}\\x41\\101\\0",
                           "\\_",
                           "\\-",
                           "[]a]",
                           "[a-]",
                           "(?i-s:a)",
                           "\\A\\b\\B\\z",
                           "a(?i)*",
                           "^*",
                           "(?U)a+?",
                           "(a{10}){100}",
                           "\\p{Letter}\\p{old_italic}",
                           "[\\]]",
                           "(|a)",
                           "\\p{ASCII}",
                           "[^\\p{ascii}]",
                           "(?)"}) {
    EXPECT_EQ(fault_of(text), "") << text;
  }
}

TEST(Pattern, MatchesTheSameAfterTranslation) {
  EXPECT_TRUE(Pattern("^(?<year>\\d{4})$").search("2024"));
  EXPECT_TRUE(Pattern("^\\_\\-\\.$").search("_-."));
  EXPECT_TRUE(Pattern("^[\\101-\\x43]$").search("B"));
  EXPECT_TRUE(Pattern("^\\Qa.b\\E+$").search("a.bbb"));
  EXPECT_FALSE(Pattern("^\\Qa.b\\E$").search("axb"));
  EXPECT_TRUE(Pattern("^\\p{Uppercase_Letter}\\P{L}$")
                  .search("\xc3\x89"
                          "1"));
  EXPECT_FALSE(Pattern("^\\p{ASCII}+$").search("\xc3\x89"));
  EXPECT_TRUE(Pattern("^\xc3\xa9$").search("\xc3\xa9"));
  EXPECT_TRUE(Pattern("(?i)^K$").search("\xe2\x84\xaa"));  // the Kelvin sign folds to k
}

TEST(Pattern, CountsABadByteAsOneReplacementCharacter) {
  EXPECT_TRUE(
      Pattern("^a.b$").search("a\xff"
                              "b"));
  EXPECT_FALSE(
      Pattern("^a.b$").search("a\xff\xfe"
                              "b"));
}

TEST(Pattern, ThatDoesNotCompileMatchesNothing) { EXPECT_FALSE(Pattern("(").search("(")); }

TEST(Pattern, IsOneObjectPerTextWhileHeld) {
  PatternPtr first = intern_pattern("one-of-a-kind");
  EXPECT_EQ(first, intern_pattern("one-of-a-kind"));
  EXPECT_NE(first, intern_pattern("one-of-another-kind"));
  const std::weak_ptr<const Pattern> watched = first;
  first.reset();
  EXPECT_TRUE(watched.expired());
  EXPECT_TRUE(intern_pattern("one-of-a-kind")->search("one-of-a-kind"));
}

TEST(Pattern, MayBeInternedAndUsedFromManyThreads) {
  std::vector<std::thread> threads;
  std::atomic<int> found = 0;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 200; ++i)
        found += intern_pattern("^x" + std::to_string(i % 7) + "$")->search("x3") ? 1 : 0;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(found, 4 * 29);
}

TEST(PatternFault, IsWordedAsGoWordsIt) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"(", "missing closing ): `(`"},
      {"a)", "unexpected ): `a)`"},
      {"[a", "missing closing ]: `[a`"},
      {"x[a", "missing closing ]: `[a`"},
      {"^(?!a)", "invalid or unsupported Perl syntax: `(?!`"},
      {"(?=a)", "invalid or unsupported Perl syntax: `(?=`"},
      {"(?<=a)", "invalid named capture: `(?<=a)`"},
      {"(?i-)", "invalid or unsupported Perl syntax: `(?i-)`"},
      {"(?", "invalid or unsupported Perl syntax: `(?`"},
      {"(?P<n", "invalid named capture: `(?P<n`"},
      {"(?P<n-a>x)", "invalid named capture: `(?P<n-a>`"},
      {"(?P=n)", "invalid or unsupported Perl syntax: `(?P`"},
      {"*", "missing argument to repetition operator: `*`"},
      {"a|*", "missing argument to repetition operator: `*`"},
      {"(+?)", "missing argument to repetition operator: `+?`"},
      {"a**", "invalid nested repetition operator: `**`"},
      {"a*+", "invalid nested repetition operator: `*+`"},
      {"a{2}{3}", "invalid nested repetition operator: `{2}{3}`"},
      {"a{1001}", "invalid repeat count: `{1001}`"},
      {"a{2,1}", "invalid repeat count: `{2,1}`"},
      {"(a{100}){100}", "invalid repeat count: `{100}`"},
      {"a\\", "trailing backslash at end of expression: ``"},
      {"\\C", "invalid escape sequence: `\\C`"},
      {"\\1", "invalid escape sequence: `\\1`"},
      {"\\Z", "invalid escape sequence: `\\Z`"},
      {"\\x{110000}", "invalid escape sequence: `\\x{110000`"},
      {"\\u1234", "invalid escape sequence: `\\u`"},
      {"\\p{Nope}", "invalid character class range: `\\p{Nope}`"},
      {"\\pX", "invalid character class range: `\\pX`"},
      {"\\p{L", "invalid character class range: `\\p{L`"},
      {"[z-a]", "invalid character class range: `z-a`"},
      {"[[:foo:]]", "invalid character class range: `[:foo:]`"},
      {"a\xff", "invalid UTF-8: `\xff`"},
  };
  for (const auto& [pattern, want] : cases)
    EXPECT_EQ(fault_of(pattern), "error parsing regexp: " + want) << pattern;
}

TEST(PatternFault, EndsDeepNesting) {
  const std::string deep = std::string(2000, '(') + "a" + std::string(2000, ')');
  EXPECT_EQ(fault_of(deep), "error parsing regexp: expression nests too deeply: `" + deep + "`");
}

}  // namespace
}  // namespace strake::schema
