#include "base/lines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace strake {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(TakeLine, TakesTheLineAndItsEnd) {
  std::string_view text = "a\n\nb";
  EXPECT_EQ(take_line(text), "a");
  EXPECT_EQ(text, "\nb");
  EXPECT_EQ(take_line(text), "");
  EXPECT_EQ(take_line(text), "b");
  EXPECT_EQ(text, "");
  EXPECT_EQ(take_line(text), "");
}

TEST(LinesOf, HasNoLineBehindTheLastEnd) {
  EXPECT_THAT(lines_of("a\nb\n"), ElementsAre("a", "b"));
  EXPECT_THAT(lines_of("a\n\nb"), ElementsAre("a", "", "b"));
  EXPECT_THAT(lines_of("\n"), ElementsAre(""));
  EXPECT_THAT(lines_of(""), IsEmpty());
}

TEST(LinesOf, KeepsCarriageReturns) { EXPECT_THAT(lines_of("a\r\nb"), ElementsAre("a\r", "b")); }

}  // namespace
}  // namespace strake
