#include "kinds/pods/container_status_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "kinds/common_checks.h"
#include "kinds/fields.h"

namespace strake::kinds {
namespace {

using value::FieldError;
using value::FieldErrors;
using value::Value;

constexpr std::int64_t kLargestId = 2'147'483'647;
constexpr std::size_t kLongestHealthMessage = 1024;

// Statuses, and where the containers that they are of stand in the spec.
struct StatusList {
  std::string_view statuses;
  std::string_view containers;
};
constexpr StatusList kStatusLists[] = {{"containerStatuses", "containers"},
                                       {"initContainerStatuses", "initContainers"},
                                       {"ephemeralContainerStatuses", "ephemeralContainers"}};

using ByName = std::unordered_map<std::string_view, const Value*>;

// The first of each name.
ByName first_by_name(std::span<const Value> list) {
  ByName out;
  for (const Value& one : list) out.try_emplace(value::text_of(one, "name"), &one);
  return out;
}

bool rule_matches(const Value& rule, std::int64_t exit_code) {
  const Value* codes = member(rule, "exitCodes");
  if (codes == nullptr) return false;
  const bool listed = std::ranges::any_of(
      items(*codes, "values"), [&](const Value& one) { return one.as_int() == exit_code; });
  const std::string_view op = value::text_of(*codes, "operator");
  return (op == "In" && listed) || (op == "NotIn" && !listed);
}

// What the rules and the policy of the container say; nothing when they say nothing.
std::optional<bool> container_restarts(const Value& container, std::int64_t exit_code) {
  const std::string_view policy = value::text_of(container, "restartPolicy");
  if (policy.empty()) return std::nullopt;
  const auto rules = items(container, "restartPolicyRules");
  const auto rule =
      std::ranges::find_if(rules, [&](const Value& one) { return rule_matches(one, exit_code); });
  if (rule != rules.end()) {
    const std::string_view action = value::text_of(*rule, "action");
    if (action == "Restart" || action == "RestartAllContainers") return true;
  }
  if (policy == "Always") return true;
  if (policy == "OnFailure") return exit_code != 0;
  if (policy == "Never") return false;
  return std::nullopt;
}

bool pod_restarts(const Value& spec, std::int64_t exit_code) {
  const std::string_view policy = value::text_of(spec, "restartPolicy");
  if (policy == "OnFailure") return exit_code != 0;
  return policy != "Never";
}

// A rule of one container may start all of them again.
bool may_restart_all(const Value& spec) {
  for (const std::string_view key : {"initContainers", "containers"}) {
    for (const Value& container : items(spec, key)) {
      for (const Value& rule : items(container, "restartPolicyRules")) {
        if (value::text_of(rule, "action") == "RestartAllContainers") return true;
      }
    }
  }
  return false;
}

const Value* ended(const Value& container_status) {
  return member(container_status, {"state", "terminated"});
}

std::unordered_set<std::string_view> names_not_ended(std::span<const Value> statuses) {
  std::unordered_set<std::string_view> out;
  for (const Value& one : statuses) {
    if (ended(one) == nullptr) out.insert(value::text_of(one, "name"));
  }
  return out;
}

// --- users

void check_status_user(const Value& container_status, bool windows, const FieldPath& at,
                       FieldErrors& errors) {
  const Value* user = member(container_status, {"user", "linux"});
  if (user == nullptr) return;
  if (windows) {
    errors.push_back(FieldError::forbidden(at, "cannot be set for a windows pod"));
    return;
  }
  const auto check_id = [&](const Value& id, const FieldPath& at_id) {
    if (id.as_int() >= 0 && id.as_int() <= kLargestId) return;
    errors.push_back(FieldError::invalid(
        at_id, id, fmt::format("must be between 0 and {}, inclusive", kLargestId)));
  };
  check_id(Value::integer(integer(*user, "uid")), at / "uid");
  check_id(Value::integer(integer(*user, "gid")), at / "gid");
  const auto groups = items(*user, "supplementalGroups");
  for (std::size_t i = 0; i < groups.size(); ++i)
    check_id(groups[i], at / "supplementalGroups" / i);
}

// --- devices

constexpr std::string_view kClaimPrefix = "claim:";

// The names under which a container has devices: "claim:NAME/REQUEST", and what it requests.
std::unordered_set<std::string> device_names(const Value& container) {
  std::unordered_set<std::string> out;
  const Value& resources = container.get("resources");
  for (const Value& claim : items(resources, "claims")) {
    const std::string_view request = value::text_of(claim, "request");
    out.insert(fmt::format("{}{}{}{}", kClaimPrefix, value::text_of(claim, "name"),
                           request.empty() ? "" : "/", request));
  }
  for (const value::Member& one : members(resources, "requests")) {
    if (!one.key.starts_with(kClaimPrefix)) out.emplace(one.key);
  }
  return out;
}

void check_health(const Value& device, const FieldPath& at, FieldErrors& errors) {
  check_text_is_one_of(value::text_of(device, "health"), {"Healthy", "Unhealthy", "Unknown"},
                       at / "health", errors);
  const Value* message = member(device, "message");
  if (message == nullptr) return;
  const std::size_t size = value::text_of(*message).size();
  if (size == 0) {
    errors.push_back(FieldError::required(at / "message", "must be non-empty if specified"));
  } else if (size > kLongestHealthMessage) {
    errors.push_back(FieldError::too_long(at / "message", kLongestHealthMessage));
  }
}

void check_devices(const Value& container_status, const Value* container, const FieldPath& at,
                   FieldErrors& errors) {
  const auto allocated = items(container_status, "allocatedResourcesStatus");
  if (allocated.empty()) return;
  std::unordered_set<std::string> names;
  if (container != nullptr) names = device_names(*container);
  for (std::size_t i = 0; i < allocated.size(); ++i) {
    const std::string name(value::text_of(allocated[i], "name"));
    if (container != nullptr && !names.contains(name)) {
      errors.push_back(FieldError::invalid(
          at / i / "name", Value::string(name),
          name.starts_with(kClaimPrefix)
              ? "must match one of the container's resource claims in a format "
                "'claim:<claimName>/<request>' or 'claim:<claimName>' if request is empty"
              : "must match one of the container's resource requests"));
    }
    std::unordered_set<std::string_view> ids;
    const auto devices = items(allocated[i], "resources");
    for (std::size_t k = 0; k < devices.size(); ++k) {
      const FieldPath at_device = at / i / "resources" / k;
      check_health(devices[k], at_device, errors);
      const std::string_view id = value::text_of(devices[k], "resourceID");
      if (!ids.insert(id).second)
        errors.push_back(FieldError::duplicate(at_device / "resourceID", Value::string(id)));
    }
  }
}

}  // namespace

void check_restarts(const Value& status, const Value& old_status, const Value& old_spec,
                    const FieldPath& at, FieldErrors& errors) {
  const bool all_restart = may_restart_all(old_spec);
  for (const StatusList& list : kStatusLists) {
    const bool ephemeral = list.containers == "ephemeralContainers";
    if (all_restart && !ephemeral) continue;
    const auto not_ended = names_not_ended(items(status, list.statuses));
    const ByName containers = first_by_name(items(old_spec, list.containers));
    const auto before = items(old_status, list.statuses);
    for (std::size_t i = 0; i < before.size(); ++i) {
      const Value* end = ended(before[i]);
      const std::string_view name = value::text_of(before[i], "name");
      if (end == nullptr || !not_ended.contains(name)) continue;
      const auto container = containers.find(name);
      const std::int64_t exit_code = integer(*end, "exitCode");
      const bool restarts = !ephemeral && container != containers.end() &&
                            container_restarts(*container->second, exit_code)
                                .value_or(pod_restarts(old_spec, exit_code));
      if (!restarts) {
        errors.push_back(FieldError::forbidden(at / list.statuses / i / "state",
                                               "may not be transitioned to non-terminated state"));
      }
    }
  }
}

void check_container_statuses(const Value& status, const Value& spec, const FieldPath& at,
                              FieldErrors& errors) {
  const std::string_view os = text_of(spec, {"os", "name"});
  for (const StatusList& list : kStatusLists) {
    const ByName containers = first_by_name(items(spec, list.containers));
    const auto statuses = items(status, list.statuses);
    for (std::size_t i = 0; i < statuses.size(); ++i) {
      const FieldPath here = at / list.statuses / i;
      if (os.empty() || os == "linux" || os == "windows")
        check_status_user(statuses[i], os == "windows", here / "user" / "linux", errors);
      const FieldPath at_devices = here / "allocatedResourcesStatus";
      if (list.containers == "ephemeralContainers") {
        if (!items(statuses[i], "allocatedResourcesStatus").empty()) {
          errors.push_back(
              FieldError::forbidden(at_devices, "must not be specified in container status"));
        }
        continue;
      }
      const auto container = containers.find(value::text_of(statuses[i], "name"));
      check_devices(statuses[i], container != containers.end() ? container->second : nullptr,
                    at_devices, errors);
    }
  }
}

}  // namespace strake::kinds
