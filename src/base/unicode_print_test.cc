#include "base/unicode_print.h"

#include <gtest/gtest.h>

#include <cstddef>

namespace strake {
namespace {

TEST(UnicodePrint, KnowsAsManyCodePointsAsUnicode15) {
  std::size_t printable = 0;
  for (char32_t c = 0; c <= 0x10ffff; ++c) printable += is_printable(c) ? 1 : 0;
  EXPECT_EQ(printable, 148998u);
}

TEST(UnicodePrint, AgreesBetweenTheShortWayAndTheTable) {
  for (char32_t c = 0; c < 0x300; ++c)
    EXPECT_EQ(is_printable(c), is_printable_slow(c)) << std::size_t{c};
}

TEST(UnicodePrint, RefusesControlsFormatsSpacesSurrogatesAndPrivateUse) {
  for (char32_t c : {0x00u,   0x1fu,   0x7fu,   0x80u,    0x9fu,    0xa0u,     0xadu,
                     0x200bu, 0x2028u, 0x2029u, 0x3000u,  0xd800u,  0xdfffu,   0xe000u,
                     0xfeffu, 0xfff9u, 0xffffu, 0xe0001u, 0xf0000u, 0x10ffffu, 0x110000u}) {
    EXPECT_FALSE(is_printable(c)) << std::hex << std::size_t{c};
  }
}

TEST(UnicodePrint, TakesLettersMarksNumbersPunctuationAndSymbols) {
  for (char32_t c : {0x20u, 0x7eu, 0xa1u, 0xb5u, 0xffu, 0x301u, 0x660u, 0x2013u, 0x20acu, 0x4e00u,
                     0xfffdu, 0x1f600u, 0x20000u, 0x31350u, 0xe0100u}) {
    EXPECT_TRUE(is_printable(c)) << std::hex << std::size_t{c};
  }
}

TEST(UnicodePrint, StopsAtUnicode15) {
  EXPECT_TRUE(is_printable(0x1fae8));   // new in 15.0
  EXPECT_FALSE(is_printable(0x2ebf0));  // new in 15.1
  EXPECT_FALSE(is_printable(0x1c89));   // new in 16.0
}

}  // namespace
}  // namespace strake
