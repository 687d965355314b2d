#include "cli/io/terminal.h"

#include <gtest/gtest.h>

#include <cctype>
#include <random>

#include "cli/fake_io.h"

namespace strake::cli {
namespace {

TEST(Color, IsWantedOnlyOnATerminalThatCanShowIt) {
  FakeWorld world;
  EXPECT_FALSE(color_wanted(ColorChoice::kAuto, true, world.io));
  world.environment["TERM"] = "xterm-256color";
  EXPECT_TRUE(color_wanted(ColorChoice::kAuto, true, world.io));
  EXPECT_FALSE(color_wanted(ColorChoice::kAuto, false, world.io));
  world.environment["TERM"] = "dumb";
  EXPECT_FALSE(color_wanted(ColorChoice::kAuto, true, world.io));
}

TEST(Color, IsOffWithNoColorUnlessAskedFor) {
  FakeWorld world;
  world.environment = {{"TERM", "xterm"}, {"NO_COLOR", "1"}};
  EXPECT_FALSE(color_wanted(ColorChoice::kAuto, true, world.io));
  EXPECT_TRUE(color_wanted(ColorChoice::kAlways, false, world.io));
  world.environment["NO_COLOR"] = "";
  EXPECT_TRUE(color_wanted(ColorChoice::kAuto, true, world.io));
}

TEST(Paint, LeavesTextAloneWhenColorIsOff) {
  EXPECT_EQ(paint(false, Tone::kBad, "x"), "x");
  EXPECT_EQ(paint(true, Tone::kBold, "x"), "\x1b[1mx\x1b[0m");
}

TEST(Printable, LetsNothingSteerTheTerminal) {
  EXPECT_EQ(printable("a\x1b[31mb\x07"), "a\xef\xbf\xbd[31mb\xef\xbf\xbd");
  EXPECT_EQ(printable("\xc2\x9b"
                      "31m"),
            "\xef\xbf\xbd"
            "31m");
  EXPECT_EQ(printable("tab\tand \xc3\xbc \xe2\x82\xac \xf0\x9f\x98\x80"),
            "tab\tand \xc3\xbc \xe2\x82\xac \xf0\x9f\x98\x80");
}

TEST(Printable, ReplacesBytesThatAreNotUtf8) {
  EXPECT_EQ(printable("\xff"), "\xef\xbf\xbd");
  EXPECT_EQ(printable("\xc0\x80"), "\xef\xbf\xbd\xef\xbf\xbd");                  // overlong
  EXPECT_EQ(printable("\xed\xa0\x80"), "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd");  // a surrogate
  EXPECT_EQ(printable("\xe2\x82"), "\xef\xbf\xbd\xef\xbf\xbd");                  // cut short
}

TEST(Printable, LeavesNothingThatSteersATerminalOrACiSystem) {
  struct Case {
    std::string_view text;
    std::string_view shown;
  };
  for (const Case& one : {
           Case{"a\nb\rc\x1b[31m\a\x7f", "a\uFFFDb\uFFFDc\uFFFD[31m\uFFFD\uFFFD"},
           Case{"\u009b31m", "\uFFFD31m"},
           Case{"\u202e\u2066\u200e\u200f\u061c\u2028", "\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD\uFFFD"},
           Case{"::error file=a::b", "\uFFFD:error file=a::b"},
           Case{" \t::debug::b", " \t\uFFFD:debug::b"},
           Case{"a ::error::b", "a ::error::b"},
           Case{"::1", "::1"},
           Case{"x ##[error]b ##vso[task]c", "x \uFFFD#[error]b \uFFFD#vso[task]c"},
           Case{"## a [b]\tc \u65e5", "## a [b]\tc \u65e5"},
       })
    EXPECT_EQ(printable(one.text), one.shown);
  EXPECT_EQ(printable_lines("a\n  ::debug::b"), "a\n  \uFFFD:debug::b");
}

// Character by character, as the text is read; printable() copies what is plain in one piece.
std::string shown_slowly(std::string_view text) {
  std::string out;
  bool at_start = true;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::string_view rest = text.substr(i);
    const char c = rest[0];
    const bool letter = rest.size() > 2 && std::isalpha(static_cast<unsigned char>(rest[2])) != 0;
    const bool bad = (at_start && rest.starts_with("::") && letter) || rest.starts_with("##[") ||
                     rest.starts_with("##vso[") || c == '\n' || c == '\x1b';
    out += bad ? "\uFFFD" : std::string(1, c);
    at_start = at_start && (c == ' ' || c == '\t');
  }
  return out;
}

TEST(Printable, OfManyTextsIsTheSameInPiecesAsInCharacters) {
  constexpr std::string_view kWords[] = {" ", "\t",   ":", "::", "#",  "##",
                                         "[", "vso[", "a", "1",  "\n", "\x1b"};
  std::minstd_rand random(7);
  for (int i = 0; i < 50'000; ++i) {
    std::string text;
    for (std::size_t left = random() % 9; left > 0; --left) text += kWords[random() % 12];
    ASSERT_EQ(printable(text), shown_slowly(text)) << testing::PrintToString(text);
  }
}

TEST(PrintableJson, KeepsTheValue) {
  EXPECT_EQ(printable_json("{\n  \"a\": \"\u202e\u009b\x7f\u65e5\"\n}"),
            "{\n  \"a\": \"\\u202e\\u009b\\u007f\u65e5\"\n}");
}

}  // namespace
}  // namespace strake::cli
