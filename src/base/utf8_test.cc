#include "base/utf8.h"

#include <gtest/gtest.h>

#include <random>

namespace strake::utf8 {
namespace {

using std::string_view_literals::operator""sv;

TEST(Utf8, ReadsBackEveryCodePointItWrites) {
  for (char32_t c = 0; c <= kLargest; ++c) {
    if (c >= 0xd800 && c <= 0xdfff) continue;
    const std::string text = encode(c);
    const Decoded read = decode(text);
    ASSERT_EQ(read.code_point, c);
    ASSERT_EQ(read.width, text.size());
    ASSERT_TRUE(is_valid(text));
    // Each proper beginning is broken, at its first byte.
    for (std::size_t cut = 1; cut < text.size(); ++cut) {
      ASSERT_EQ(first_invalid(text.substr(0, cut)), 0u);
      ASSERT_EQ(decode(text.substr(0, cut)).width, 1u);
    }
  }
}

TEST(Utf8, WritesTheReplacementForWhatIsNoCodePoint) {
  for (char32_t c : {0xd800u, 0xdfffu, 0x110000u, 0xffffffffu})
    EXPECT_EQ(encode(c), "\xef\xbf\xbd");
}

TEST(Utf8, DecodesNothingFromEmptyText) {
  EXPECT_EQ(decode("").width, 0u);
  EXPECT_EQ(count(""), 0u);
  EXPECT_TRUE(is_valid(""));
}

struct Broken {
  std::string_view text;
  std::size_t first;
  std::size_t count;
  std::string_view replaced;
};

TEST(Utf8, ReplacesEachBadByteByItself) {
  const Broken cases[] = {
      {"\xff", 0, 1, "\uFFFD"},
      {"a\x80z", 1, 3, "a\uFFFDz"},
      {"\xc0\x80", 0, 2, "\uFFFD\uFFFD"},                      // overlong NUL
      {"\xc1\xbf", 0, 2, "\uFFFD\uFFFD"},                      // overlong ASCII
      {"\xe0\x80\x80", 0, 3, "\uFFFD\uFFFD\uFFFD"},            // overlong
      {"\xe0\x9f\xbf", 0, 3, "\uFFFD\uFFFD\uFFFD"},            // overlong
      {"\xed\xa0\x80", 0, 3, "\uFFFD\uFFFD\uFFFD"},            // surrogate
      {"\xf0\x8f\xbf\xbf", 0, 4, "\uFFFD\uFFFD\uFFFD\uFFFD"},  // overlong
      {"\xf4\x90\x80\x80", 0, 4, "\uFFFD\uFFFD\uFFFD\uFFFD"},  // past U+10FFFF
      {"\xf5\x80\x80\x80", 0, 4, "\uFFFD\uFFFD\uFFFD\uFFFD"},
      {"\xe2\x82", 0, 2, "\uFFFD\uFFFD"},  // cut short
      {"\xe2\x82"
       "A",
       0, 3, "\uFFFD\uFFFDA"},
      {"\xf0\x9f\x98", 0, 3, "\uFFFD\uFFFD\uFFFD"},
      {"\xc3\xa9\xc3", 2, 2, "\u00e9\uFFFD"},
      {"0123456789012345678901234567890123456789\xe9", 40, 41,
       "0123456789012345678901234567890123456789\uFFFD"},
  };
  for (const Broken& c : cases) {
    EXPECT_EQ(first_invalid(c.text), c.first) << c.replaced;
    EXPECT_FALSE(is_valid(c.text));
    EXPECT_EQ(count(c.text), c.count) << c.replaced;
    EXPECT_EQ(replace_invalid(c.text), c.replaced);
  }
}

TEST(Utf8, KeepsAGoodReplacementCharacter) {
  EXPECT_TRUE(is_valid("\uFFFD"));
  EXPECT_EQ(decode("\uFFFD").width, 3u);
  EXPECT_EQ(replace_invalid("a\uFFFDb"), "a\uFFFDb");
}

TEST(Utf8, CountsCodePointsNotBytes) {
  EXPECT_EQ(count("abc"), 3u);
  EXPECT_EQ(count("h\u00e9llo"), 5u);
  EXPECT_EQ(count("\u65e5\u672c\u8a9e"), 3u);
  EXPECT_EQ(count("\U0001f600!"), 2u);
  EXPECT_EQ(count("a\0b"sv), 3u);
}

TEST(Utf8, SeesOneBadByteAtEveryOffset) {
  for (std::size_t size = 1; size < 100; ++size) {
    for (std::size_t at = 0; at < size; ++at) {
      std::string text(size, 'a');
      text[at] = '\xbf';
      ASSERT_EQ(first_invalid(text), at);
      ASSERT_EQ(count(text), size);
      ASSERT_FALSE(is_ascii(text));
    }
    ASSERT_TRUE(is_ascii(std::string(size, 'a')));
  }
}

TEST(Utf8, MakesAnyBytesValidWithoutChangingTheirCount) {
  std::mt19937 random(7);
  for (int round = 0; round < 2000; ++round) {
    std::string bytes(random() % 40, '\0');
    for (char& c : bytes)
      c = static_cast<char>(random() % 3 == 0 ? random() % 128 : 128 + random() % 128);
    const std::string fixed = replace_invalid(bytes);
    ASSERT_TRUE(is_valid(fixed));
    ASSERT_EQ(count(fixed), count(bytes));
    ASSERT_EQ(is_valid(bytes), fixed == bytes);
  }
}

}  // namespace
}  // namespace strake::utf8
