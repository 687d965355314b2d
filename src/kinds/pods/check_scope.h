#pragma once
// What the checks of a pod spec need to know beyond the part that they look at: what an object that
// was stored before may keep, and the pod around a container. kube-apiserver 1.36's
// PodValidationOptions, with its default feature gates.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "kinds/pods/pod_spec.h"

namespace strake::kinds {

// What the old spec has that a new one may not have: a write of other fields keeps it.
struct PodAllowances {
  bool deletion_cost = false;         // an annotation that is no number
  bool selector_values = false;       // bad values in the selectors of pod affinity
  bool node_affinity_values = false;  // the same in required node affinity
  bool spread_selectors = false;      // bad selectors of topology spread constraints
  bool spread_label_keys = false;     // matchLabelKeys that contradict the selector
  bool huge_page_remainders = false;  // amounts that are no multiple of the page size
  bool token_paths = false;           // paths of projected tokens that leave the volume
  bool host_sysctls = false;          // sysctls of namespaces that are shared with the host
  bool devices_of_user_namespace = false;
  bool host_network_of_user_namespace = false;
  bool selinux_policies = false;            // other policies than Recursive
  bool comparing_tolerations = false;       // the operators Lt and Gt
  bool restart_of_init_containers = false;  // resize policies of init containers
};
PodAllowances allowances_of(const PodCheckOptions& options);

// Calls for each container with its path, in the order of kube-apiserver 1.36: init containers,
// containers, ephemeral containers. `visit` takes (const Value& container, const FieldPath& at).
template <typename Visit>
void visit_containers(const value::Value& spec, const FieldPath& at, Visit visit) {
  for (const std::string_view key : {"initContainers", "containers", "ephemeralContainers"}) {
    const auto list = spec.get(key).items();
    for (std::size_t i = 0; i < list.size(); ++i) visit(list[i], at / key / i);
  }
}

// Volumes that are good, by name.
using VolumesByName = std::unordered_map<std::string_view, const value::Value*>;

// The pod around a container.
struct PodScope {
  const value::Value& spec;
  const PodAllowances& allowed;
  bool is_pod = false;
  VolumesByName volumes;
  std::unordered_set<std::string_view> claim_names;  // of spec.resourceClaims
  // "must be one of the names in ...": made once.
  std::string unknown_claim;
  std::optional<std::int64_t> grace_period;
  std::string_view restart_policy;
  bool host_users = true;
};
// Without the volumes.
PodScope scope_of(const value::Value& spec, const PodAllowances& allowed, bool is_pod);

// An init container that runs along with the pod.
bool is_sidecar(const value::Value& init_container);
// hostUsers is false: the pod has user namespaces of its own.
bool has_user_namespace(const value::Value& spec);

}  // namespace strake::kinds
