#include "ops/kom/sources.h"

#include <algorithm>
#include <array>
#include <set>

#include "base/quote.h"
#include "base/trim.h"
#include "kustomize/file/paths.h"

namespace strake::ops {
namespace {

using provider::Failure;
using provider::FailureClass;
using provider::Outcome;

constexpr std::array<std::string_view, 8> kSkippedNames = {
    ".git", ".github", "node_modules", "vendor", ".direnv", ".venv", "dist", "build"};

bool is_yaml_name(std::string_view name) {
  return name.ends_with(".yml") || name.ends_with(".yaml");
}

class KomWalk {
 public:
  KomWalk(const KomFiles& files, const RunEnvironment& environment, const KomPaths& from,
          const KomLimits& limits)
      : files_(files), environment_(environment), from_(from), limits_(limits) {}

  Outcome<std::vector<std::string>> run() && {
    if (from_.level == KomLevel::kDefaults) {
      for (const std::string& bound : {environment_.root, environment_.dir}) {
        STRAKE_TRY(const kustomize::FileTree::Place place, files_.resolve(bound));
        bounds_.push_back(place.path);
      }
    }
    for (const std::string& path : from_.paths) STRAKE_CHECK(take(path));
    return std::move(found_);
  }

 private:
  using Place = kustomize::FileTree::Place;

  Outcome<> take(const std::string& given) {
    if (given.contains("://"))
      return provider::refuse(FailureClass::kValidation, "URL not supported: {}", quote(given));
    // Signs in the place of KOMPOX_DIR itself are signs of a name.
    if (from_.level != KomLevel::kFolder && given.find_first_of("*?[") != std::string::npos)
      return provider::refuse(FailureClass::kValidation, "wildcards not supported: {}",
                              quote(given));
    const std::string expanded = environment_.expand(given);
    const std::string path = kustomize::is_absolute(expanded)
                                 ? kustomize::clean_path(expanded)
                                 : kustomize::join_path(from_.folder, expanded);
    const auto place = files_.resolve(path);
    if (!place && place.error().code() == Code::kNotFound) {
      if (from_.level == KomLevel::kFolder) return {};
      return provider::refuse(FailureClass::kNotFound, "path does not exist: {}", quote(given));
    }
    if (!place)
      return std::unexpected(
          Failure(place.error()).prefixed(fmt::format("resolving path {}", quote(given))));
    STRAKE_CHECK(check_bounds(given, place->path));
    if (place->folder) return walk(place->path, 0);
    if (!is_yaml_name(place->path))
      return provider::refuse(FailureClass::kValidation,
                              "file {} must have .yml or .yaml extension", quote(given));
    return add(place->path);
  }

  Outcome<> check_bounds(const std::string& given, const std::string& real) const {
    const bool inside = bounds_.empty() || std::ranges::any_of(bounds_, [&](const auto& bound) {
                          return kustomize::is_in_or_below(real, bound);
                        });
    if (inside) return {};
    return provider::refuse(FailureClass::kValidation,
                            "path {} (resolved to {}) is outside KOMPOX_ROOT and KOMPOX_DIR",
                            quote(given), quote(real));
  }

  // The depth bounds the recursion.
  Outcome<> walk(const std::string& folder, std::size_t depth) {
    if (depth > limits_.depth)
      return provider::refuse(FailureClass::kValidation,
                              "{}: maximum directory depth ({}) exceeded", folder, limits_.depth);
    if (!folders_.insert(folder).second) return {};
    // Others than ours may be there too, but not without end.
    STRAKE_TRY(const std::vector<std::string> names, files_.list(folder, 20 * limits_.files));
    for (const std::string& name : names) {
      if (std::ranges::find(kSkippedNames, name) != kSkippedNames.end()) continue;
      const std::string path = kustomize::join_path(folder, name);
      const auto place = files_.resolve(path);
      // What is none of ours may be broken.
      if (!place && !is_yaml_name(name)) continue;
      if (!place) return std::unexpected(Failure(place.error()));
      if (!place->folder && !is_yaml_name(name)) continue;
      STRAKE_CHECK(check_bounds(path, place->path));
      STRAKE_CHECK(place->folder ? walk(place->path, depth + 1) : add(place->path));
    }
    return {};
  }

  Outcome<> add(const std::string& path) {
    if (!seen_.insert(path).second) return {};
    if (found_.size() == limits_.files)
      return provider::refuse(FailureClass::kValidation, "maximum file count ({}) exceeded",
                              limits_.files);
    found_.push_back(path);
    return {};
  }

  const KomFiles& files_;
  const RunEnvironment& environment_;
  const KomPaths& from_;
  const KomLimits& limits_;
  std::vector<std::string> bounds_;  // real paths; none when there are no bounds
  std::set<std::string> folders_;
  std::set<std::string> seen_;
  std::vector<std::string> found_;
};

// The parts of a list of paths as the system writes it, without those that are empty.
std::vector<std::string> split_path_list(std::string_view list) {
  std::vector<std::string> out;
  for (std::size_t at = 0; at <= list.size();) {
    const std::size_t end = std::min(list.find(':', at), list.size());
    if (const std::string_view one = trim(list.substr(at, end - at)); !one.empty())
      out.emplace_back(one);
    at = end + 1;
  }
  return out;
}

}  // namespace

KomPaths choose_kom_paths(const RunRequest& request, const RunEnvironment& environment,
                          const std::vector<std::string>& defaults, const std::string& app_folder) {
  if (!request.kom_path.empty()) return {KomLevel::kFlag, request.kom_path, app_folder};
  if (auto paths = split_path_list(request.variable("KOMPOX_KOM_PATH")); !paths.empty())
    return {KomLevel::kVariable, std::move(paths), app_folder};
  if (!defaults.empty()) return {KomLevel::kDefaults, defaults, app_folder};
  if (!environment.config.kom_path.empty())
    return {KomLevel::kConfig, environment.config.kom_path, environment.dir};
  return {KomLevel::kFolder, {kustomize::join_path(environment.dir, "kom")}, environment.dir};
}

Outcome<std::vector<std::string>> find_kom_files(const KomFiles& files,
                                                 const RunEnvironment& environment,
                                                 const KomPaths& from, const KomLimits& limits) {
  return KomWalk(files, environment, from, limits).run();
}

}  // namespace strake::ops
