#include "cli/io/documents.h"

#include <gtest/gtest.h>

#include "value/json_writer.h"

namespace strake::cli {
namespace {

Format format_of(std::string_view text, std::string_view name) {
  const auto documents = read_documents(text, name, {});
  EXPECT_TRUE(documents) << (documents ? "" : documents.error().to_string());
  return documents ? documents->format : Format::kYaml;
}

TEST(ReadDocuments, GoesByTheExtensionFirst) {
  EXPECT_EQ(format_of("{}", "a.yaml"), Format::kYaml);
  EXPECT_EQ(format_of("{}", "a.yml"), Format::kYaml);
  EXPECT_EQ(format_of("{}", "a.json"), Format::kJson);
  EXPECT_EQ(format_of("{}\n{}\n", "a.json"), Format::kJson);
  EXPECT_EQ(format_of("{}", "a.ndjson"), Format::kNdjson);
  EXPECT_EQ(format_of("{}", "a.jsonl"), Format::kNdjson);
}

TEST(ReadDocuments, GoesByTheContentWhenTheNameSaysNothing) {
  EXPECT_EQ(format_of("a: b\n", "-"), Format::kYaml);
  EXPECT_EQ(format_of("", "-"), Format::kYaml);
  EXPECT_EQ(format_of(" \n{\"a\": 1}", "-"), Format::kJson);
  EXPECT_EQ(format_of("[\n1]\n", "manifest"), Format::kJson);
  EXPECT_EQ(format_of("{a: b}\n", "-"), Format::kYaml);
}

TEST(ReadDocuments, TakesSeveralJsonDocumentsForNdjsonOnlyWhenEachHasALine) {
  EXPECT_EQ(format_of("{\"a\": 1}\n\n{\"b\": 2}\n", "-"), Format::kNdjson);
  EXPECT_EQ(format_of("{\n\"a\": 1}\n{\"b\": 2}\n", "-"), Format::kJson);
  EXPECT_EQ(format_of("{} {}\n", "-"), Format::kJson);
}

TEST(ReadDocuments, ReadsEveryDocumentOfTheText) {
  const auto documents = read_documents("a: 1\n---\nb: 2\n...\n---\nc: 3\n", "x.yaml", {});
  ASSERT_TRUE(documents);
  ASSERT_EQ(documents->items.size(), 3u);
  EXPECT_EQ(value::to_json(documents->items[2].root()), "{\"c\":3}");
}

TEST(ReadDocuments, NamesTheFileInItsErrors) {
  const auto documents = read_documents("{\"a\": }", "x.json", {});
  ASSERT_FALSE(documents);
  EXPECT_EQ(documents.error().source(), "x.json");
  ASSERT_TRUE(documents.error().position());
  EXPECT_EQ(documents.error().position()->line, 1u);
}

TEST(ReadDocuments, TellsTheJsonErrorWhenATextIsNeitherJsonNorYaml) {
  const auto json = read_documents("{\"a\": [}", "x.json", {});
  const auto guessed = read_documents("{\"a\": [}", "-", {});
  ASSERT_FALSE(json);
  ASSERT_FALSE(guessed);
  EXPECT_EQ(guessed.error().message(), json.error().message());
}

}  // namespace
}  // namespace strake::cli
