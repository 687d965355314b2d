#include "kinds/pods/check_pod_annotations.h"

#include <fmt/format.h>

#include <charconv>

#include "base/quote.h"
#include "kinds/fields.h"
#include "kinds/pods/check_tolerations.h"
#include "kinds/pods/check_values.h"
#include "value/json_reader.h"

namespace strake::kinds {
namespace {

using value::FieldError;
using value::FieldErrors;
using value::Member;
using value::Value;

constexpr std::string_view kDeletionCost = "controller.kubernetes.io/pod-deletion-cost";
constexpr std::string_view kTolerations = "scheduler.alpha.kubernetes.io/tolerations";
constexpr std::string_view kLocalhost = "localhost/";

// A number of 32 bits without a plus sign or leading zeros.
bool is_deletion_cost(std::string_view text) {
  if (text.empty() || text.front() == '+' || (text.front() == '0' && text != "0")) return false;
  std::int32_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

// --- tolerations

// What Go says of a value of another type than the field has.
std::string_view go_word(const Value& value) {
  switch (value.type()) {
    case value::Type::kBool: return "bool";
    case value::Type::kString: return "string";
    case value::Type::kArray: return "array";
    case value::Type::kObject: return "object";
    default: return "number";
  }
}

std::string wrong_type(const Value& value, std::string_view go_type) {
  return fmt::format("json: cannot unmarshal {} into Go value of type {}", go_word(value), go_type);
}

std::string wrong_field(const Value& toleration) {
  constexpr std::pair<std::string_view, std::string_view> kFields[] = {
      {"effect", "Effect of type core.TaintEffect"},
      {"key", "Key of type string"},
      {"operator", "Operator of type core.TolerationOperator"},
      {"tolerationSeconds", "TolerationSeconds of type int64"},
      {"value", "Value of type string"}};
  for (const auto& [key, field] : kFields) {
    const Value* given = member(toleration, key);
    if (given == nullptr) continue;
    const bool good =
        key == "tolerationSeconds" ? given->type() == value::Type::kInt : given->is_string();
    if (!good) {
      return fmt::format("json: cannot unmarshal {} into Go struct field Toleration.{}",
                         go_word(*given), field);
    }
  }
  return {};
}

// Empty when it is a list of tolerations.
std::string wrong_tolerations(const Value& list) {
  if (list.is_null()) return {};
  if (!list.is_array()) return wrong_type(list, "[]core.Toleration");
  for (const Value& one : list.items()) {
    if (one.is_null()) continue;
    if (!one.is_object()) return wrong_type(one, "core.Toleration");
    if (std::string wrong = wrong_field(one); !wrong.empty()) return wrong;
  }
  return {};
}

void check_annotated_tolerations(const Value& annotations, const PodAllowances& allowed,
                                 const FieldPath& at, FieldErrors& errors) {
  const std::string_view text = value::text_of(annotations, kTolerations);
  if (text.empty()) return;
  const auto read = value::read_json(text);
  const std::string wrong = read ? wrong_tolerations(read->root()) : read.error().message();
  if (!wrong.empty()) return add_invalid(at, kTolerations, wrong, errors);
  check_tolerations(read->root().items(), allowed.comparing_tolerations, at / kTolerations, errors);
}

// --- profiles

void check_seccomp_profile(std::string_view profile, const FieldPath& at, FieldErrors& errors) {
  if (profile == "runtime/default" || profile == "docker/default" || profile == "unconfined")
    return;
  if (!profile.starts_with(kLocalhost))
    return add_invalid(at, profile, "must be a valid seccomp profile", errors);
  // Only the path is shown.
  check_relative_path(profile.substr(kLocalhost.size()), at, errors);
}

void check_seccomp_annotations(const Value& annotations, const FieldPath& at, FieldErrors& errors) {
  for (const Member& one : annotations.members()) {
    // kube-apiserver 1.36 writes the key as a field.
    if (one.key == kSeccompPodAnnotation || one.key.starts_with(kSeccompContainerAnnotations))
      check_seccomp_profile(value::text_of(one.value), at / one.key, errors);
  }
}

void check_app_armor_annotations(const Value& annotations, const Value& spec, const FieldPath& at,
                                 FieldErrors& errors) {
  std::unordered_set<std::string_view> names;
  visit_containers(spec, FieldPath(), [&](const Value& container, const FieldPath&) {
    names.insert(value::text_of(container, "name"));
  });
  for (const Member& one : annotations.members()) {
    if (!one.key.starts_with(kAppArmorAnnotations)) continue;
    const std::string_view name = one.key.substr(kAppArmorAnnotations.size());
    if (!names.contains(name)) add_invalid(at.key(one.key), name, "container not found", errors);
    const std::string_view profile = value::text_of(one.value);
    if (profile.empty() || profile == "runtime/default" || profile == "unconfined" ||
        profile.starts_with(kLocalhost)) {
      continue;
    }
    add_invalid(at.key(one.key), profile,
                fmt::format("invalid AppArmor profile name: {}", quote(profile)), errors);
  }
}

struct ProfileWords {
  std::string_view field;  // of the security context
  std::string_view what;   // in messages
  bool docker_default = false;
};
constexpr ProfileWords kSeccomp = {"seccompProfile", "seccomp", true};
constexpr ProfileWords kAppArmor = {"appArmorProfile", "apparmor", false};

// `context_path` is that of the security context.
void check_same_profile(const Value& profile, std::string_view annotation,
                        const ProfileWords& words, const FieldPath& context_path,
                        FieldErrors& errors) {
  const std::string_view type = value::text_of(profile, "type");
  bool same_type = true;
  if (type == "Unconfined") {
    same_type = annotation == "unconfined";
  } else if (type == "RuntimeDefault") {
    same_type =
        annotation == "runtime/default" || (words.docker_default && annotation == "docker/default");
  } else if (type == "Localhost") {
    same_type = annotation.starts_with(kLocalhost);
  }
  if (!same_type) {
    errors.push_back(FieldError::forbidden(
        context_path / words.field / "type",
        fmt::format("{} type in annotation and field must match", words.what)));
  } else if (type == "Localhost" && (member(profile, "localhostProfile") == nullptr ||
                                     annotation.substr(kLocalhost.size()) !=
                                         value::text_of(profile, "localhostProfile"))) {
    errors.push_back(FieldError::forbidden(
        context_path / words.field / "localhostProfile",
        fmt::format("{} profile in annotation and field must match", words.what)));
  }
}

// Of each container that has an annotation of its own. `inherited` is the profile of those that
// have none, or null.
void check_container_profiles(const Value& annotations, const Value& spec,
                              std::string_view annotation_prefix, const ProfileWords& words,
                              const Value* inherited, const FieldPath& spec_path,
                              FieldErrors& errors) {
  visit_containers(spec, spec_path, [&](const Value& container, const FieldPath& at) {
    const Value* own = member(container, {"securityContext", words.field});
    const Value* profile = own != nullptr ? own : inherited;
    if (profile == nullptr) return;
    const std::string key =
        fmt::format("{}{}", annotation_prefix, value::text_of(container, "name"));
    if (const Value* annotation = member(annotations, key)) {
      check_same_profile(*profile, value::text_of(*annotation), words, at / "securityContext",
                         errors);
    }
  });
}

}  // namespace

bool has_good_deletion_cost(const Value& metadata) {
  const Value* cost = member(metadata.get("annotations"), kDeletionCost);
  return cost == nullptr || is_deletion_cost(value::text_of(*cost));
}

void check_pod_annotations(const Value& metadata, const Value& spec, const PodAllowances& allowed,
                           const FieldPath& at, FieldErrors& errors) {
  const Value& annotations = metadata.get("annotations");
  if (annotations.size() == 0) return;
  if (const Value* mirror = member(annotations, kMirrorPodAnnotation);
      mirror != nullptr && value::text_of(spec, "nodeName").empty()) {
    add_invalid(at.key(kMirrorPodAnnotation), value::text_of(*mirror),
                "must set spec.nodeName if mirror pod annotation is set", errors);
  }
  check_annotated_tolerations(annotations, allowed, at, errors);
  if (!allowed.deletion_cost && !has_good_deletion_cost(metadata)) {
    add_invalid(at.key(kDeletionCost), value::text_of(annotations, kDeletionCost),
                "must be a 32bit integer", errors);
  }
  check_seccomp_annotations(annotations, at, errors);
  check_app_armor_annotations(annotations, spec, at, errors);
}

void check_profile_annotations_match(const Value& metadata, const Value& spec,
                                     const FieldPath& spec_path, FieldErrors& errors) {
  const Value& annotations = metadata.get("annotations");
  if (annotations.size() == 0) return;
  const Value* pod_seccomp = member(spec, {"securityContext", kSeccomp.field});
  const Value* annotation = member(annotations, kSeccompPodAnnotation);
  if (pod_seccomp != nullptr && annotation != nullptr) {
    check_same_profile(*pod_seccomp, value::text_of(*annotation), kSeccomp,
                       spec_path / "securityContext", errors);
  }
  check_container_profiles(annotations, spec, kSeccompContainerAnnotations, kSeccomp, nullptr,
                           spec_path, errors);
  if (text_of(spec, {"os", "name"}) == "windows") return;
  check_container_profiles(annotations, spec, kAppArmorAnnotations, kAppArmor,
                           member(spec, {"securityContext", kAppArmor.field}), spec_path, errors);
}

}  // namespace strake::kinds
