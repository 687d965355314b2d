#include "kinds/pem.h"

#include <gtest/gtest.h>

namespace strake::kinds {
namespace {

std::string types_in(std::string_view text) {
  std::string out;
  for (const PemBlock& one : pem_blocks(text)) out += one.type + "=" + one.bytes + ";";
  return out;
}

TEST(Pem, FindsItsBlocksInOrder) {
  EXPECT_EQ(types_in("text\n-----BEGIN A-----\nZm9v\n-----END A-----\nmore\n"
                     "-----BEGIN B C-----\nYm\nFy\n-----END B C-----\n"),
            "A=foo;B C=bar;");
  EXPECT_EQ(types_in("nothing"), "");
}

TEST(Pem, PassesOverWhatIsNoBlock) {
  struct Case {
    std::string_view text;
    std::string_view found;
  };
  constexpr std::string_view kGood = "-----BEGIN G-----\nZm9v\n-----END G-----\n";
  for (const Case& one : {Case{"-----BEGIN A-----\nZm9v\n", ""},                   // open
                          Case{"-----BEGIN A-----\nZm9v\n-----END B-----\n", ""},  // ends another
                          Case{"-----BEGIN A-----\n!!!\n-----END A-----\n", ""},   // no base64
                          Case{"-----BEGIN A\nZm9v\n-----END A-----\n", ""},       // no dashes
                          Case{"x-----BEGIN A-----\nZm9v\n-----END A-----\n", ""}}) {  // in a line
    EXPECT_EQ(types_in(one.text), one.found) << one.text;
    EXPECT_EQ(types_in(std::string(one.text) + std::string(kGood)), "G=foo;") << one.text;
  }
  EXPECT_TRUE(pem_blocks("-----BEGIN A-----\nk: v\n\nZm9v\n-----END A-----\n").at(0).has_headers);
}

// Each beginning used to look for its own end in all of the text.
TEST(Pem, CostsNoMoreThanItsLength) {
  std::string text;
  for (int i = 0; i < 50'000; ++i) text += "-----BEGIN A-----\n";
  EXPECT_EQ(types_in(text), "");
  EXPECT_EQ(types_in(text + "-----END A-----\n"), "A=;");
}

}  // namespace
}  // namespace strake::kinds
