#pragma once
// What a build calls resources: group, version, kind, name and namespace, in the forms that
// kustomize's messages have.
#include <string>
#include <string_view>

namespace strake::kustomize {

struct Gvk {
  std::string_view group;
  std::string_view version;
  std::string_view kind;

  static Gvk from_api_version(std::string_view api_version, std::string_view kind);
  std::string to_string() const;  // "Deployment.v1.apps", with [noGrp] and the like for empties
  std::string api_version() const;
  // Empty parts of the selector fit anything.
  bool selected_by(const Gvk& selector) const {
    return (selector.group.empty() || selector.group == group) &&
           (selector.version.empty() || selector.version == version) &&
           (selector.kind.empty() || selector.kind == kind);
  }
  friend bool operator==(const Gvk&, const Gvk&) = default;
};

// The namespace that kinds without one are said to be in.
inline constexpr std::string_view kNoNamespace = "_non_namespaceable_";
inline constexpr std::string_view kDefaultNamespace = "default";

struct ResourceId {
  Gvk gvk;
  std::string_view name;
  std::string_view namespace_name;  // the namespace as written
  bool cluster_scoped = false;

  // Never empty: what comparisons go by.
  std::string_view effective_namespace() const {
    if (cluster_scoped) return kNoNamespace;
    return namespace_name.empty() ? kDefaultNamespace : namespace_name;
  }
  std::string to_string() const;  // "ConfigMap.v1.[noGrp]/name.[noNs]"
  // For tables: equal for ids that are equal.
  std::string key() const;
  friend bool operator==(const ResourceId& a, const ResourceId& b) {
    return a.gvk == b.gvk && a.name == b.name && a.effective_namespace() == b.effective_namespace();
  }
};

}  // namespace strake::kustomize
