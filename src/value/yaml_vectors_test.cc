// YAML as go-yaml read and wrote it.
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "support/vectors.h"
#include "value/fields.h"
#include "value/json_reader.h"
#include "value/json_writer.h"
#include "value/yaml_reader.h"
#include "value/yaml_scanner_check.h"
#include "value/yaml_writer.h"

namespace strake::value {
namespace {

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
    const std::string yaml(text_of(c, "yaml"));
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
  EXPECT_GE(cases, testing::count_in(folder, 147u, 19u));
}

TEST(YamlVectors, RefuseDuplicateKeysWhenStrict) {
  STRAKE_REQUIRE_VECTORS(folder, "yaml");
  const Document all = recordings(folder);
  std::size_t cases = 0;
  for (const Value& c : all.root().find("read")->items()) {
    if (c.find("strictError") == nullptr) continue;
    const std::string yaml(text_of(c, "yaml"));
    SCOPED_TRACE(yaml);
    ++cases;
    const Result<Document> document = read_yaml(yaml);
    // go-yaml also calls it a duplicate when a key overrides one that << brought in, which is
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
  EXPECT_GE(cases, testing::count_in(folder, 5u, 2u));
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
  EXPECT_GE(cases, testing::count_in(folder, 120u, 14u));
}

// Every file in the folder that is written in YAML.
std::vector<std::string> yaml_texts(const std::filesystem::path& folder) {
  std::set<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    const auto extension = entry.path().extension();
    if (entry.is_regular_file() && (extension == ".yaml" || extension == ".yml"))
      paths.insert(entry.path());
  }
  std::vector<std::string> texts;
  for (const auto& path : paths) texts.push_back(testing::read_file(path));
  return texts;
}

// A few bytes of the text removed, doubled, swapped for an indicator or cut off.
std::string mutated(std::string_view text, std::mt19937& random) {
  // A part with whole lines is enough, and keeps the test fast.
  const std::size_t start = text.rfind('\n', random() % text.size()) + 1;  // npos becomes 0
  std::string out(text.substr(start, 200 + random() % 800));
  for (auto changes = random() % 4 + 1; changes > 0 && !out.empty(); --changes) {
    const std::size_t at = random() % out.size();
    constexpr std::string_view kIndicators = "\n\n   ::--#'\"|>[]{},&*!?%\t\\a\xc3";
    switch (random() % 4) {
      case 0: out.erase(at, random() % 4 + 1); break;
      case 1: out.insert(at, std::string(out, at, random() % 20)); break;
      case 2: out[at] = kIndicators[random() % kIndicators.size()]; break;
      default: out.insert(at, 1, kIndicators[random() % kIndicators.size()]); break;
    }
  }
  return out;
}

void expect_scanned(const std::filesystem::path& folder, double least_share) {
  std::size_t bytes = 0;
  std::size_t scanned = 0;
  constexpr std::uint32_t kSeed = 1;
  std::mt19937 random(kSeed);
  const std::vector<std::string> texts = yaml_texts(folder);
  for (const std::string& text : texts) {
    const internal::ScannerCheck check = internal::check_scanner(text);
    ASSERT_EQ(check.fault, "") << text;
    bytes += text.size();
    scanned += check.whole ? text.size() : 0;
    for (int i = 0; i < 8 && !text.empty(); ++i) {
      const std::string other = mutated(text, random);
      ASSERT_EQ(internal::check_scanner(other).fault, "") << "seed " << kSeed << ":\n" << other;
    }
  }
  EXPECT_GE(texts.size(), testing::count_in(folder, 100u, 2u));
  EXPECT_GE(static_cast<double>(scanned), least_share * static_cast<double>(bytes))
      << scanned << " of " << bytes << " bytes";
}

TEST(YamlVectors, DefinitionsAreScannedFast) {
  STRAKE_REQUIRE_VECTORS(folder, "crds");
  expect_scanned(folder, 0.99);
}

TEST(YamlVectors, ResourcesAreScannedFast) {
  STRAKE_REQUIRE_VECTORS(folder, "crs");
  expect_scanned(folder, 0.99);
}

TEST(YamlVectors, OverlaysAreScannedFast) {
  STRAKE_REQUIRE_VECTORS(folder, "kustomize");
  expect_scanned(folder, 0.9);
}

TEST(YamlVectors, RecordedTextsAreScannedOrDeclined) {
  STRAKE_REQUIRE_VECTORS(folder, "yaml");
  const Document all = recordings(folder);
  std::size_t whole = 0;
  std::size_t cases = 0;
  for (const std::string_view list : {"read", "write"}) {
    for (const Value& c : all.root().find(list)->items()) {
      const std::string text(text_of(c, "yaml"));
      const internal::ScannerCheck check = internal::check_scanner(text);
      EXPECT_EQ(check.fault, "") << text;
      whole += check.whole ? 1 : 0;
      ++cases;
    }
  }
  EXPECT_GT(whole * 2, cases) << whole << " of " << cases;
}

}  // namespace
}  // namespace strake::value
