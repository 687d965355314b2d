#include "base/same_text.h"

#include <gtest/gtest.h>

#include <string>

namespace strake {
namespace {

TEST(SameText, SeesEveryByteOfTextsOfAnyLength) {
  for (std::size_t size = 0; size < 40; ++size) {
    const std::string text(size, 'a');
    EXPECT_TRUE(same_text(text, std::string(size, 'a'))) << size;
    EXPECT_FALSE(same_text(text, text + "a")) << size;
    for (std::size_t at = 0; at < size; ++at) {
      std::string other = text;
      other[at] = 'b';
      EXPECT_FALSE(same_text(text, other)) << size << " " << at;
      EXPECT_FALSE(same_text(other, text)) << size << " " << at;
    }
  }
}

TEST(SameText, TakesNoTextForAnEmptyOne) { EXPECT_TRUE(same_text(std::string_view(), "")); }

}  // namespace
}  // namespace strake
