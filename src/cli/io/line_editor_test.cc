#include "cli/io/line_editor.h"

#include <gtest/gtest.h>

namespace strake::cli {
namespace {

using Event = LineEditor::Event;

Event type(LineEditor& editor, std::string_view keys) {
  Event last = Event::kNone;
  for (const char c : keys) last = editor.feed(c);
  return last;
}

std::string line_of(std::string_view keys) {
  LineEditor editor;
  type(editor, keys);
  return editor.text();
}

TEST(LineEditor, TakesWhatIsTyped) {
  LineEditor editor;
  EXPECT_EQ(type(editor, "1 + 2"), Event::kNone);
  EXPECT_EQ(editor.text(), "1 + 2");
  EXPECT_EQ(editor.feed('\r'), Event::kLine);
  EXPECT_EQ(editor.text(), "1 + 2");
}

TEST(LineEditor, MovesWithArrowsAndControlKeys) {
  EXPECT_EQ(line_of("bc\x01"
                    "a"),
            "abc");
  EXPECT_EQ(line_of("bc\x01"
                    "a\x05"
                    "d"),
            "abcd");
  EXPECT_EQ(line_of("ac\x1b[Db"), "abc");
  EXPECT_EQ(line_of("ac\x1b[D\x1b[D\x1b[Cb"), "abc");
  EXPECT_EQ(line_of("bc\x1b[Ha\x1b[Fd"), "abcd");
  EXPECT_EQ(line_of("bc\x1bOHa\x1bOFd"), "abcd");
  EXPECT_EQ(line_of("bc\x1b[1~a\x1b[4~d"), "abcd");
}

TEST(LineEditor, ErasesBeforeAndBehindTheCursor) {
  EXPECT_EQ(line_of("abx\x7f"
                    "c"),
            "abc");
  EXPECT_EQ(line_of("abcdef\x01\x1b[C\x1b[C\x0b"), "ab");
  EXPECT_EQ(line_of("abcdef\x1b[D\x1b[D\x15"), "ef");
  EXPECT_EQ(line_of("xab\x01\x1b[3~"), "ab");
  EXPECT_EQ(line_of("xab\x01\x04"), "ab");
  EXPECT_EQ(line_of("one two \x17"), "one ");
  EXPECT_EQ(line_of("\x7f\x1b[D\x1b[3~"), "");
}

TEST(LineEditor, StepsOverWholeCharacters) {
  EXPECT_EQ(line_of("aé\x7f"), "a");
  EXPECT_EQ(line_of("é€\x1b[D\x7f"), "€");
  EXPECT_EQ(line_of("é€\x01\x04"), "€");
}

TEST(LineEditor, EndsOnlyOnAnEmptyLine) {
  LineEditor editor;
  EXPECT_EQ(type(editor, "a\x04"), Event::kNone);
  EXPECT_EQ(type(editor, "\x7f\x04"), Event::kEnd);
}

TEST(LineEditor, ClearsTheLineOnControlC) {
  LineEditor editor;
  EXPECT_EQ(type(editor, "abc\x03"), Event::kCleared);
  EXPECT_EQ(editor.text(), "");
}

TEST(LineEditor, WalksThroughHistoryAndBackToTheLineBeingTyped) {
  LineEditor editor;
  for (const std::string_view line : {"first", "second", "second", ""}) editor.remember(line);
  EXPECT_EQ(editor.history(), (std::vector<std::string>{"first", "second"}));
  type(editor, "third");
  type(editor, "\x1b[A");
  EXPECT_EQ(editor.text(), "second");
  type(editor, "\x1b[A\x1b[A");
  EXPECT_EQ(editor.text(), "first");
  type(editor, "\x1b[B\x1b[B\x1b[B");
  EXPECT_EQ(editor.text(), "third");
}

TEST(LineEditor, PassesOverSequencesItDoesNotKnow) {
  EXPECT_EQ(line_of("a\x1b[1;5Q\x1b[200~b\x1bxc"), "abc");
}

TEST(LineEditor, ShowsTheEndOfALineThatIsLongerThanTheScreen) {
  LineEditor editor;
  type(editor, "0123456789");
  EXPECT_EQ(editor.draw("> ", 80), "\r> 0123456789\x1b[K\r\x1b[12C");
  EXPECT_EQ(editor.draw("> ", 8), "\r> 56789\x1b[K\r\x1b[7C");
  type(editor, "\x01");
  EXPECT_EQ(editor.draw("> ", 8), "\r> 01234\x1b[K\r\x1b[2C");
}

TEST(LineEditor, HoldsNoMoreThanItsLimit) {
  LineEditor editor;
  type(editor, std::string(70'000, 'x'));
  EXPECT_EQ(editor.text().size(), std::size_t{1} << 16);
}

}  // namespace
}  // namespace strake::cli
