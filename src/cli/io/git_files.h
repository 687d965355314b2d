#pragma once
// Files as they were in a revision of the git repository around the current folder, read by the
// program git. Nothing is checked out, fetched or changed, and no shell is involved.
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace strake::cli {

struct GitFile {
  std::string name;  // below the current folder, as it would be named now: "crds/a.yaml"
  std::string text;
  bool named = false;  // it is the path that was asked for, not one below it
};

class GitRepository {
 public:
  // The repository of the current folder. Code::kUnsupported when there is no program git, kUsage
  // when the folder is in no repository.
  static Result<GitRepository> find();

  // The commit that a revision means ("main", "HEAD~3", "v1.2"). Code::kUsage when there is none.
  Result<std::string> commit(std::string_view revision) const;

  // The YAML and JSON files at a path as of a commit: a file by itself, or those below a folder, as
  // find_inputs would find them. A file that has another name now is found by its old one. None
  // when the path was not there. Code::kUsage for a path outside of the repository, kLimit for a
  // file of more than `limit` bytes.
  Result<std::vector<GitFile>> read(const std::string& commit, const std::string& path,
                                    std::uint64_t limit) const;

 private:
  explicit GitRepository(std::string top) : top_(std::move(top)) {}
  Result<std::string> path_from_top(const std::string& path) const;
  Result<std::string> old_name(const std::string& commit, const std::string& now) const;

  std::string top_;  // its work tree
};

}  // namespace strake::cli
