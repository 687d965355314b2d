#include "kustomize/tree/node_reader.h"

#include <gtest/gtest.h>

#include "kustomize/tree/node_value.h"

namespace strake::kustomize {
namespace {

// All documents as YAML, or the error.
std::string read_all(std::string_view text) {
  NodeArena arena;
  const auto nodes = read_nodes(text, arena);
  if (!nodes) return "error: " + nodes.error().message();
  std::string out;
  for (const Node* node : *nodes) {
    Arena scratch;
    const auto value = to_value(*node, scratch);
    out += (out.empty() ? "" : "---\n") +
           (value ? to_text(*node) : "error: " + value.error().message());
  }
  return out;
}

TEST(NodeReader, TakesTheOldWordsForBooleansAsStrings) {
  EXPECT_EQ(read_all("a: yes\nb: on\nc: True\nd: n\n"),
            "a: \"yes\"\nb: \"on\"\nc: true\nd: \"n\"\n");
}

TEST(NodeReader, DividesAtLinesThatStartWithThreeDashes) {
  EXPECT_EQ(read_all("---\n# nothing\n---\na: 1\n--- # more\nb: 2\n---\n"), "a: 1\n---\nb: 2\n");
  EXPECT_EQ(read_all("a: 1\n--- b: 2\n"), "error: invalid document separator: --- b: 2");
}

TEST(NodeReader, GivesTheItemsOfASingleList) {
  EXPECT_EQ(read_all("kind: List\nitems: [{a: 1}, {b: 2}]\n"), "a: 1\n---\nb: 2\n");
}

TEST(NodeReader, ExpandsAliasesAndMergeKeysWithOwnMembersWinning) {
  EXPECT_EQ(read_all("d: &d {x: 1, y: 2}\no: {<<: *d, y: 3}\nm: {<<: [{a: 1}, {a: 2, b: 3}]}\n"),
            "d:\n  x: 1\n  \"y\": 2\nm:\n  a: 1\n  b: 3\no:\n  x: 1\n  \"y\": 3\n");
}

TEST(NodeReader, RefusesAnAnchorWithinItself) {
  EXPECT_EQ(read_all("a: &a {b: *a}\n"),
            "error: MalformedYAMLError: yaml: anchor 'a' value contains itself");
}

TEST(NodeReader, StopsAliasesThatMultiply) {
  std::string text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 9; ++i) {
    text += fmt::format("a{}: &a{} [", i, i);
    for (int j = 0; j < 10; ++j) text += fmt::format("*a{}, ", i - 1);
    text += "]\n";
  }
  EXPECT_TRUE(read_all(text).starts_with("error: yaml: document contains excessive aliasing"));
}

TEST(NodeReader, StopsNestingBeforeItHurts) {
  EXPECT_TRUE(read_all(std::string(2000, '[') + std::string(2000, ']')).starts_with("error: "));
}

TEST(NodeReader, NoticesDuplicatesAndKeysThatAreNoStringsOnlyWhenAskedForJson) {
  EXPECT_TRUE(read_all("a: 1\na: 2\n").starts_with("error: yaml: unmarshal errors:"));
  EXPECT_EQ(read_all("a: {1: x}\n"),
            "error: json: unsupported type: map[interface {}]interface {}");
}

TEST(NodeReader, WritesDatesAndNumbersAsTheReferenceDoes) {
  EXPECT_EQ(
      read_all(
          "a: 2031-5-6\nb: 2031-05-06 07:08:09.50\nc: 0o17\nd: 1_000\ne: !!str 5\nf: !!float 3\n"),
      "a: \"2031-05-06T00:00:00Z\"\nb: \"2031-05-06T07:08:09.5Z\"\nc: 15\nd: 1000\ne: \"5\"\nf: "
      "3\n");
}

}  // namespace
}  // namespace strake::kustomize
