#pragma once
// Files that tests keep in memory, with symbolic links.
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "kustomize/file/map_tree.h"
#include "ops/kom/files.h"

namespace strake::ops {

class MapKomFiles final : public KomFiles {
 public:
  // Absolute paths; folders are where files are.
  explicit MapKomFiles(std::map<std::string, std::string> files) : tree_(files) {
    for (const auto& [path, text] : files) paths_.insert(path);
  }
  void add_link(const std::string& at, std::string to) {
    tree_.add_link(at, std::move(to));
    paths_.insert(at);
  }

  Result<Place> resolve(const std::string& path) const override { return tree_.resolve(path); }
  Result<std::string> read(const std::string& path, std::uint64_t limit) const override {
    return tree_.read(path, limit);
  }
  Result<std::vector<std::string>> list(const std::string& folder,
                                        std::size_t most) const override {
    std::set<std::string> names;
    const std::string front = folder == "/" ? folder : folder + "/";
    for (const std::string& path : paths_)
      if (path.starts_with(front))
        names.insert(path.substr(front.size(), path.find('/', front.size()) - front.size()));
    if (names.size() > most) return fail(Code::kLimit, "{}: more than {} files", folder, most);
    return std::vector<std::string>(names.begin(), names.end());
  }

 private:
  kustomize::MapTree tree_;
  std::set<std::string> paths_;
};

}  // namespace strake::ops
