#include "kinds/pods/check_scope.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "kinds/common_checks.h"
#include "kinds/fields.h"
#include "kinds/pods/check_affinity.h"
#include "kinds/pods/check_pod_annotations.h"
#include "kinds/pods/check_resources.h"
#include "kinds/pods/check_security_context.h"
#include "kinds/pods/check_topology_spread.h"
#include "kinds/pods/check_values.h"

namespace strake::kinds {

using value::FieldErrors;
using value::Value;

namespace {

template <typename Test>
bool any_container(const Value& spec, Test test) {
  bool found = false;
  visit_containers(spec, FieldPath(),
                   [&](const Value& container, const FieldPath&) { found |= test(container); });
  return found;
}

bool any_huge_page_remainder(const Value& spec) {
  const auto in_container = [](const Value& container) {
    return has_huge_page_remainder(container.get("resources"), "limits") ||
           has_huge_page_remainder(container.get("resources"), "requests");
  };
  return has_huge_page_remainder(spec, "overhead") || any_container(spec, in_container);
}

bool has_token_path_outside(const Value& spec) {
  for (const Value& volume : items(spec, "volumes")) {
    for (const Value& source : items(volume.get("projected"), "sources")) {
      const Value* token = member(source, "serviceAccountToken");
      if (token == nullptr) continue;
      FieldErrors errors;
      check_unreserved_path(value::text_of(*token, "path"), FieldPath(), errors);
      if (!errors.empty()) return true;
    }
  }
  return false;
}

bool has_comparing_toleration(const Value& spec) {
  return std::ranges::any_of(items(spec, "tolerations"), [](const Value& toleration) {
    const std::string_view op = value::text_of(toleration, "operator");
    return op == "Lt" || op == "Gt";
  });
}

bool has_restarting_init_container(const Value& spec) {
  const auto restarts = [](const Value& policy) {
    return value::text_of(policy, "restartPolicy") == "RestartContainer";
  };
  return std::ranges::any_of(items(spec, "initContainers"), [&](const Value& container) {
    return !is_sidecar(container) &&
           std::ranges::any_of(items(container, "resizePolicy"), restarts);
  });
}

}  // namespace

bool is_sidecar(const Value& init_container) {
  return value::text_of(init_container, "restartPolicy") == "Always";
}

bool has_user_namespace(const Value& spec) {
  const Value& host_users = spec.get("hostUsers");
  return host_users.is_bool() && !host_users.as_bool();
}

PodAllowances allowances_of(const PodCheckOptions& options) {
  PodAllowances out;
  if (options.old_metadata != nullptr)
    out.deletion_cost = !has_good_deletion_cost(*options.old_metadata);
  if (options.old_spec == nullptr) return out;
  const Value& old = *options.old_spec;
  out.selector_values = has_invalid_affinity_selector(old.get("affinity"));
  out.node_affinity_values = has_invalid_node_affinity_value(old.get("affinity"));
  out.spread_selectors = has_invalid_spread_selector(old);
  out.spread_label_keys = has_invalid_spread_label_keys(old);
  out.huge_page_remainders = any_huge_page_remainder(old);
  out.token_paths = has_token_path_outside(old);
  out.host_sysctls = has_host_sysctl(old);
  out.devices_of_user_namespace =
      has_user_namespace(old) && any_container(old, [](const Value& container) {
        return !items(container, "volumeDevices").empty();
      });
  out.host_network_of_user_namespace =
      has_user_namespace(old) && value::flag_of(old, "hostNetwork");
  out.selinux_policies = member(old, {"securityContext", "seLinuxChangePolicy"}) != nullptr;
  out.comparing_tolerations = has_comparing_toleration(old);
  out.restart_of_init_containers = has_restarting_init_container(old);
  return out;
}

PodScope scope_of(const Value& spec, const PodAllowances& allowed, bool is_pod) {
  PodScope scope{.spec = spec, .allowed = allowed, .is_pod = is_pod};
  if (member(spec, "terminationGracePeriodSeconds") != nullptr)
    scope.grace_period = integer(spec, "terminationGracePeriodSeconds");
  scope.restart_policy = value::text_of(spec, "restartPolicy");
  scope.host_users = !has_user_namespace(spec);
  for (const Value& claim : items(spec, "resourceClaims")) {
    if (const std::string_view name = value::text_of(claim, "name"); !name.empty())
      scope.claim_names.insert(name);
  }
  std::vector<std::string_view> names(scope.claim_names.begin(), scope.claim_names.end());
  std::ranges::sort(names);
  scope.unknown_claim = "must be one of the names in pod.spec.resourceClaims";
  scope.unknown_claim +=
      names.empty() ? " which is empty" : fmt::format(": {}", fmt::join(names, ", "));
  value::cut_text(scope.unknown_claim, value::kMostShownBytes);
  return scope;
}

}  // namespace strake::kinds
