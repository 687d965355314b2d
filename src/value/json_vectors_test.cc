// The JSON parsing suite: files named y_ are accepted, n_ refused, and those left open go the way
// Go's encoding/json goes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "support/vectors.h"
#include "value/builder.h"
#include "value/json_reader.h"
#include "value/json_writer.h"

namespace strake::value {
namespace {

namespace fs = std::filesystem;

ReadOptions like_go() {
  ReadOptions options = ReadOptions::as_api_server();
  options.limits.bytes = 1 << 30;
  return options;
}

// Feeds the text in chunks of the given size and builds a document from the events.
Result<Document> read_chunked(std::string_view text, std::size_t chunk_bytes,
                              std::size_t first_chunk, const ReadOptions& options) {
  DocumentBuilder builder(options);
  JsonPushParser parser(builder, options);
  auto step = [&](Result<> fed) -> Result<> {
    if (!fed && builder.error()) return std::unexpected(*builder.error());
    return fed;
  };
  std::string_view rest = text;
  std::size_t size = first_chunk;
  while (!rest.empty()) {
    // A copy of its own, so that a sanitizer sees any read beyond the chunk.
    const std::string chunk(rest.substr(0, size));
    STRAKE_CHECK(step(parser.feed(chunk)));
    rest.remove_prefix(chunk.size());
    size = chunk_bytes;
  }
  STRAKE_CHECK(step(parser.finish()));
  return builder.take();
}

struct Case {
  std::string name;
  std::string text;
  bool accepted = false;
  std::string reencoded;  // what Go prints, for the files left open
};

std::vector<Case> load_cases(const fs::path& folder) {
  const std::string verdicts = testing::read_file(folder / "go-verdicts.json");
  const Document go = read_json(verdicts).value();
  std::vector<Case> cases;
  for (const auto& entry : fs::directory_iterator(folder / "test_parsing")) {
    Case c{.name = entry.path().filename(), .text = testing::read_file(entry.path())};
    if (const Value* verdict = go.root().find(c.name)) {
      c.accepted = verdict->find("ok")->as_bool();
      if (const Value* text = verdict->find("reencoded")) c.reencoded = text->as_string();
    } else {
      EXPECT_NE(c.name[0], 'i') << c.name << " has no verdict";
      c.accepted = c.name[0] == 'y';
    }
    cases.push_back(std::move(c));
  }
  std::sort(cases.begin(), cases.end(),
            [](const Case& a, const Case& b) { return a.name < b.name; });
  return cases;
}

std::string json_or_error(const Result<Document>& read) {
  return read ? to_json(read->root()) : "error: " + read.error().to_string();
}

TEST(JsonSuite, IsReadAsGoReadsIt) {
  STRAKE_REQUIRE_VECTORS(folder, "json");
  const std::vector<Case> cases = load_cases(folder);
  EXPECT_EQ(cases.size(), testing::count_in(folder, 318u, 16u));
  for (const Case& c : cases) {
    const Result<Document> read = read_json(c.text, like_go());
    EXPECT_EQ(read.has_value(), c.accepted) << c.name << ": " << json_or_error(read);
    if (read && !c.reencoded.empty()) {
      // Go reads every number as a double here; ours prints the same text.
      EXPECT_EQ(to_json(read->root()), c.reencoded) << c.name;
    }
    if (!read) EXPECT_TRUE(read.error().position().has_value()) << c.name;
  }
}

TEST(JsonSuite, IsReadTheSameAtEveryChunkBoundary) {
  STRAKE_REQUIRE_VECTORS(folder, "json");
  for (const Case& c : load_cases(folder)) {
    const std::string whole = json_or_error(read_json(c.text, like_go()));
    EXPECT_EQ(json_or_error(read_chunked(c.text, 1, 1, like_go())), whole)
        << c.name << " byte by byte";
    const std::size_t step = c.text.size() > 4096 ? c.text.size() / 64 : 1;
    for (std::size_t cut = 0; cut <= c.text.size(); cut += step) {
      EXPECT_EQ(json_or_error(read_chunked(c.text, c.text.size() + 1, std::max<std::size_t>(cut, 1),
                                           like_go())),
                whole)
          << c.name << " cut at " << cut;
    }
  }
}

}  // namespace
}  // namespace strake::value
