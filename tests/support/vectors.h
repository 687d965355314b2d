#pragma once
// Finds the recorded answers of real systems that tests compare with. They lie outside the
// repository, in $STRAKE_VECTORS or ../shared/vectors. Where they are absent, the same tests run
// over the small corpus in tests/corpus, which has the same layout.
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace strake::testing {

// The folder `name` of the recordings, or nothing when it is absent.
std::optional<std::filesystem::path> vectors(std::string_view name);

// The same, or else that folder of the corpus.
std::optional<std::filesystem::path> vectors_or_corpus(std::string_view name);

// Whether the folder belongs to the corpus.
bool is_corpus(const std::filesystem::path& folder);

// How many cases to expect, so that a test cannot pass by finding none: one number for the
// recordings, one for the corpus.
template <typename Count>
Count count_in(const std::filesystem::path& folder, Count recordings, Count corpus) {
  return is_corpus(folder) ? corpus : recordings;
}

// The whole file as bytes. Ends the test program with a clear message when it cannot be read.
std::string read_file(const std::filesystem::path& path);

}  // namespace strake::testing

// Use at the start of a test: names the folder of the recordings, or of the corpus. A folder that
// neither has leaves the test as skipped; tests/corpus/corpus_test.py fails on that.
#define STRAKE_REQUIRE_VECTORS(var, name)                                                   \
  const auto var##_found = ::strake::testing::vectors_or_corpus(name);                      \
  if (!var##_found) GTEST_SKIP() << "no recordings '" << (name) << "': set STRAKE_VECTORS"; \
  const std::filesystem::path& var = *var##_found
