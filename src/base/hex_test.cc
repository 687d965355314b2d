#include "base/hex.h"

#include <gtest/gtest.h>

#include <string_view>

namespace strake {
namespace {

TEST(HexDigit, IsReadInEitherCase) {
  constexpr std::string_view kLower = "0123456789abcdef";
  constexpr std::string_view kUpper = "0123456789ABCDEF";
  for (int i = 0; i < 16; ++i) {
    EXPECT_EQ(hex_digit(kLower[static_cast<std::size_t>(i)]), i);
    EXPECT_EQ(hex_digit(kUpper[static_cast<std::size_t>(i)]), i);
  }
}

TEST(HexDigit, IsNothingElse) {
  for (const char c : std::string_view("/:@G`g \xff")) EXPECT_EQ(hex_digit(c), -1) << c;
  EXPECT_EQ(hex_digit('\0'), -1);
}

}  // namespace
}  // namespace strake
