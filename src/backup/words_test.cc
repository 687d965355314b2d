#include "backup/words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace strake::backup {
namespace {

using ::testing::ElementsAre;

TEST(Words, StandApartByWhiteSpaceAndQuotes) {
  EXPECT_THAT(*split_words("restic  backup\t--stdin\n"),
              ElementsAre("restic", "backup", "--stdin"));
  EXPECT_THAT(*split_words(R"(a 'b c' "d e" f\ g h'i'"j")"),
              ElementsAre("a", "b c", "d e", "f g", "hij"));
  EXPECT_THAT(*split_words(R"(a '' "" \'x\" '\n$HOME' "\n\"\\")"),
              ElementsAre("a", "", "", "'x\"", "\\n$HOME", "\\n\"\\"));
}

TEST(Words, AreNotExpanded) {
  EXPECT_THAT(*split_words("a $HOME ~ *.db | b > c; `d` $(e)"),
              ElementsAre("a", "$HOME", "~", "*.db", "|", "b", ">", "c;", "`d`", "$(e)"));
}

TEST(Words, MustEndTheirQuotesAndNameAProgram) {
  EXPECT_EQ(split_words("a 'b").error().message(), "the quote ' does not end");
  EXPECT_EQ(split_words("a \"b\\\"").error().message(), "the quote \" does not end");
  EXPECT_EQ(split_words(" ").error().message(), "must name a program");
  EXPECT_EQ(split_words("'' a").error().message(), "must name a program");
  EXPECT_EQ(split_words(std::string_view("a\0b", 3)).error().message(),
            "must not hold a zero byte");
}

}  // namespace
}  // namespace strake::backup
