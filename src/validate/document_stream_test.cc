#include "validate/document_stream.h"

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

}  // namespace
}  // namespace strake::validate
