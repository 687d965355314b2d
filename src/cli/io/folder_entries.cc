#include "cli/io/folder_entries.h"

#include <algorithm>

namespace strake::cli {

FolderEntries entries_of(const std::filesystem::path& folder) {
  FolderEntries out;
  std::filesystem::directory_iterator at(folder, out.error);
  for (; !out.error && at != std::filesystem::directory_iterator(); at.increment(out.error))
    out.entries.push_back(*at);
  std::ranges::sort(out.entries);
  return out;
}

}  // namespace strake::cli
