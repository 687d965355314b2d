#include "cli/disk_files.h"

#include <glob.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "cli/files.h"

namespace strake::cli {
namespace {

namespace fs = std::filesystem;

bool is_document_name(std::string_view name) {
  constexpr std::array<std::string_view, 5> kExtensions = {".yaml", ".yml", ".json", ".ndjson",
                                                           ".jsonl"};
  if (name.ends_with(".gz")) name.remove_suffix(3);
  return std::ranges::any_of(kExtensions,
                             [&](std::string_view extension) { return name.ends_with(extension); });
}

std::unexpected<Error> io_error(std::string_view name, std::string_view what) {
  return std::unexpected(Error(Code::kIo, std::string(what)).in(std::string(name)));
}

// A link that leads nowhere is no reason to think that there was nothing to check.
bool is_dangling(const fs::directory_entry& entry) {
  std::error_code error;
  return entry.is_symlink(error) && !entry.exists(error);
}

// What cannot be read is among the names as well: a folder that does not open, a dangling link.
Result<std::vector<std::string>> documents_below(const fs::path& folder) {
  std::vector<std::string> found;
  std::vector<fs::path> pending = {folder};
  while (!pending.empty()) {
    const fs::path current = std::move(pending.back());
    pending.pop_back();
    std::error_code error;
    fs::directory_iterator entry(current, error);
    for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
      const std::string name = entry->path().filename().string();
      if (name.starts_with('.')) continue;
      std::error_code gone;  // an entry that vanishes meanwhile is passed over
      if (entry->is_directory(gone) && !entry->is_symlink(gone)) {
        pending.push_back(entry->path());
      } else if (is_document_name(name) && (entry->is_regular_file(gone) || is_dangling(*entry))) {
        found.push_back(entry->path().string());
      }
    }
    // Whoever reads it is told why it cannot be.
    if (error) found.push_back(current.string());
  }
  if (found.empty()) return io_error(folder.string(), "no YAML or JSON files in this folder");
  std::ranges::sort(found);
  return found;
}

Result<std::vector<std::string>> matches_of(const std::string& pattern) {
  glob_t matches = {};
  const int state = ::glob(pattern.c_str(), GLOB_BRACE, nullptr, &matches);
  std::vector<std::string> found;
  for (std::size_t i = 0; state == 0 && i < matches.gl_pathc; ++i)
    found.emplace_back(matches.gl_pathv[i]);
  ::globfree(&matches);
  if (found.empty()) return io_error(pattern, "no file matches");
  std::ranges::sort(found);
  return found;
}

}  // namespace

Result<> DiskFiles::take_input(std::uint64_t limit) {
  STRAKE_TRY(input_, io_.in.read_all(limit));
  return {};
}

Result<std::vector<std::string>> DiskFiles::find(std::string_view operand) const {
  const std::string name(operand);
  if (operand == "-") return std::vector{name};
  struct stat status = {};
  const int reason = ::stat(name.c_str(), &status) == 0 ? 0 : errno;
  if (reason == 0) return S_ISDIR(status.st_mode) ? documents_below(name) : std::vector{name};
  // A file of that very name comes first, whatever signs its name has.
  if (operand.find_first_of("*?[{") != std::string_view::npos) {
    STRAKE_TRY(const std::vector<std::string> matches, matches_of(name));
    std::vector<std::string> found;
    for (const std::string& match : matches) {
      std::error_code error;
      if (!fs::is_directory(match, error)) {
        found.push_back(match);
        continue;
      }
      STRAKE_TRY(const std::vector<std::string> below, documents_below(match));
      found.insert(found.end(), below.begin(), below.end());
    }
    return found;
  }
  return io_error(name, fmt::format("cannot open: {}", std::strerror(reason)));
}

Result<std::string> DiskFiles::read(const std::string& name, std::uint64_t limit) const {
  if (name == "-") return input_;
  return read_input(name, limit, io_);
}

}  // namespace strake::cli
