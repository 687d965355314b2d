#pragma once
// Files that tests keep in memory. A folder is where files are.
#include <map>
#include <set>
#include <string>
#include <utility>

#include "ops/compose/project_files.h"

namespace strake::ops::compose {

class MapFiles final : public ProjectFiles {
 public:
  MapFiles() = default;
  explicit MapFiles(std::map<std::string, std::string> files) : files_(std::move(files)) {}
  void add_link(std::string path) { links_.insert(std::move(path)); }

  Result<FileKind> kind(const std::string& path) const override {
    if (links_.contains(path)) return FileKind::kOther;
    if (files_.contains(path)) return FileKind::kFile;
    const auto below = files_.lower_bound(path + "/");
    const bool folder =
        path.empty() || (below != files_.end() && below->first.starts_with(path + "/"));
    return folder ? FileKind::kFolder : FileKind::kAbsent;
  }
  Result<std::string> read(const std::string& path, std::uint64_t limit) const override {
    const auto found = files_.find(path);
    if (found == files_.end() || links_.contains(path))
      return fail(Code::kNotFound, "{}: No such file or directory", path);
    if (found->second.size() > limit)
      return fail(Code::kLimit, "{}: more than {} bytes", path, limit);
    return found->second;
  }

 private:
  std::map<std::string, std::string> files_;
  std::set<std::string> links_;
};

}  // namespace strake::ops::compose
