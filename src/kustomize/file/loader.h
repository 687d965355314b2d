#pragma once
// Reads the files of one kustomization, from its root and no further unless that is allowed, and
// opens the kustomizations it names. A loader knows the loaders that led to it, so that no circle
// goes unnoticed.
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "kustomize/file/file_tree.h"
#include "kustomize/file/remote.h"

namespace strake::kustomize {

struct LoaderServices {
  const FileTree* files = nullptr;
  Remote* remote = nullptr;  // may be null
  bool root_only = true;     // local roots may read nothing outside
  std::uint64_t most_bytes = std::uint64_t{1} << 30;
};

class Loader {
 public:
  // A folder, or a URL of one. A relative path starts at `working_folder`.
  static Result<std::unique_ptr<Loader>> open(const LoaderServices& services,
                                              std::string_view target,
                                              std::string_view working_folder);

  const std::string& root() const { return root_; }
  // Where the files of this root come from, when not from here.
  const RepoSpec* repo() const { return repo_ ? &*repo_ : nullptr; }

  // A base or component of this kustomization.
  Result<std::unique_ptr<Loader>> open_below(std::string_view path) const;
  // A file, or what a URL names. `http_failed` tells a URL that answered with an error from others.
  Result<std::string> load(std::string_view path, bool* http_failed = nullptr) const;
  // Whether there is such a folder, anywhere.
  bool is_folder(const std::string& path) const;
  // A path that other programs are given: no restriction, but in a clone it must not lead out of
  // the clone. Code::kForbidden.
  Result<> check_outside_path(const std::string& path) const;
  // The path under which messages and origins know the file.
  std::string full_path(std::string_view path) const;

 private:
  Loader(const LoaderServices& services, std::string root, const Loader* referrer)
      : services_(services), root_(std::move(root)), referrer_(referrer) {}

  static Result<std::string> confirm_folder(const FileTree& files, const std::string& path);
  static Result<std::unique_ptr<Loader>> open_clone(const LoaderServices& services, RepoSpec spec,
                                                    const Loader* referrer);
  Result<> check_circle(const std::string& candidate) const;
  Result<> check_inside_clone(const std::string& candidate) const;
  Result<> check_repo_circle(const RepoSpec& spec) const;
  Result<> check_not_local(const RepoSpec& spec) const;

  LoaderServices services_;
  std::string root_;
  const Loader* referrer_;
  std::optional<RepoSpec> repo_;
  std::string clone_root_;
};

}  // namespace strake::kustomize
