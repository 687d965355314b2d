#include "validate/extent.h"

#include <gtest/gtest.h>

namespace strake::validate {
namespace {

// What begins at the first | of the text, which is taken out of it.
std::string_view reached(std::string& text, bool container = false) {
  const std::size_t at = text.find('|');
  text.erase(at, 1);
  return std::string_view(text).substr(at, extent_at(text, at, container));
}

struct Case {
  std::string text;
  std::string want;
  bool container = false;
};

TEST(Extent, EndsWithTheValue) {
  for (Case& one : std::vector<Case>{
           {"a: |12  # many\n", "12"},
           {"a: |some words\nb: 1\n", "some words"},
           {"|a: 1\n", "a"},
           {"a: |\"b # \\\" c\" # d\n", "\"b # \\\" c\""},
           {"a: |'it''s' # d\n", "'it''s'"},
           {"a: {b: |1, c: 2}\n", "1"},
           {"a: [x, |y z]\n", "y z"},
           {"a: |{name: a, other: [it's, \"]\"]} # x\n", "{name: a, other: [it's, \"]\"]}", true},
           {"{\"a\":|12.5,\"b\":2}", "12.5"},
           {"{\"a\":|true}", "true"},
           {"{|\"a\":true}", "\"a\""},
           {"{\"a\":|[1,\"]\",{}],\"b\":2}", "[1,\"]\",{}]", true},
           {"a:\n  |b: 1\n  c:\n    d: 2\n\n# x\ne: 3\n", "b: 1\n  c:\n    d: 2", true},
           {"a:\n|- 1\n- 2\nb: 3\n", "- 1\n- 2", true},
           {"- |a: 1\n  b: 2\n- a: 3\n", "a: 1\n  b: 2", true},
           {"|a: 1\n---\nb: 1\n", "a: 1", true},
           {"a: |", ""},
       }) {
    std::string text = one.text;
    EXPECT_EQ(reached(text, one.container), one.want) << one.text;
  }
}

TEST(Extent, TakesInBlocksOfText) {
  std::string text = "a:\n- b: >\n    one\n\n    two\n  c: 1\n";
  EXPECT_EQ(std::string_view(text).substr(8, extent_at(text, 8, false)), ">\n    one\n\n    two");
  text = "- |\n  one\n- two\n";
  EXPECT_EQ(std::string_view(text).substr(2, extent_at(text, 2, false)), "|\n  one");
}

TEST(Extent, EndsWithTheTextWhenThatIsCutOff) {
  EXPECT_EQ(extent_at("\"abc", 0, false), 4u);
  EXPECT_EQ(extent_at("[1, 2", 0, true), 5u);
  EXPECT_EQ(extent_at("\"abc\\", 0, false), 5u);
  EXPECT_EQ(extent_at("a", 5, false), 0u);
  EXPECT_EQ(json_extent_at(",\"x\":12},", 5), 2u);
  EXPECT_EQ(json_extent_at("\"x\":[1,2]},", 4), 5u);
}

}  // namespace
}  // namespace strake::validate
