#include "yaml_edit/layout.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace strake::yaml_edit {
namespace {

std::string again(std::string_view text) {
  const auto read = read_layout(text);
  EXPECT_TRUE(read.has_value()) << (read ? "" : read.error().to_string());
  return read ? write_layout(*read) : std::string();
}

TEST(Layout, EndsTagsAtTheSignsOfFlowCollections) {
  const auto read = read_layout("a: [!x, !y 1, &n 2]\n");
  ASSERT_TRUE(read);
  const auto again = read_layout(write_layout(*read));
  ASSERT_TRUE(again);
  EXPECT_TRUE(same_layout((*again)[0].root, (*read)[0].root));
  EXPECT_EQ((*read)[0].root.entries.at(0).value.entries.at(0).value.tag, "!x");
}

TEST(Layout, RefusesWhatIsNotUtf8) {
  EXPECT_EQ(read_layout(std::string_view("\xfe\xff\0a\0:", 6)).error().code(), Code::kUnsupported);
  EXPECT_EQ(read_layout(std::string_view("\xff\xfe"
                                         "a\0:\0",
                                         6))
                .error()
                .code(),
            Code::kUnsupported);
}

TEST(Layout, WritesBackWhatIsWrittenItsWay) {
  for (const std::string_view text : {
           "a: b\n",
           "# about the file\n\n# about a\na: b\n",
           "# about a\na: b # behind a\n# below a\n\nb: c\n",
           "a:\n  b: 1\n  # below b\nc: 2\n",
           "a:\n  # above b\n  b: 1\n# below a\n\nc: 2\n",
           "a: # behind a\n  b: 1\n",
           "a: # behind a\n- b # behind b\n# above c\n- c\n",
           "- # behind the dash\n  a: b\n- - 1\n  - 2\n- []\n- {}\n",
           "a: 'x'\nb: \"y\"\nc: z\nd: 'it''s'\n",
           "a: |\n  one\n  # no comment\n\n  two\nb: |- # comment\n  x\nc: |+\n  x\n\nd: >\n  w\n",
           "a: |2\n    deep\n",
           "a: &x\n  b: 1\nc: *x\nd: &y 1\ne: !!str 5\nf: !mine\n  g: 1\n",
           "a: {b: c, d: [1, 2]}\ne: [x, 'y']\n",
           "a:\nb: null\nc: ~\nd:\n-\n- 1\n",
           "a: b\n\n# the end\n",
           "a: b\n# below a, at the end\n",
           "a: b\n---\n# second\nc: d\n---\n- 1\n",
           "# nothing but words\n---\na: b\n",
           "a:\n  # instead of a value\nb:\n  c:\n    # and here\nd: 1\n",
           "just a word\n",
           "a: caf\u00e9 # \u00fc\n",
       }) {
    EXPECT_EQ(again(text), text);
  }
}

TEST(Layout, SettlesIndentationAndEmptyLines) {
  EXPECT_EQ(again("---\na:\n    b:   1\n\n\n    c:\n      - 1\n      -   2\n"),
            "a:\n  b: 1\n  c:\n  - 1\n  - 2\n");
  EXPECT_EQ(again("a: 1\r\nb: 2\r\n"), "a: 1\nb: 2\n");
  EXPECT_EQ(again("a: word\n  and more\n"), "a: word and more\n");
  EXPECT_EQ(again("a: 1\n\n# above b\n\nb: 2\n"), "a: 1\n# above b\nb: 2\n");
  EXPECT_EQ(again("a: {\n  b: 1, # behind b\n  # above c\n  c: 2\n}\n"),
            "a: {\n  b: 1, # behind b\n  # above c\n  c: 2\n}\n");
}

TEST(Layout, QuotesWhatItsStyleCannotHold) {
  EXPECT_EQ(again("a: |\n  trailing \n  x\n"), "a: \"trailing \\nx\\n\"\n");
  EXPECT_EQ(again("a: 'tab\there'\n"), "a: \"tab\\there\"\n");
  EXPECT_EQ(again("a: \"\\u00e9\\x01\"\n"), "a: \"\u00e9\\x01\"\n");
  EXPECT_EQ(again("a: \U0001F600\n"), "a: \"\\U0001F600\"\n");
}

TEST(Layout, QuotesWhatWouldBeTakenForSomethingElse) {
  EXPECT_EQ(again("? ---\n: x\n"), "'---': x\n");
  EXPECT_EQ(again("a: {b: , c}\n"), "a: {b: null, c: null}\n");
  EXPECT_EQ(again("one\n\ntwo\n"), "|-\n  one\n  two\n");
  EXPECT_EQ(again("- !!str a: b\n  c: d\n"), "- !!str a: b\n  c: d\n");
}

TEST(Layout, RefusesWhatItCannotRead) {
  const auto tab = read_layout("a:\n\tb: 1\n");
  ASSERT_FALSE(tab.has_value());
  EXPECT_THAT(tab.error().message(), ::testing::StartsWith("MalformedYAMLError: yaml: line "));
  EXPECT_EQ(read_layout("a: 1\n--- x\nb: 1\n").error().message(),
            "invalid document separator: --- x");
  EXPECT_EQ(read_layout("? [a]\n: b\n").error().code(), Code::kUnsupported);
  EXPECT_EQ(read_layout("# a\rb: c\n").error().code(), Code::kUnsupported);
  EXPECT_EQ(read_layout("a: *b\nc: &b 1\n").error().message(),
            "MalformedYAMLError: yaml: unknown anchor 'b' referenced");
  EXPECT_EQ(read_layout("a: &b 1\nc: &b 2\n").error().code(), Code::kUnsupported);
  EXPECT_EQ(read_layout(std::string(2000, '[')).has_value(), false);
}

TEST(Layout, ReadsWhatItWrote) {
  const std::string_view text =
      "# d\n\n# h\na: # l\n  - x: |\n      t\n    # f\n\n    y: 'q' # l2\n  # g\nb: >-\n  one\n\n"
      "  two\n# end\n";
  const auto first = read_layout(text);
  ASSERT_TRUE(first.has_value());
  const std::string once = write_layout(*first);
  const auto second = read_layout(once);
  ASSERT_TRUE(second.has_value()) << once;
  EXPECT_TRUE(same_layout(first->front().root, second->front().root)) << once;
  EXPECT_EQ(write_layout(*second), once);
}

}  // namespace
}  // namespace strake::yaml_edit
