#include "value/yaml_scanner.h"

#include <gtest/gtest.h>

#include <random>

#include "value/json_writer.h"
#include "value/yaml_reader.h"
#include "value/yaml_scanner_check.h"

namespace strake::value::internal {
namespace {

void expect_read_whole(std::string_view text) {
  const ScannerCheck check = check_scanner(text);
  EXPECT_EQ(check.fault, "") << text;
  EXPECT_TRUE(check.whole) << text;
}

void expect_declined(std::string_view text) {
  const ScannerCheck check = check_scanner(text);
  EXPECT_EQ(check.fault, "") << text;
  EXPECT_FALSE(check.whole) << text;
}

TEST(YamlScanner, ReadsBlockCollectionsAsLibyamlDoes) {
  for (const std::string_view text : {
           "a: b\n",
           "a: b",
           "  a: b\n  c: d\n",
           "a:\n  b:\n    c: d\n  e:\nf: g\n",
           "a:\n- b\n- c: d\n  e: f\n-\n- - g\n  - h\n  -\n- \n  i: j\nk: l\n",
           "a:\n  - b\n  -   c\n  # d\n\n  -\n\n    e\n",
           "- - - a: b\n      c: d\n    - e\n  - f\n- g\n",
           "a:   # b\n  c: d   # e\n\n# f\n  g: h#i\n",
           "a :  b\n\"c\" : d\n'e f':\n  g\n",
           "a: http://b:80/c?d#e\nf: -g\nh: ?i\nj: :k\n-l: m\n",
           "\n\n# a\n",
           "- a\n-\n",
           "a:\n",
       }) {
    expect_read_whole(text);
  }
}

TEST(YamlScanner, ReadsScalarsAsLibyamlDoes) {
  for (const std::string_view text : {
           "a: b\n  c\n\n  d\n\n\n   e # f\ng: h\n",
           "a:\n  b\n    c\n d\ne: f\n",
           "a\nb\n\n c\n",
           "- a\n - b\n- c\n",
           "a: 'b'\nc: \"d\"\ne: 'it''s'\nf: ''\ng: \"\"\n",
           "a: 'b  \n\n   c\t\n d'\ne: \"f \n\ng\\n  \\\n   h\\ \n i\"\n",
           "a: \"\\0\\a\\b\\t\\n\\v\\f\\r\\e\\ \\\"\\/\\\\\\N\\_\\L\\P\\x41\\u00e9\\U0001F600\"\n",
           "a: \"\tb\tc\t\"\nd: 'e\tf'\n",
           "a: |\n  b\n   c\n\n  d\n\n\ne: |-\n  f\n\ng: |+\n  h\n\ni: j\n",
           "a: >\n  b\n  c\n\n  d\n   e\n  f\n\n\n  g\nh: >-\n  i\n  j\n\nk: >+\n  l\n\n",
           "a: |2\n    b\n   c\nd: |1-\n  e\nf: |-1\n  g\n",
           "a: | # b\n   c\n  # d\ne: |\nf: |\n\n\ng: h\n",
           "- |\n a\n- >\n b\n c\n-   |\n  d\n",
           "a: |\n  b\tc\n  \td\n",
           "é: ü # ö\n\"ä ö\": [é, ü]\nß: |\n  日本\n",
       }) {
    expect_read_whole(text);
  }
}

TEST(YamlScanner, ReadsFlowCollectionsAsLibyamlDoes) {
  for (const std::string_view text : {
           "[]\n",
           "{}",
           "a: [b, c , 'd', \"e\", 1]\nf: {g: h, i: , j: [k, {l: m}], \"n\":o, 'p' : q}\n",
           "- [a, [b, [c]], {d: e}, ]\n- {a: b, }\n- {}\n",
           "{\n  \"a\": [\n    1, # b\n    2\n  ],\n  \"c\": {\"d\": null}\n}\n",
           "a: [b\n, c # d\n]\ne: [-, -f, g:h]\n",
           "[[a], [b]] # c: d\n",
       }) {
    expect_read_whole(text);
  }
}

TEST(YamlScanner, ReadsAnchorsOfValuesAsLibyamlDoes) {
  for (const std::string_view text : {
           "a: &b c\nd: *b\n",
           "a: &b   # c\n  d: e\nf:\n  <<: *b\n  g: [*b, *b ]\nh: {i: *b}\n",
           "a: &b-1_2 {c: d}\ne: &f 'g\n  h'\ni: &j |\n  k\nl: *j # m\n",
           "- &a\n  b: c\n- &d\n  - e\n- *a\n- *d\n",
           "&a\nb: c\n",
       }) {
    expect_read_whole(text);
  }
}

TEST(YamlScanner, ReadsStreamsOfDocumentsAsLibyamlDoes) {
  for (const std::string_view text : {
           "---\na: b\n---\n- c\n---\n---\nd\n",
           "--- # a\nb: c\n...\n",
           "a: b\n...\n...\n---\nc: d\n... # e\n",
           "a\n---\nb\n c\n--- \n|\n d\n---\n'e'\n",
           "# a\n---\n# b\n---\n# c\n",
           "---",
           "a:\n- b\n---\n",
       }) {
    expect_read_whole(text);
  }
}

TEST(YamlScanner, DeclinesWhatIsRare) {
  for (const std::string_view text : {
           "&a b: c\n",
           "*a : b\n",
           "- &a b: c\n",
           "a: &b\nc: d\n",
           "a: &b &c d\n",
           "a: &b\n  *c\n",
           "[&a b]\n",
           "a: !!str 1\n",
           "? a\n: b\n",
           "%YAML 1.1\n---\na\n",
           "a:\tb\n",
           "a: b\t\n",
           "a: b\r\nc: d\r\n",
           "\xef\xbb\xbf"
           "a: b\n",
           "a: b\xc2\x85"
           "c: d\n",
           "a: \xe2\x80\xa8\n",
           "--- a\n",
           "--- |\n a\n",
           "[a: b]\n",
           "{a, b}\n",
           "[a\n b]\n",
           "[a]: b\n",
           "- {a: b}: c\n",
           "[[a]: b]\n",
           "a:\n|\n  b\n",
           "a: |\n  b",
           "a: b\n  ",
           "a: b\n  # c",
           "- a: '\n'",
           "",
       }) {
    expect_declined(text);
  }
  expect_declined(std::string(1100, 'a') + ": b\n");
}

TEST(YamlScanner, LeavesErrorsToLibyaml) {
  for (const std::string_view text : {
           "a: b: c\n",        "a:\n    b: c\n  d: e\n",
           "a: b\n - c\nd\n",  "- a\nb: c\n",
           "a: 'b\n",          "a: \"b\\q\"\n",
           "a: \"\\ud800\"\n", "a: [b\n",
           "a: {b: c]\n",      "a: [b] c\n",
           "a: 'b' c\n",       "a: 'b\n---\nc'\n",
           "[a\n---\n]\n",     "a: |x\n  b\n",
           "a: |\n \tb\n",     "a: |\n     \n  b\n",
           "a: [\n- b\n",      "a: @b\n",
           "a: - b\n",         "a: \xff\n",
           "a: \x01\n",        "a: b\n...\nc: d\n",
           "[]_:\n",           "[,]\n",
           "a: b\n%\n",
       }) {
    expect_declined(text);
    EXPECT_TRUE(libyaml_trace(text).error) << text;
  }
}

TEST(YamlScanner, StopsWhereLibyamlTiresOfBrackets) {
  const std::string text = "[[a, b], c]\n";
  for (std::uint64_t budget = 0; budget < 20; ++budget) {
    YamlScanner scanner(text, budget);
    LibyamlParser libyaml(text, YamlSchema::kKubernetes, {.flow_budget = budget});
    YamlEvent event;
    YamlEvent want;
    std::size_t scanned = 0;
    std::size_t wanted = 0;
    while (scanner.next(event) && ++scanned < 100 && event.kind != YamlEventKind::kStreamEnd) {
    }
    while (libyaml.next(want) && ++wanted < 100 && want.kind != YamlEventKind::kStreamEnd) {
    }
    EXPECT_EQ(scanned, wanted) << budget;
  }
}

// A document among many that only libyaml can read: what stands before and behind it is scanned,
// and positions and errors are those in the whole text.
TEST(YamlParser, ChangesHandsBetweenDocuments) {
  const std::string text =
      "a: ä\n---\n? b\n: [1, 2]\nc: 3\n---\nd: 3\n---\n# e\nf: !!str 4\n...\n---\ng: 5\n";
  EXPECT_EQ(check_scanner(text).fault, "");
  ReadOptions options;
  options.positions = true;
  YamlReader reader(text, options);
  std::string met;
  for (auto document = reader.next(); document && *document; document = reader.next()) {
    met += fmt::format("{}@{}:{} ", to_json((*document)->root()), (*document)->start().offset,
                       (*document)->start().line);
  }
  EXPECT_EQ(met, R"({"a":"ä"}@0:1 {"b":[1,2],"c":3}@10:3 {"d":3}@32:7 {"f":"4"}@45:10 )"
                 R"({"g":5}@64:13 )");
  const std::string broken = text + "---\nh: [i\n---\nj: k\n";
  EXPECT_EQ(check_scanner(broken).fault, "");
}

TEST(YamlParser, GivesTheErrorOfTheWholeText) {
  const std::string text = "a: b\n---\nc: 'd\n\n---\ne: f\n";
  YamlParser parser(text, {});
  YamlEvent event;
  while (parser.next(event)) {
  }
  const Error error = parser.take_error();
  EXPECT_EQ(error.message(), "yaml: line 5: found unexpected document indicator");
  EXPECT_EQ(error.position()->offset, 16u);
  EXPECT_EQ(error.position()->line, 5u);
}

// Texts put together from pieces that matter to the grammar.
TEST(YamlScanner, AgreesWithLibyamlOnRandomTexts) {
  constexpr std::string_view kPieces[] = {
      "a",     "b c",    ": ",      ":",   ":\n",    "\n",       "\n  ",     "\n    ", "- ",
      "\n- ",  "\n  - ", " # x",    "#",   "'",      "\"",       "|\n",      ">-\n",   "|2\n",
      "[",     "]",      "{",       "}",   ", ",     ",",        "\\n",      "\\\n",   "'d'",
      "\"e\"", "---",    "\n---\n", "...", "\t",     "é",        "  ",       "?",      "&a ",
      "*a",    "!t ",    "\n\n",    "1",   "k: v\n", "- k: v\n", "  k: v\n", "%"};
  constexpr std::uint32_t kSeed = 20240611;
  std::mt19937 random(kSeed);
  std::size_t whole = 0;
  constexpr int kTexts = 20'000;
  for (int i = 0; i < kTexts; ++i) {
    std::string text;
    for (auto left = random() % 14; left > 0; --left)
      text += kPieces[random() % std::size(kPieces)];
    const ScannerCheck check = check_scanner(text);
    ASSERT_EQ(check.fault, "") << "seed " << kSeed << ", text " << i << ":\n" << text;
    whole += check.whole ? 1 : 0;
  }
  EXPECT_GT(whole, kTexts / 100);
}

}  // namespace
}  // namespace strake::value::internal
