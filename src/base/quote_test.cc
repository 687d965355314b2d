#include "base/quote.h"

#include <gtest/gtest.h>

namespace strake {
namespace {

using std::string_view_literals::operator""sv;

TEST(Quote, EscapesAsGoDoes) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"", R"("")"},
      {"plain text", R"("plain text")"},
      {"\a\b\f\r\n\t\v", R"("\a\b\f\r\n\t\v")"},
      {"\\", R"("\\")"},
      {"say \"x\"", R"("say \"x\"")"},
      {"it's", R"("it's")"},
      {"abc\xff"
       "def",
       R"("abc\xffdef")"},
      {"\xc3", R"("\xc3")"},
      {"\xe2\x82", R"("\xe2\x82")"},
      {"\u263a", "\"\u263a\""},
      {"\u00e9", "\"\u00e9\""},
      {"\U0010ffff", R"("\U0010ffff")"},
      {"\U0001f600", "\"\U0001f600\""},
      {"\0\x01\x1f\x7f"sv, R"("\x00\x01\x1f\x7f")"},
      {"\u0080\u00a0\u00ad", R"("\u0080\u00a0\u00ad")"},
      {"\u200b\u2028\ufeff", R"("\u200b\u2028\ufeff")"},
      {"\U000e0001", R"("\U000e0001")"},
      {"\ufffd", "\"\ufffd\""},  // well formed, so kept
  };
  for (const auto& [text, want] : cases) EXPECT_EQ(quote(text), want);
}

TEST(Quote, AppendsBehindWhatIsThere) {
  std::string out = "got ";
  append_quoted(out, "a\nb");
  EXPECT_EQ(out, R"(got "a\nb")");
}

TEST(QuoteRune, UsesSingleQuotes) {
  EXPECT_EQ(quote_rune('a'), "'a'");
  EXPECT_EQ(quote_rune('\''), R"('\'')");
  EXPECT_EQ(quote_rune('"'), R"('"')");
  EXPECT_EQ(quote_rune('\\'), R"('\\')");
  EXPECT_EQ(quote_rune('\n'), R"('\n')");
  EXPECT_EQ(quote_rune(0), R"('\x00')");
  EXPECT_EQ(quote_rune(0x263a), "'\u263a'");
  EXPECT_EQ(quote_rune(0x200b), R"('\u200b')");
  EXPECT_EQ(quote_rune(0xd800), "'\ufffd'");
  EXPECT_EQ(quote_rune(0x110000), "'\ufffd'");
}

TEST(QuoteJsonChar, ShowsAByteAsTheCodePointOfItsNumber) {
  EXPECT_EQ(quote_json_char('x'), "'x'");
  EXPECT_EQ(quote_json_char('\''), R"('\'')");
  EXPECT_EQ(quote_json_char('"'), R"('"')");
  EXPECT_EQ(quote_json_char('\\'), R"('\\')");
  EXPECT_EQ(quote_json_char('\t'), R"('\t')");
  EXPECT_EQ(quote_json_char(0), R"('\x00')");
  EXPECT_EQ(quote_json_char(0x80), R"('\u0080')");
  EXPECT_EQ(quote_json_char(0xe9), "'\u00e9'");
}

TEST(QuoteTime, WritesBytesOutsideAsciiInHex) {
  EXPECT_EQ(quote_time("3000"), R"("3000")");
  EXPECT_EQ(quote_time("a\"b\\c"), R"("a\"b\\c")");
  EXPECT_EQ(quote_time("\n\x85\x85"), R"("\x0a\x85\x85")");
  EXPECT_EQ(quote_time("1\u00b5"), R"("1\xc2\xb5")");
  EXPECT_EQ(quote_time("\uffff"), R"("\xef\xbf\xbf")");
  EXPECT_EQ(quote_time("\x7f"), "\"\x7f\"");
}

}  // namespace
}  // namespace strake
