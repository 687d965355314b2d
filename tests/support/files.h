#pragma once
// The files that a test is to go through.
#include <algorithm>
#include <filesystem>
#include <string_view>
#include <vector>

namespace strake::testing {

// Those directly in the folder whose name ends in this (".json"), sorted, so that failures come in
// the same order everywhere.
inline std::vector<std::filesystem::path> files_in(const std::filesystem::path& folder,
                                                   std::string_view extension) {
  std::vector<std::filesystem::path> out;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() == extension) out.push_back(entry.path());
  }
  std::ranges::sort(out);
  return out;
}

}  // namespace strake::testing
