#pragma once
// Finds the recorded answers of real systems that tests compare with. They lie outside the
// repository, in $STRAKE_VECTORS or ../shared/vectors; a test that finds none says so and is
// skipped.
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace strake::testing {

// The folder `name` of the recordings, or nothing when it is absent.
std::optional<std::filesystem::path> vectors(std::string_view name);

// The whole file as bytes. Ends the test program with a clear message when it cannot be read.
std::string read_file(const std::filesystem::path& path);

}  // namespace strake::testing

// Use at the start of a test: leaves the test as skipped, saying why, when the recordings are
// absent.
#define STRAKE_REQUIRE_VECTORS(var, name)                                                   \
  const auto var##_found = ::strake::testing::vectors(name);                                \
  if (!var##_found) GTEST_SKIP() << "no recordings '" << (name) << "': set STRAKE_VECTORS"; \
  const std::filesystem::path& var = *var##_found
