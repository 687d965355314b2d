#include "kinds/pods/pod_update_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>
#include <unordered_map>
#include <unordered_set>

#include "base/arena.h"
#include "base/trim.h"
#include "kinds/fields.h"
#include "kinds/pods/app_armor.h"
#include "kinds/pods/edit_members.h"
#include "kinds/pods/gated_pod_checks.h"
#include "meta/object_meta.h"

namespace strake::kinds {
namespace {

using value::FieldError;
using value::FieldErrors;
using value::Member;
using value::Value;

constexpr std::string_view kMirrorAnnotation = "kubernetes.io/config.mirror";
// Part of the answer, word for word.
constexpr std::string_view kOtherFields =
    "pod updates may not change fields other than `spec.containers[*].image`,"
    "`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only "
    "additions to existing tolerations),`spec.terminationGracePeriodSeconds` (allow it to be set "
    "to 1 if it was previously negative)";

const FieldPath& at_pod_spec() {
  static const FieldPath path = FieldPath() / "spec";
  return path;
}

// False when the lists cannot be compared further.
bool check_images(const Value& spec, const Value& old_spec, std::string_view key,
                  FieldErrors& errors) {
  const auto containers = items(spec, key);
  if (containers.size() != items(old_spec, key).size()) {
    errors.push_back(
        FieldError::forbidden(at_pod_spec() / key, "pod updates may not add or remove containers"));
    return false;
  }
  for (std::size_t i = 0; i < containers.size(); ++i) {
    const std::string_view image = value::text_of(containers[i], "image");
    if (image.empty()) {
      errors.push_back(FieldError::required(at_pod_spec() / key / i / "image"));
    } else if (trim_unicode(image).size() != image.size()) {
      errors.push_back(FieldError::invalid(at_pod_spec() / key / i / "image", Value::string(image),
                                           "must not have leading or trailing whitespace"));
    }
  }
  return true;
}

// It may come, and shrink. False when nothing else is looked at.
bool check_deadline(const Value& spec, const Value& old_spec, FieldErrors& errors) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
  const FieldPath at = at_pod_spec() / "activeDeadlineSeconds";
  const Value* deadline = member(spec, "activeDeadlineSeconds");
  const Value* before = member(old_spec, "activeDeadlineSeconds");
  if (deadline == nullptr) {
    if (before != nullptr) {
      errors.push_back(
          FieldError::invalid(at, Value(), "must not update from a positive integer to nil value"));
    }
    return true;
  }
  const std::int64_t seconds = deadline->as_int();
  if (seconds < 0 || seconds > kMost) {
    errors.push_back(FieldError::invalid(
        at, *deadline, fmt::format("must be between 0 and {}, inclusive", kMost)));
    return false;
  }
  if (before != nullptr && before->as_int() < seconds) {
    errors.push_back(
        FieldError::invalid(at, *deadline, "must be less than or equal to previous value"));
    return false;
  }
  return true;
}

// What makes a toleration itself: all but for how long.
std::string toleration_key(const Value& toleration) {
  std::string out;
  for (const std::string_view key : {"key", "operator", "value", "effect"}) {
    const std::string_view text = value::text_of(toleration, key);
    out += fmt::format("{}:{}", text.size(), text);
  }
  return out;
}

void check_tolerations_stay(const Value& spec, const Value& old_spec, FieldErrors& errors) {
  std::unordered_set<std::string> now;
  for (const Value& one : items(spec, "tolerations")) now.insert(toleration_key(one));
  const auto before = items(old_spec, "tolerations");
  if (std::ranges::all_of(before,
                          [&](const Value& one) { return now.contains(toleration_key(one)); }))
    return;
  errors.push_back(FieldError::forbidden(
      at_pod_spec() / "tolerations",
      "existing toleration can not be modified except its tolerationSeconds"));
}

void check_gates_only_go(const Value& spec, const Value& old_spec, FieldErrors& errors) {
  std::unordered_set<std::string_view> before;
  for (const Value& one : items(old_spec, "schedulingGates"))
    before.insert(value::text_of(one, "name"));
  const auto gates = items(spec, "schedulingGates");
  // Of those that have one name, the last is refused.
  std::unordered_map<std::string_view, std::size_t> added;
  for (std::size_t i = 0; i < gates.size(); ++i) {
    const std::string_view name = value::text_of(gates[i], "name");
    if (!before.contains(name)) added[name] = i;
  }
  std::set<std::size_t> refused;
  for (const auto& [name, i] : added) refused.insert(i);
  for (const std::size_t i : refused) {
    errors.push_back(FieldError::forbidden(
        at_pod_spec() / "schedulingGates" / i / "name",
        fmt::format("only deletion is allowed, but found new scheduling gate '{}'",
                    value::text_of(gates[i], "name"))));
  }
}

// Makes the members that may change those of the old spec: what then differs may not.
void level_changes(Value& spec, const Value& old_spec, Arena& arena) {
  for (const std::string_view key : {"containers", "initContainers"}) {
    const auto before = items(old_spec, key);
    std::size_t next = 0;
    edit_each(spec, key, [&](Value& container) {
      if (next < before.size()) keep_member(container, before[next++], "image", arena);
    });
  }
  for (const std::string_view key : {"activeDeadlineSeconds", "schedulingGates", "tolerations"})
    keep_member(spec, old_spec, key, arena);
  if (integer(old_spec, "terminationGracePeriodSeconds") < 0 &&
      integer(spec, "terminationGracePeriodSeconds") == 1) {
    keep_member(spec, old_spec, "terminationGracePeriodSeconds", arena);
  }
}

bool is_fixed_annotation(std::string_view name) {
  return name == kMirrorAnnotation || name.starts_with(kAppArmorAnnotation);
}

void refuse_annotation(std::string_view name, std::string_view verb, FieldErrors& errors) {
  const std::string_view what =
      name == kMirrorAnnotation ? "mirror pod annotation" : "AppArmor annotations";
  errors.push_back(FieldError::forbidden((FieldPath() / "metadata" / "annotations").key(name),
                                         fmt::format("may not {} {}", verb, what)));
}

std::span<const Member> annotations_of(const Value& pod) {
  const Value* annotations = meta::ObjectMeta::of(pod).annotations();
  return annotations != nullptr ? annotations->members() : std::span<const Member>();
}

}  // namespace

bool is_mirror_pod(const Value& pod) {
  const Value* annotations = meta::ObjectMeta::of(pod).annotations();
  return annotations != nullptr && annotations->find(kMirrorAnnotation) != nullptr;
}

FieldErrors refuse_pod(std::string detail) {
  // The path of kube-apiserver 1.36 is one empty name, which it prints as "[]".
  return {FieldError::forbidden(FieldPath().key(""), std::move(detail))};
}

void check_fixed_annotations(const Value& pod, const Value& old, FieldErrors& errors) {
  const Value& now = pod.get("metadata").get("annotations");
  const Value& before = old.get("metadata").get("annotations");
  for (const Member& one : annotations_of(old)) {
    if (!is_fixed_annotation(one.key)) continue;
    const Value* kept = now.find(one.key);
    if (kept == nullptr || !value::identical(*kept, one.value))
      refuse_annotation(one.key, "remove or update", errors);
  }
  for (const Member& one : annotations_of(pod)) {
    if (is_fixed_annotation(one.key) && before.find(one.key) == nullptr)
      refuse_annotation(one.key, "add", errors);
  }
}

void check_pod_changes(const Value& pod, const Value& old, FieldErrors& errors) {
  const Value& spec = pod.get("spec");
  const Value& old_spec = old.get("spec");
  if (!check_images(spec, old_spec, "containers", errors) ||
      !check_images(spec, old_spec, "initContainers", errors) ||
      !check_deadline(spec, old_spec, errors)) {
    return;
  }
  check_tolerations_stay(spec, old_spec, errors);
  check_gates_only_go(spec, old_spec, errors);
  if (value::identical(spec, old_spec)) return;
  Arena arena;
  Value level = value::deep_copy(spec, arena);
  level_changes(level, old_spec, arena);
  if (!items(old_spec, "schedulingGates").empty())
    check_gated_pod_changes(level, old_spec, arena, errors);
  // kube-apiserver 1.36 adds a diff of its Go values.
  if (!value::identical(level, old_spec))
    errors.push_back(FieldError::forbidden(at_pod_spec(), std::string(kOtherFields)));
}

void check_ephemeral_changes(const Value& pod, const Value& old, FieldErrors& errors) {
  const FieldPath at = at_pod_spec() / "ephemeralContainers";
  std::unordered_map<std::string_view, const Value*> by_name;
  for (const Value& one : items(pod.get("spec"), "ephemeralContainers"))
    by_name[value::text_of(one, "name")] = &one;
  for (const Value& one : items(old.get("spec"), "ephemeralContainers")) {
    const std::string_view name = value::text_of(one, "name");
    const auto found = by_name.find(name);
    if (found == by_name.end()) {
      errors.push_back(FieldError::forbidden(
          at, fmt::format("existing ephemeral containers \"{}\" may not be removed\n", name)));
    } else if (!value::identical(*found->second, one)) {
      errors.push_back(FieldError::forbidden(
          at, fmt::format("existing ephemeral containers \"{}\" may not be changed\n", name)));
    }
  }
}

}  // namespace strake::kinds
