#pragma once
// What is directly in a folder.
#include <filesystem>
#include <system_error>
#include <vector>

namespace strake::cli {

struct FolderEntries {
  std::vector<std::filesystem::directory_entry> entries;  // sorted by name
  std::error_code error;  // why there may be more; what was found before it is among the entries
};

FolderEntries entries_of(const std::filesystem::path& folder);

}  // namespace strake::cli
