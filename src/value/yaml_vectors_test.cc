// YAML as the reference library read and wrote it.
#include <gtest/gtest.h>

#include <set>

#include "support/vectors.h"
#include "value/json_reader.h"
#include "value/json_writer.h"
#include "value/yaml_reader.h"
#include "value/yaml_writer.h"

namespace strake::value {
namespace {

std::string text_of(const Value& c, std::string_view key) {
  const Value* found = c.find(key);
  return found == nullptr ? std::string() : std::string(found->as_string());
}

Document recordings(const std::filesystem::path& folder) {
  return read_json(testing::read_file(folder / "kubernetes-yaml.json")).value();
}

// The line that a recorded message names; 0 for none.
int line_in(std::string_view message) {
  const std::size_t at = message.find("line ");
  return at == std::string_view::npos ? 0 : std::atoi(message.data() + at + 5);
}

TEST(YamlVectors, ReadAsTheReferenceReads) {
  STRAKE_REQUIRE_VECTORS(folder, "yaml");
  const Document all = recordings(folder);
  ReadOptions options;
  options.duplicates = DuplicatePolicy::kLastWins;
  options.numbers = NumberPolicy::kWide;
  std::size_t cases = 0;
  for (const Value& c : all.root().find("read")->items()) {
    const std::string yaml = text_of(c, "yaml");
    SCOPED_TRACE(yaml);
    const Result<Document> document = read_yaml(yaml, options);
    ++cases;
    if (c.find("error") == nullptr) {
      ASSERT_TRUE(document) << document.error().to_string();
      EXPECT_EQ(to_json(document->root()), text_of(c, "json"));
    } else {
      ASSERT_FALSE(document) << to_json(document->root());
      EXPECT_EQ(document.error().message(), text_of(c, "error"));
      EXPECT_EQ(document.error().code(), Code::kParse);
      EXPECT_TRUE(document.error().position());
    }
  }
  EXPECT_GE(cases, 147u);
}

TEST(YamlVectors, RefuseDuplicateKeysWhenStrict) {
  STRAKE_REQUIRE_VECTORS(folder, "yaml");
  const Document all = recordings(folder);
  std::size_t cases = 0;
  for (const Value& c : all.root().find("read")->items()) {
    if (c.find("strictError") == nullptr) continue;
    const std::string yaml = text_of(c, "yaml");
    SCOPED_TRACE(yaml);
    ++cases;
    const Result<Document> document = read_yaml(yaml);
    // The reference also calls it a duplicate when a key overrides one that << brought in, which is
    // what << is for.
    if (yaml.find("<<") != std::string::npos) {
      EXPECT_TRUE(document);
      continue;
    }
    ASSERT_FALSE(document);
    EXPECT_EQ(document.error().code(), Code::kParse);
    EXPECT_EQ(document.error().position()->line,
              static_cast<std::uint32_t>(line_in(text_of(c, "strictError"))));
  }
  EXPECT_GE(cases, 5u);
}

TEST(YamlVectors, AreWrittenByteForByte) {
  STRAKE_REQUIRE_VECTORS(folder, "yaml");
  const Document all = recordings(folder);
  std::size_t cases = 0;
  for (const Value& c : all.root().find("write")->items()) {
    const Result<Document> document = read_json(text_of(c, "json"));
    ASSERT_TRUE(document);
    EXPECT_EQ(to_yaml(document->root()), text_of(c, "yaml")) << text_of(c, "json");
    ++cases;
  }
  EXPECT_GE(cases, 120u);
}

}  // namespace
}  // namespace strake::value
