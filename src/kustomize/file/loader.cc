#include "kustomize/file/loader.h"

#include "kustomize/file/paths.h"

// Which files a build may read. All checks are made on resolved paths (symbolic links followed),
// because a link inside the root may lead anywhere.
//
//   root_only  a file must lie in or below the root of the kustomization that names it. Bases are
//              opened as roots of their own, so `../base` is a base but never a file.
//   cycles     a new root must not contain a root that led to it; for repositories, no URL on the
//              way may begin with the new one.
//   clones     always root_only, bases stay inside the clone, and file:// repositories are out of
//              reach for what came from elsewhere.
//   .git       never read, even without root_only.
//
// The check and the read are two system calls: a path that changes between them is not guarded
// against.

namespace strake::kustomize {
namespace {

std::unexpected<Error> no_remote(std::string_view what) {
  return fail(Code::kUnsupported,
              "remote resource '{}' is not fetched: this build is offline (allow it with "
              "--allow-remote)",
              what);
}

Result<FileTree::Place> evaluated(const FileTree& files, const std::string& path) {
  Result<FileTree::Place> place = files.resolve(path);
  if (place) return place;
  return std::unexpected(
      std::move(place).error().prefixed(fmt::format("evalsymlink failure on '{}' ", path)));
}

// What git keeps in a work tree (URLs with credentials, hooks) is no part of what a build reads.
Result<> check_not_in_git(std::string_view path) {
  for (std::size_t at = path.find("/.git"); at != std::string_view::npos;
       at = path.find("/.git", at + 1)) {
    const std::string_view rest = path.substr(at + 5);
    if (rest.empty() || rest.starts_with('/'))
      return fail(Code::kForbidden, "security; a build reads nothing in '.git', but '{}' is there",
                  path);
  }
  return {};
}

}  // namespace

Result<std::string> Loader::confirm_folder(const FileTree& files, const std::string& path) {
  if (path.empty()) return fail(Code::kInvalid, "directory path cannot be empty");
  Result<FileTree::Place> place = evaluated(files, path);
  if (!place) return std::unexpected(std::move(place).error().prefixed("not a valid directory"));
  if (!place->folder) return fail(Code::kInvalid, "'{}': file is not directory", path);
  STRAKE_CHECK(check_not_in_git(place->path));
  return place->path;
}

Result<std::unique_ptr<Loader>> Loader::open(const LoaderServices& services,
                                             std::string_view target,
                                             std::string_view working_folder) {
  if (auto spec = parse_repo_spec(target)) return open_clone(services, *std::move(spec), nullptr);
  const std::string path =
      is_absolute(target) ? clean_path(target) : join_path(working_folder, target);
  Result<std::string> root = confirm_folder(*services.files, path);
  if (!root) return std::unexpected(std::move(root).error().prefixed("must build at directory"));
  return std::unique_ptr<Loader>(new Loader(services, *std::move(root), nullptr));
}

Result<std::unique_ptr<Loader>> Loader::open_clone(const LoaderServices& services, RepoSpec spec,
                                                   const Loader* referrer) {
  if (services.remote == nullptr) return no_remote(spec.raw);
  STRAKE_TRY(std::string clone, services.remote->clone(spec));
  const std::string wanted = join_path(clone, spec.folder);
  STRAKE_TRY(const FileTree::Place place, evaluated(*services.files, wanted));
  if (!place.folder) {
    return fail(Code::kInvalid, "'{}' refers to file '{}'; expecting directory", wanted,
                base_name(place.path));
  }
  if (!is_in_or_below(place.path, clone)) {
    return fail(Code::kForbidden, "\"{}\" refers to directory outside of repo \"{}\"", wanted,
                clone);
  }
  LoaderServices inside = services;
  inside.root_only = true;  // a clone never reads beyond its root
  auto loader = std::unique_ptr<Loader>(new Loader(inside, place.path, referrer));
  loader->repo_ = std::move(spec);
  loader->clone_root_ = std::move(clone);
  return loader;
}

Result<> Loader::check_circle(const std::string& candidate) const {
  for (const Loader* at = this; at != nullptr; at = at->referrer_) {
    // A candidate above a visited root counts as a cycle too: its kustomization could name the
    // visited root again.
    if (is_in_or_below(at->root_, candidate)) {
      return fail(Code::kInvalid, "cycle detected: candidate root '{}' contains visited root '{}'",
                  candidate, at->root_);
    }
  }
  return {};
}

Result<> Loader::check_inside_clone(const std::string& candidate) const {
  for (const Loader* at = this; at != nullptr; at = at->referrer_) {
    if (!at->repo_) continue;
    if (is_in_or_below(candidate, at->clone_root_)) return {};
    return fail(Code::kForbidden,
                "security; bases in kustomizations found in cloned git repos must be within the "
                "repo, but base '{}' is outside '{}'",
                candidate, at->clone_root_);
  }
  return {};
}

Result<> Loader::check_repo_circle(const RepoSpec& spec) const {
  for (const Loader* at = this; at != nullptr; at = at->referrer_) {
    if (at->repo_ && at->repo_->raw.starts_with(spec.raw)) {
      return fail(Code::kInvalid, "cycle detected: URI '{}' referenced by previous URI '{}'",
                  spec.raw, at->repo_->raw);
    }
  }
  return {};
}

// What came from elsewhere must not reach the repositories of this machine.
Result<> Loader::check_not_local(const RepoSpec& spec) const {
  if (!spec.host.starts_with("file://")) return {};
  for (const Loader* at = this; at != nullptr; at = at->referrer_) {
    if (!at->repo_ || at->repo_->host.starts_with("file://")) continue;
    return fail(Code::kForbidden,
                "security; bases in kustomizations found in cloned git repos must be within the "
                "repo, but base '{}' is a repository of this machine",
                spec.raw);
  }
  return {};
}

Result<std::unique_ptr<Loader>> Loader::open_below(std::string_view path) const {
  if (path.empty()) return fail(Code::kInvalid, "new root cannot be empty");
  if (auto spec = parse_repo_spec(path)) {
    STRAKE_CHECK(check_repo_circle(*spec));
    STRAKE_CHECK(check_not_local(*spec));
    return open_clone(services_, *std::move(spec), this);
  }
  if (is_absolute(path)) return fail(Code::kInvalid, "new root '{}' cannot be absolute", path);
  Result<std::string> root = confirm_folder(*services_.files, join_path(root_, path));
  if (!root) return std::unexpected(std::move(root).error().prefixed("must build at directory"));
  STRAKE_CHECK(check_inside_clone(*root));
  STRAKE_CHECK(check_circle(*root));
  return std::unique_ptr<Loader>(new Loader(services_, *std::move(root), this));
}

bool Loader::is_folder(const std::string& path) const {
  const Result<FileTree::Place> place = services_.files->resolve(path);
  return place && place->folder;
}

Result<> Loader::check_outside_path(const std::string& path) const {
  // What is not there yet is where its nearest folder is.
  std::string known = clean_path(path);
  Result<FileTree::Place> place = services_.files->resolve(known);
  while (!place && known != "/") {
    known = std::string(folder_of(known));
    place = services_.files->resolve(known);
  }
  return place ? check_inside_clone(place->path) : check_inside_clone(known);
}

std::string Loader::full_path(std::string_view path) const {
  if (is_http_url(path)) return without_credentials(path);
  return is_absolute(path) ? std::string(path) : join_path(root_, path);
}

Result<std::string> Loader::load(std::string_view path, bool* http_failed) const {
  if (is_http_url(path)) {
    if (services_.remote == nullptr) {
      if (http_failed != nullptr) *http_failed = true;
      return no_remote(path);
    }
    Result<std::string> content = services_.remote->get(std::string(path));
    if (content) return content;
    const bool answered = content.error().code() == Code::kNotFound;
    if (parse_repo_spec(path)) {
      if (answered) return fail(Code::kNotFound, "URL is a git repository");
      return content;
    }
    // It cannot be a folder either: this is the error to show.
    if (http_failed != nullptr) *http_failed = true;
    if (!answered) return content;
    return std::unexpected(std::move(content).error().prefixed("HTTP Error"));
  }
  const std::string full = full_path(path);
  if (!services_.root_only) {
    const Result<FileTree::Place> place = services_.files->resolve(full);
    STRAKE_CHECK(check_not_in_git(place ? place->path : full));
    return services_.files->read(full, services_.most_bytes);
  }
  STRAKE_TRY(const FileTree::Place place, evaluated(*services_.files, full));
  STRAKE_CHECK(check_not_in_git(place.path));
  if (place.folder) return fail(Code::kInvalid, "'{}' must resolve to a file", full);
  if (!is_in_or_below(folder_of(place.path), root_)) {
    return fail(Code::kForbidden, "security; file '{}' is not in or below '{}'", full, root_);
  }
  return services_.files->read(place.path, services_.most_bytes);
}

}  // namespace strake::kustomize
