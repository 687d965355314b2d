#pragma once
// Files that tests keep in memory, with symbolic links.
#include <map>
#include <string>
#include <utility>

#include "kustomize/file/file_tree.h"
#include "kustomize/file/paths.h"

namespace strake::kustomize {

class MapTree final : public FileTree {
 public:
  // Absolute paths; folders are where files are.
  explicit MapTree(std::map<std::string, std::string> files) : files_(std::move(files)) {}
  void add_link(std::string at, std::string to) { links_[std::move(at)] = std::move(to); }

  Result<Place> resolve(const std::string& path) const override {
    std::string done;
    std::string rest = clean_path(path);
    for (int hops = 0; hops < 1000; ++hops) {
      if (rest.empty() || rest == "/") {
        if (done.empty()) done = "/";
        return Place{done, !files_.contains(done)};
      }
      const std::size_t end = rest.find('/', 1);
      const std::string next = done + rest.substr(0, end);
      rest = end == std::string::npos ? std::string() : rest.substr(end);
      if (const auto link = links_.find(next); link != links_.end()) {
        rest = clean_path((is_absolute(link->second) ? link->second : done + "/" + link->second) +
                          rest);
        done.clear();
        continue;
      }
      if (!files_.contains(next) && !is_folder(next))
        return fail(Code::kNotFound, "lstat {}: no such file or directory", next);
      done = next;
    }
    return fail(Code::kIo, "too many links");
  }

  Result<std::string> read(const std::string& path, std::uint64_t limit) const override {
    STRAKE_TRY(const Place place, resolve(path));
    const auto found = files_.find(place.path);
    if (found == files_.end()) return fail(Code::kIo, "read {}: is a directory", path);
    if (found->second.size() > limit) return fail(Code::kLimit, "too large");
    return found->second;
  }

 private:
  bool is_folder(const std::string& path) const {
    const auto from = files_.lower_bound(path + "/");
    if (from != files_.end() && from->first.starts_with(path + "/")) return true;
    const auto link = links_.lower_bound(path + "/");
    return link != links_.end() && link->first.starts_with(path + "/");
  }

  std::map<std::string, std::string> files_;
  std::map<std::string, std::string> links_;
};

}  // namespace strake::kustomize
