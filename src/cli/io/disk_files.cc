#include "cli/io/disk_files.h"

#include <glob.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <set>

#include "base/input_file.h"
#include "cli/io/files.h"
#include "cli/io/folder_entries.h"
#include "validate/phrases.h"

namespace strake::cli {
namespace {

namespace fs = std::filesystem;

bool is_document_name(std::string_view name) {
  if (name.ends_with(".gz")) name.remove_suffix(3);
  return is_document_file(name);
}

std::unexpected<Error> io_error(std::string_view name, std::string_view what) {
  return std::unexpected(Error(Code::kIo, std::string(what)).in(std::string(name)));
}

// A link that leads nowhere is no reason to think that there was nothing to check.
bool is_dangling(const fs::directory_entry& entry) {
  std::error_code error;
  return entry.is_symlink(error) && !entry.exists(error);
}

// Walks a folder. What cannot be read is among the names as well: a folder that does not open, a
// dangling link.
class Walk {
 public:
  explicit Walk(const PathPatterns& exclude) : exclude_(exclude) {}

  Result<FoundFiles> run(const fs::path& folder) && {
    pending_ = {{.path = folder}};
    while (!pending_.empty()) {
      const Folder current = std::move(pending_.back());
      pending_.pop_back();
      look_into(current);
    }
    if (found_.names.empty() && found_.passed_over.empty() && !excluded_)
      return io_error(folder.string(), validate::say(validate::Phrase::kNoDocumentFiles));
    pass_over_patches();
    std::ranges::sort(found_.names);
    std::ranges::sort(found_.passed_over, {}, &FoundFiles::PassedOver::name);
    return std::move(found_);
  }

 private:
  struct Folder {
    fs::path path;
    bool templates = false;  // of a Helm chart
  };

  void look_into(const Folder& folder) {
    const auto [entries, error] = entries_of(folder.path);
    // Whoever reads it is told why it cannot be.
    if (error) found_.names.push_back(folder.path.string());
    const bool is_chart = std::ranges::any_of(entries, [](const fs::directory_entry& one) {
      return one.path().filename() == "Chart.yaml";
    });
    for (const fs::directory_entry& one : entries) {
      if (!one.path().filename().string().starts_with('.')) look_at(one, folder, is_chart);
    }
  }

  void look_at(const fs::directory_entry& entry, const Folder& folder, bool in_chart) {
    const std::string name = entry.path().filename().string();
    std::error_code gone;  // an entry that vanishes meanwhile is passed over
    if (entry.is_directory(gone) && !entry.is_symlink(gone)) {
      if (validate::is_foreign_folder(name) || is_excluded(entry)) return;
      pending_.push_back({.path = entry.path(),
                          .templates = folder.templates || (in_chart && name == "templates")});
      return;
    }
    if (!is_document_name(name)) return;
    const bool special = !special_kind(entry.path().string()).empty();
    if (!(special || entry.is_regular_file(gone) || is_dangling(entry)) || is_excluded(entry))
      return;
    validate::NotManifest what = validate::known_file(name);
    if (folder.templates) what = validate::NotManifest::kHelmTemplate;
    if (in_chart && validate::is_chart_values(name)) what = validate::NotManifest::kHelmValues;
    if (special) what = validate::NotManifest::kNoFile;
    if (what == validate::NotManifest::kNo) {
      found_.names.push_back(entry.path().string());
    } else {
      found_.passed_over.push_back({entry.path().string(), what});
    }
  }

  // What kustomizations of the folder take as patches.
  void pass_over_patches() {
    constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 20;
    std::set<fs::path> patches;
    for (const FoundFiles::PassedOver& one : found_.passed_over) {
      if (one.what != validate::NotManifest::kKustomization) continue;
      const auto file = InputFile::open(one.name, Pipes::kRefused);
      const auto text = file ? file->read_all(kMostBytes) : Result<std::string>();
      for (const std::string& patch : validate::patches_of(text.value_or("")))
        patches.insert((fs::path(one.name).parent_path() / patch).lexically_normal());
    }
    if (patches.empty()) return;
    std::erase_if(found_.names, [&](const std::string& name) {
      if (!patches.contains(fs::path(name).lexically_normal())) return false;
      found_.passed_over.push_back({name, validate::NotManifest::kPatch});
      return true;
    });
  }

  bool is_excluded(const fs::directory_entry& entry) {
    const bool out = exclude_.match_last(entry.path());
    excluded_ = excluded_ || out;
    return out;
  }

  const PathPatterns& exclude_;
  std::vector<Folder> pending_;
  FoundFiles found_;
  bool excluded_ = false;  // something was
};

Result<std::vector<std::string>> matches_of(const std::string& pattern) {
  glob_t matches = {};
  const int state = ::glob(pattern.c_str(), GLOB_BRACE, nullptr, &matches);
  std::vector<std::string> found;
  for (std::size_t i = 0; state == 0 && i < matches.gl_pathc; ++i)
    found.emplace_back(matches.gl_pathv[i]);
  ::globfree(&matches);
  if (found.empty()) return io_error(pattern, validate::say(validate::Phrase::kNoFileMatches));
  std::ranges::sort(found);
  return found;
}

}  // namespace

Result<> DiskFiles::take_input(std::uint64_t limit) {
  STRAKE_TRY(input_, io_.in.read_all(limit));
  return {};
}

Result<std::vector<std::string>> DiskFiles::find(std::string_view operand) const {
  STRAKE_TRY(FoundFiles found, find_manifests(operand, PathPatterns()));
  std::erase_if(found.passed_over, [](const FoundFiles::PassedOver& one) {
    return one.what == validate::NotManifest::kNoFile;
  });
  for (FoundFiles::PassedOver& one : found.passed_over) found.names.push_back(std::move(one.name));
  if (!found.passed_over.empty()) std::ranges::sort(found.names);
  return std::move(found.names);
}

Result<FoundFiles> DiskFiles::find_manifests(std::string_view operand,
                                             const PathPatterns& exclude) const {
  const std::string name(operand);
  if (operand == "-") return FoundFiles{.names = {name}, .passed_over = {}, .named = true};
  struct stat status = {};
  const int reason = ::stat(name.c_str(), &status) == 0 ? 0 : errno;
  if (reason == 0) {
    if (S_ISDIR(status.st_mode)) return Walk(exclude).run(name);
    return FoundFiles{.names = {name}, .passed_over = {}, .named = true};
  }
  // A file of that very name comes first, whatever signs its name has.
  if (operand.find_first_of("*?[{") == std::string_view::npos)
    return io_error(name, validate::say(validate::Phrase::kCannotOpen, std::strerror(reason)));
  STRAKE_TRY(const std::vector<std::string> matches, matches_of(name));
  FoundFiles found;
  for (const std::string& match : matches) {
    std::error_code error;
    if (exclude.match(match)) continue;
    if (fs::is_directory(match, error)) {
      STRAKE_TRY(FoundFiles below, Walk(exclude).run(match));
      std::ranges::move(below.names, std::back_inserter(found.names));
      std::ranges::move(below.passed_over, std::back_inserter(found.passed_over));
    } else if (!special_kind(match).empty()) {
      found.passed_over.push_back({match, validate::NotManifest::kNoFile});
    } else if (const auto what = validate::known_file(match); what != validate::NotManifest::kNo) {
      found.passed_over.push_back({match, what});
    } else {
      found.names.push_back(match);
    }
  }
  return found;
}

Result<std::string> DiskFiles::read(const std::string& name, std::uint64_t limit) const {
  if (name == "-") return input_;
  return read_input(name, limit, io_);
}

}  // namespace strake::cli
