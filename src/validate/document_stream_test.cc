#include "validate/document_stream.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "value/json_writer.h"

namespace strake::validate {
namespace {

// The documents as JSON, one after the other; an error ends them.
std::string all(std::string_view text, std::string name = "") {
  value::ReadOptions options;
  options.source_name = std::move(name);
  DocumentStream stream(text, options);
  std::string out;
  while (true) {
    auto next = stream.next();
    if (!next) return out + "!" + std::string(to_string(next.error().code()));
    if (!*next) return out;
    out += value::to_json((*next)->root());
  }
}

TEST(DocumentStream, ReadsEveryFormatByItsContent) {
  EXPECT_EQ(all("a: 1\n---\nb: 2\n"), R"({"a":1}{"b":2})");
  EXPECT_EQ(all("{\"a\":1}\n{\"b\":2}\n"), R"({"a":1}{"b":2})");
  EXPECT_EQ(all("{\"a\":1}{\"b\":2}"), R"({"a":1}{"b":2})");
  EXPECT_EQ(all("[1,2]"), "[1,2]");
  EXPECT_EQ(all(""), "");
}

TEST(DocumentStream, TakesAFlowMappingForYaml) {
  EXPECT_EQ(all("{a: 1}\n"), R"({"a":1})");
  EXPECT_EQ(all("{a: 1}\n---\n{b: 2}\n", "x.yaml"), R"({"a":1}{"b":2})");
}

TEST(DocumentStream, TakesJsonInAYamlFileWithItsTabs) {
  EXPECT_EQ(all("{\n\t\"a\": 1\n}\n", "x.yaml"), R"({"a":1})");
}

TEST(DocumentStream, GoesOnAsYamlBehindADocumentInJsonStyle) {
  EXPECT_EQ(all("{}\n---\na: 4\n"), R"({}{"a":4})");
  EXPECT_EQ(all("{\"a\":1}\n---\nb: 2\n---\nc: 3\n", "x.yaml"), R"({"a":1}{"b":2}{"c":3})");
}

TEST(DocumentStream, DoesNotTakeBrokenJsonForYaml) {
  EXPECT_EQ(all(R"({"a": })"), "!parse error");
  EXPECT_EQ(all("{a: 1}", "x.json"), "!parse error");
}

TEST(DocumentStream, GivesWhatStandsBeforeAnError) {
  EXPECT_EQ(all("{\"a\":1}\n{\"b\":\n"), "{\"a\":1}!parse error");
  EXPECT_EQ(all("a: 1\n---\nb: [\n"), "{\"a\":1}!parse error");
}

TEST(DocumentStream, TakesJsonDocumentsThatAreDividedAsThoseOfYaml) {
  EXPECT_EQ(all("{\"a\":1}\n---\n{\"b\":2}\n---\n{\"c\":3}", "-"), R"({"a":1}{"b":2}{"c":3})");
  EXPECT_EQ(all("{\"a\":1}\n---\n{\"b\":2}", "x.json"), "{\"a\":1}!parse error");
}

std::string place_of_error(std::string_view text) {
  DocumentStream stream(text, {});
  const auto next = stream.next();
  if (next) return "none";
  const Position at = next.error().position().value_or(Position{.line = 0, .column = 0});
  return fmt::format("{}:{}+{}", at.line, at.column, at.offset);
}

TEST(DocumentStream, PutsWhatIsMissingAtTheEndBehindTheLastSign) {
  EXPECT_EQ(place_of_error("x: ["), "1:5+4");
  EXPECT_EQ(place_of_error("x: [\n\n"), "1:5+4");
  EXPECT_EQ(place_of_error("a: 1\nb: {\xc3\xa4: 1\n"), "2:9+14");
  EXPECT_EQ(place_of_error("{\"a\":\n"), "1:6+5");
}

// The documents with the lines on which they stand; errors with theirs.
std::string with_lines(std::string_view text) {
  value::ReadOptions options;
  options.positions = true;
  DocumentStream stream(text, options);
  std::string out;
  while (true) {
    auto next = stream.next();
    if (next && !*next) return out;
    if (next) {
      out += fmt::format("{}@{} ", value::to_json((*next)->root()),
                         (*next)->position(FieldPath()).line);
      continue;
    }
    out += fmt::format("!{} ", next.error().position()->line);
    if (!stream.skip_broken(next.error())) return out + "end";
  }
}

TEST(DocumentStream, GoesOnBehindABrokenDocument) {
  EXPECT_EQ(with_lines("a: 1\n---\nb: [\n---\nc: 3\n---\nd: 4\n"),
            R"({"a":1}@1 !4 {"c":3}@5 {"d":4}@7 )");
  EXPECT_EQ(with_lines("a: b: c\n---\nc: 3\n"), R"(!1 {"c":3}@3 )");
  EXPECT_EQ(with_lines("--- {\n---\nc: \"x\n---\nd: 4\n"), R"(!2 !4 {"d":4}@5 )");
  EXPECT_EQ(with_lines("a: 1\n---\nb: [\n"), R"({"a":1}@1 !3 end)");
  EXPECT_EQ(with_lines("{\"a\":\n}\n"), "!2 end");
}

}  // namespace
}  // namespace strake::validate
