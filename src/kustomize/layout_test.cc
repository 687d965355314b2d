#include "kustomize/layout.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kustomize/format_resource.h"

namespace strake::kustomize {
namespace {

std::string again(std::string_view text) {
  const auto read = read_layout(text);
  EXPECT_TRUE(read.has_value()) << (read ? "" : read.error().to_string());
  return read ? write_layout(*read) : std::string();
}

std::string formatted(std::string_view text) {
  auto read = read_layout(text);
  EXPECT_TRUE(read.has_value()) << (read ? "" : read.error().to_string());
  if (!read) return {};
  for (LayoutDocument& document : *read) {
    const Result<> done = format_resource(document.root);
    EXPECT_TRUE(done.has_value());
  }
  return write_layout(*read);
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

TEST(FormatResource, OrdersKnownFieldsFirstAndTheOthersByName) {
  EXPECT_EQ(formatted("spec:\n  zeta: 1\n  replicas: 3 # three\n  alpha: 2\n# which kind\nkind: "
                      "Boat\nmetadata:\n  labels:\n    b: c\n    a: d\n  name: x\napiVersion: "
                      "m.dev/v1\nstatus: {}\n"),
            "apiVersion: m.dev/v1\n# which kind\nkind: Boat\nmetadata:\n  name: x\n  labels:\n"
            "    a: d\n    b: c\nspec:\n  replicas: 3 # three\n  alpha: 2\n  zeta: 1\n"
            "status: {}\n");
}

TEST(FormatResource, SortsContainersOfKnownKindsByName) {
  const std::string_view list =
      "spec:\n  template:\n    spec:\n      containers:\n      # the second\n      - name: b\n"
      "      - image: x\n        name: a\n";
  const std::string_view sorted =
      "spec:\n  template:\n    spec:\n      containers:\n      - name: a\n        image: x\n"
      "      # the second\n      - name: b\n";
  const std::string deployment = "apiVersion: apps/v1\nkind: Deployment\n";
  EXPECT_EQ(formatted(deployment + std::string(list)), deployment + std::string(sorted));
  const std::string boat = "apiVersion: m.dev/v1\nkind: Boat\n";
  EXPECT_THAT(formatted(boat + std::string(list)), ::testing::HasSubstr("- name: b\n      - name"));
  EXPECT_EQ(formatted("kind: ValidatingWebhookConfiguration\napiVersion: "
                      "admissionregistration.k8s.io/v1\nwebhooks:\n- rules:\n  - operations: "
                      "[UPDATE, CREATE]\n"),
            "apiVersion: admissionregistration.k8s.io/v1\nkind: ValidatingWebhookConfiguration\n"
            "webhooks:\n- rules:\n  - operations: [CREATE, UPDATE]\n");
}

TEST(FormatResource, CarriesTheHeadOfAFirstFieldBehindTheDash) {
  EXPECT_EQ(formatted("apiVersion: v1\nkind: Pod\nspec:\n  containers:\n  - image: i\n"
                      "    # what it is called\n    name: n\n"),
            "apiVersion: v1\nkind: Pod\nspec:\n  containers:\n  - # what it is called\n"
            "    name: n\n    image: i\n");
}

TEST(FormatResource, LeavesAloneWhatSaysSoAndWhatIsNoResource) {
  const std::string_view none =
      "kind: A\napiVersion: v1\nmetadata:\n  annotations:\n    config.kubernetes.io/formatting: "
      "none\n";
  EXPECT_EQ(formatted(none), none);
  EXPECT_EQ(formatted("b: 1\na: 2\n"), "b: 1\na: 2\n");
  auto bad =
      read_layout("metadata: {annotations: {config.kubernetes.io/formatting: odd}, name: x}\n");
  ASSERT_TRUE(bad.has_value());
  EXPECT_EQ(format_resource(bad->front().root).error().message(),
            "formatting annotation has illegal value odd");
}

}  // namespace
}  // namespace strake::kustomize
