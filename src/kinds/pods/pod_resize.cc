#include "kinds/pods/pod_resize.h"

#include <algorithm>
#include <span>
#include <vector>

#include "kinds/fields.h"
#include "kinds/pods/edit_members.h"
#include "kinds/pods/pod_level_resources.h"
#include "kinds/pods/pod_prepare.h"
#include "kinds/pods/pod_update_checks.h"

namespace strake::kinds {
namespace {

using value::FieldError;
using value::FieldErrors;
using value::Member;
using value::Value;

constexpr std::string_view kContainerLists[] = {"containers", "initContainers"};
constexpr std::string_view kAmountLists[] = {"limits", "requests"};

const FieldPath& at_resized_spec() {
  static const FieldPath path = FieldPath() / "spec";
  return path;
}

void forbid_resize(FieldPath at, std::string_view detail, FieldErrors& errors) {
  errors.push_back(FieldError::forbidden(std::move(at), std::string(detail)));
}

bool same_names(std::span<const Value> a, std::span<const Value> b) {
  return std::ranges::equal(a, b, [](const Value& one, const Value& other) {
    return value::text_of(one, "name") == value::text_of(other, "name");
  });
}

// The old containers with the resources that were sent. A list in which containers were renamed
// stays as it was sent, for the checks to refuse.
Value resized_containers(const Value& sent, const Value& old_spec, std::string_view key,
                         Arena& arena) {
  if (!same_names(sent.items(), items(old_spec, key))) return sent;
  Value out = value::deep_copy(old_spec.get(key), arena);
  std::size_t next = 0;
  for (Value& container : out.mutable_items()) {
    const Value& wanted = sent.items()[next++];
    keep_member(container, wanted, "resources", arena);
    keep_member(container, wanted, "resizePolicy", arena);
  }
  return out;
}

// --- checks

// Whether the node can resize, as far as its answers tell.
bool node_can_resize(const Value& pod) {
  for (const Value& one : items(pod.get("status"), "containerStatuses")) {
    if (member(one, {"state", "running"}) != nullptr) return member(one, "resources") != nullptr;
  }
  return true;
}

bool lost_amounts(const Value& resources, const Value& old_resources, std::string_view key) {
  const Value& list = resources.get(key);
  const auto before = members(old_resources, key);
  return std::ranges::any_of(before,
                             [&](const Member& one) { return list.find(one.key) == nullptr; });
}

// Makes CPU and memory those of the old resources, so that what then differs is something else.
void level_resources(Value& resources, const Value& old_resources, Arena& arena) {
  for (const std::string_view key : kAmountLists) {
    Value list = resources.get(key).is_object() ? value::deep_copy(resources.get(key), arena)
                                                : Value::object({});
    for (const std::string_view name : {"cpu", "memory"})
      keep_member(list, old_resources.get(key), name, arena);
    if (list.size() > 0) {
      resources.set(key, list, arena);
    } else {
      resources.remove(key);
    }
  }
}

void check_names_stay(const Value& spec, const Value& old_spec, FieldErrors& errors) {
  for (const std::string_view key : kContainerLists) {
    const auto now = items(spec, key);
    const auto before = items(old_spec, key);
    if (now.size() != before.size()) {
      forbid_resize(at_resized_spec() / key,
                    std::string(key) + " may not be added or removed on resize", errors);
      continue;
    }
    for (std::size_t i = 0; i < now.size(); ++i) {
      if (value::text_of(now[i], "name") == value::text_of(before[i], "name")) continue;
      forbid_resize(at_resized_spec() / key / i / "name",
                    std::string(key) + " may not be renamed or reordered on resize", errors);
    }
  }
}

bool sets_pod_resources(const Value& spec) {
  const Value& resources = spec.get("resources");
  return !members(resources, "limits").empty() || !members(resources, "requests").empty();
}

// `level` gets the old CPU and memory.
void check_pod_resize(const Value& spec, const Value& old_spec, Value& level, Arena& arena,
                      FieldErrors& errors) {
  const FieldPath at = at_resized_spec() / "resources";
  const Value* before = member(old_spec, "resources");
  const Value* now = member(spec, "resources");
  if (before != nullptr && now == nullptr)
    return forbid_resize(at, "pod-level resources cannot be removed", errors);
  if (before != nullptr) {
    if (lost_amounts(*now, *before, "requests"))
      forbid_resize(at / "requests", "pod-level resource requests cannot be removed", errors);
    if (lost_amounts(*now, *before, "limits"))
      forbid_resize(at / "limits", "pod-level resource limits cannot be removed", errors);
  }
  if (Value* resources = object_member(level, "resources")) {
    level_resources(*resources, before != nullptr ? *before : Value(), arena);
    if (before == nullptr && resources->size() == 0) level.remove("resources");
  }
  if (!same_member(level, old_spec, "resources"))
    forbid_resize(at_resized_spec(), "only cpu and memory resources are mutable at pod-level",
                  errors);
}

void check_nothing_lost(const Value& spec, const Value& old_spec, FieldErrors& errors) {
  for (const std::string_view key : kContainerLists) {
    const auto now = items(spec, key);
    const auto before = items(old_spec, key);
    for (std::size_t i = 0; i < now.size(); ++i) {
      const Value& resources = now[i].get("resources");
      const Value& old_resources = before[i].get("resources");
      const auto check = [&](std::string_view list, std::string_view detail) {
        if (lost_amounts(resources, old_resources, list))
          forbid_resize(at_resized_spec() / key / i / "resources" / list, detail, errors);
      };
      check("requests", "resource requests cannot be removed");
      check("limits", "resource limits cannot be removed");
    }
  }
}

bool restarts_on_resize(const Value& container) {
  return std::ranges::any_of(items(container, "resizePolicy"), [](const Value& one) {
    return value::text_of(one, "restartPolicy") == "RestartContainer";
  });
}

// Makes the CPU and memory of a container the old ones. False when something else has changed.
bool level_container(Value& container, const Value& before, Arena& arena) {
  Value& resources = container.object_at("resources", arena);
  // kube-apiserver 1.36 forgets the claims here, so that containers with claims are refused.
  resources.remove("claims");
  level_resources(resources, before.get("resources"), arena);
  return value::identical(container, before);
}

void check_containers_level(Value& level, const Value& old_spec, Arena& arena,
                            FieldErrors& errors) {
  const auto before = items(old_spec, "containers");
  std::size_t next = 0;
  edit_each(level, "containers", [&](Value& container) {
    if (!level_container(container, before[next++], arena))
      forbid_resize(at_resized_spec(), "only cpu and memory resources are mutable", errors);
  });
  const auto init_before = items(old_spec, "initContainers");
  next = 0;
  edit_each(level, "initContainers", [&](Value& container) {
    const Value& old_container = init_before[next];
    const FieldPath at = at_resized_spec() / "initContainers" / next++;
    const bool changed = !value::identical(container, old_container);
    if (!level_container(container, old_container, arena)) {
      forbid_resize(at, "only cpu and memory resources for init or sidecar containers are mutable",
                    errors);
    }
    const bool sidecar = value::text_of(container, "restartPolicy") == "Always";
    if (changed && !sidecar && restarts_on_resize(container)) {
      forbid_resize(at,
                    "non-sidecar init containers with a resize policy of RestartContainer cannot "
                    "be resized",
                    errors);
    }
  });
}

}  // namespace

void prepare_resize(Value& pod, const Value& old, Arena& arena) {
  const Value& old_spec = old.get("spec");
  const Value sent = pod.get("spec");
  for (const std::string_view key : kContainerLists) {
    // Containers that came or went are for the checks to refuse.
    if (items(sent, key).size() != items(old_spec, key).size())
      return count_spec_change(pod, old, arena);
  }
  keep_all_but(pod, old, {"resources"}, arena);
  Value& spec = pod.object_at("spec", arena);
  for (const std::string_view key : kContainerLists) {
    if (const Value* list = member(sent, key))
      spec.set(key, resized_containers(*list, old_spec, key, arena), arena);
  }
  count_spec_change(pod, old, arena);
}

ResizeVerdict check_resize(const Value& pod, const Value& old) {
  const Value& spec = pod.get("spec");
  const Value& old_spec = old.get("spec");
  if (is_mirror_pod(old)) return {refuse_pod("static pods cannot be resized"), true};
  if (text_of(old_spec, {"os", "name"}) == "windows")
    return {refuse_pod("windows pods cannot be resized"), true};
  FieldErrors errors;
  const std::string_view noted = text_of(old, {"status", "qosClass"});
  if ((noted.empty() ? qos_class_of(old_spec) : noted) != qos_class_of(spec)) {
    errors.push_back(FieldError::invalid(at_resized_spec(),
                                         Value::string(text_of(pod, {"status", "qosClass"})),
                                         "Pod QOS Class may not change as a result of resizing"));
  }
  if (!node_can_resize(old))
    forbid_resize(at_resized_spec(), "Pod running on node without support for resize", errors);
  Arena arena;
  Value level = value::deep_copy(spec, arena);
  if (sets_pod_resources(old_spec) || sets_pod_resources(spec))
    check_pod_resize(spec, old_spec, level, arena, errors);
  FieldErrors renamed;
  check_names_stay(spec, old_spec, renamed);
  if (!renamed.empty()) {
    errors.append(std::move(renamed));
    return {std::move(errors)};
  }
  check_nothing_lost(spec, old_spec, errors);
  check_containers_level(level, old_spec, arena, errors);
  if (errors.empty() && !value::identical(level, old_spec))
    forbid_resize(at_resized_spec(), "only cpu and memory resources are mutable", errors);
  return {std::move(errors)};
}

}  // namespace strake::kinds
