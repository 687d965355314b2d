#include "base/trim.h"

#include <gtest/gtest.h>

#include <string>

#include "base/utf8.h"

namespace strake {
namespace {

TEST(Trim, TakesAsciiSpaceOffBothEndsAndNotOutOfTheMiddle) {
  EXPECT_EQ(trim(" \t\n\v\f\ra b\t c \r\n"), "a b\t c");
  EXPECT_EQ(trim("a"), "a");
  EXPECT_EQ(trim(""), "");
  EXPECT_EQ(trim(" \n "), "");
}

TEST(Trim, TakesOnlyTheCharactersOfTheSet) {
  EXPECT_EQ(trim("\t a\n ", kBlanks), "a\n");
  EXPECT_EQ(trim("[[a]", "[]"), "a");
}

TEST(Trim, GivesAPartOfTheText) {
  const std::string_view text = "  a ";
  EXPECT_EQ(trim(text).data(), text.data() + 2);
}

TEST(Trim, LeavesUnicodeSpacesUnlessAsked) {
  EXPECT_EQ(trim("\u00a0a"), "\u00a0a");
  EXPECT_EQ(trim_unicode("\u00a0a"), "a");
}

TEST(TrimUnicode, TakesWhatGoCallsSpace) {
  EXPECT_EQ(trim_unicode(" \t\r\n\v\f\u0085\u00a0\u1680\u2000\u200a\u2028\u2029\u202f\u205f\u3000"),
            "");
  EXPECT_EQ(trim_unicode("\u3000 a \u2003b\u2009\u3000\t"), "a \u2003b");
  // Zero-width space, word joiner and byte order mark are no white space.
  for (const char32_t c : {U'\u200b', U'\u2060', U'\ufeff'}) {
    const std::string text = utf8::encode(c);
    EXPECT_EQ(trim_unicode(text), text);
  }
}

TEST(TrimUnicode, StopsAtBytesThatAreNotWellFormed) {
  EXPECT_EQ(trim_unicode(" \xff "), "\xff");
  // A space of two bytes with one more behind it: the last is a stray byte.
  EXPECT_EQ(trim_unicode("a\xc2\xa0\xa0"), "a\xc2\xa0\xa0");
  EXPECT_EQ(trim_unicode("\xa0\xa0\xa0\xa0\xa0"), "\xa0\xa0\xa0\xa0\xa0");
}

}  // namespace
}  // namespace strake
