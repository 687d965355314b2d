#include "kinds/storage/persistent_volume_spec.h"

#include <algorithm>
#include <string>

#include "kinds/common_checks.h"
#include "kinds/describe.h"
#include "kinds/fields.h"
#include "kinds/go_struct.h"
#include "kinds/resource_names.h"
#include "kinds/storage/iscsi_source.h"
#include "kinds/storage/volume_fields.h"
#include "kinds/storage/volume_sources.h"

namespace strake::kinds {
namespace {

using value::FieldError;
using value::FieldErrors;
using value::Value;

constexpr std::string_view kRecycle = "Recycle";
constexpr std::string_view kRetain = "Retain";

void check_volume_capacity(const Value& spec, const FieldPath& at, FieldErrors& errors) {
  const FieldPath here = at / "capacity";
  const auto amounts = members(spec, "capacity");
  if (amounts.empty()) errors.push_back(FieldError::required(here));
  if (amounts.size() != 1 || amounts.front().key != kStorage) {
    static const std::string supported[] = {std::string(kStorage)};
    errors.push_back(FieldError::not_supported(here, spec.get("capacity"), supported));
  }
  for (const value::Member& one : amounts) {
    const Quantity amount = amount_of(one.value);
    if (amount.value() < 0) {
      errors.push_back(FieldError::invalid(here.key(one.key), Value::integer(amount.value()),
                                           "must be a valid resource quantity"));
    }
    if (amount.sign() <= 0) {
      errors.push_back(
          FieldError::invalid(here.key(one.key), one.value, "must be greater than zero"));
    }
  }
}

void check_volume_affinity(const Value& spec, LabelValues values, const FieldPath& at,
                           FieldErrors& errors) {
  const Value* affinity = member(spec, "nodeAffinity");
  if (affinity == nullptr) return;
  const FieldPath here = at / "nodeAffinity" / "required";
  if (const Value* required = member(*affinity, "required")) {
    check_node_selector(*required, values, here, errors);
  } else {
    errors.push_back(FieldError::required(here, "must specify required node constraints"));
  }
}

void check_one_source(const Value& spec, std::string_view volume_name, bool has_affinity,
                      const FieldPath& at, FieldErrors& errors) {
  bool any = false;
  for (const VolumeSource& source : persistent_volume_sources()) {
    const Value* found = member(spec, source.member);
    if (found == nullptr) continue;
    if (any && !source.may_be_second) {
      errors.push_back(
          FieldError::forbidden(at / source.refused_at, "may not specify more than 1 volume type"));
      continue;
    }
    any = true;
    if (source.member == "iscsi") {
      check_iscsi_source(*found, volume_name, at / source.checked_at, errors);
    } else {
      check_volume_source(source.member, *found, at / source.checked_at, errors);
    }
    if (source.member == "local" && !has_affinity) {
      errors.push_back(
          FieldError::required(at / "nodeAffinity", "Local volume requires node affinity"));
    }
  }
  if (!any) errors.push_back(FieldError::required(at, "must specify a volume type"));
}

// Whether Go's path.Clean makes "/" of the path.
bool is_root(std::string_view path) {
  if (!path.starts_with('/')) return false;
  std::size_t depth = 0;
  for (;;) {
    const std::size_t slash = path.find('/');
    const std::string_view step = path.substr(0, slash);
    if (step == "..") {
      depth -= depth > 0 ? 1 : 0;
    } else if (!step.empty() && step != ".") {
      ++depth;
    }
    if (slash == std::string_view::npos) return depth == 0;
    path.remove_prefix(slash + 1);
  }
}

void check_recycling(const Value& spec, const FieldPath& at, FieldErrors& errors) {
  if (text_of(spec, "persistentVolumeReclaimPolicy") != kRecycle ||
      !is_root(text_of(spec, {"hostPath", "path"}))) {
    return;
  }
  errors.push_back(FieldError::forbidden(at / "persistentVolumeReclaimPolicy",
                                         "may not be 'recycle' for a hostPath mount of '/'"));
}

void check_volume_attributes_class(const Value& spec, const FieldPath& at, FieldErrors& errors) {
  const Value* name = member(spec, "volumeAttributesClassName");
  if (name == nullptr) return;
  const FieldPath here = at / "volumeAttributesClassName";
  if (name->size() == 0) {
    errors.push_back(FieldError::required(here, "an empty string is disallowed"));
  } else {
    check_class_name(value::text_of(*name), here, errors);
  }
  if (member(spec, "csi") == nullptr) {
    errors.push_back(FieldError::required(
        at / "csi", "has to be specified when using volumeAttributesClassName"));
  }
}

// --- inline volumes

constexpr std::string_view kInline = " in the context of inline volumes";

void forbid_inline(const Value& spec, std::string_view key, const FieldPath& at,
                   FieldErrors& errors) {
  if (member(spec, key) == nullptr) return;
  errors.push_back(FieldError::forbidden(at / key, "may not be specified" + std::string(kInline)));
}

void allow_inline(const Value& spec, std::string_view key, std::string_view only,
                  std::string_view detail, const FieldPath& at, FieldErrors& errors) {
  const std::string_view text = text_of(spec, key);
  if (text == only || member(spec, key) == nullptr) return;
  errors.push_back(FieldError::forbidden(
      at / key, std::string(detail) + std::string(only) + std::string(kInline)));
}

// --- updates

struct RenamedLabel {
  std::string_view beta;
  std::string_view stable;
};
constexpr RenamedLabel kRenamedLabels[] = {
    {"failure-domain.beta.kubernetes.io/zone", "topology.kubernetes.io/zone"},
    {"failure-domain.beta.kubernetes.io/region", "topology.kubernetes.io/region"},
    {"beta.kubernetes.io/os", "kubernetes.io/os"},
    {"beta.kubernetes.io/arch", "kubernetes.io/arch"},
    {"beta.kubernetes.io/instance-type", "node.kubernetes.io/instance-type"}};

bool is_renamed(std::string_view key, std::string_view old_key) {
  return std::ranges::any_of(kRenamedLabels, [&](const RenamedLabel& label) {
    return label.beta == old_key && label.stable == key;
  });
}

bool same_node_requirement(const Value& requirement, const Value& old) {
  const std::string_view key = text_of(requirement, "key");
  const std::string_view old_key = text_of(old, "key");
  return (key == old_key || is_renamed(key, old_key)) &&
         same_member(requirement, old, "operator") && same_member(requirement, old, "values");
}

bool same_node_term(const Value& term, const Value& old) {
  return std::ranges::all_of(
      std::initializer_list<std::string_view>{"matchExpressions", "matchFields"},
      [&](std::string_view key) {
        return std::ranges::equal(items(term, key), items(old, key), same_node_requirement);
      });
}

bool same_volume_affinity(const Value& affinity, const Value& old) {
  const Value* required = member(affinity, "required");
  const Value* before = member(old, "required");
  if (required == nullptr || before == nullptr) return required == before;
  return std::ranges::equal(items(*required, "nodeSelectorTerms"),
                            items(*before, "nodeSelectorTerms"), same_node_term);
}

void check_affinity_stays(const Value& spec, const Value& old, FieldErrors& errors) {
  const Value* before = member(old, "nodeAffinity");
  if (before == nullptr) return;
  const Value* now = member(spec, "nodeAffinity");
  if (now != nullptr && same_volume_affinity(*now, *before)) return;
  // It stands without "spec" in kube-apiserver 1.36.
  errors.push_back(
      {.type = FieldError::Type::kInvalid,
       .path = FieldPath() / "nodeAffinity",
       .shown = now == nullptr
                    ? "null"
                    : show_go_struct(now, described_type("io.k8s.api.core.v1.VolumeNodeAffinity")),
       .detail = "field is immutable, except for updating from beta label to GA",
       .first = std::nullopt});
}

bool same_csi_source(const Value& csi, const Value& old) {
  constexpr std::string_view kMayCome = "controllerExpandSecretRef";
  const auto is_kept = [&](const value::Member& one) {
    return one.key != kMayCome && !one.value.is_null();
  };
  if (member(old, kMayCome) != nullptr && !same_member(csi, old, kMayCome)) return false;
  const auto same = [&](const value::Member& one) {
    return !is_kept(one) || same_member(csi, old, one.key);
  };
  return std::ranges::all_of(csi.members(), same) && std::ranges::all_of(old.members(), same);
}

bool same_source(const Value& spec, const Value& old) {
  return std::ranges::all_of(persistent_volume_sources(), [&](const VolumeSource& source) {
    const Value* now = member(spec, source.member);
    const Value* before = member(old, source.member);
    if (source.member != "csi" || now == nullptr || before == nullptr)
      return same_member(spec, old, source.member);
    return same_csi_source(*now, *before);
  });
}

}  // namespace

void apply_persistent_volume_spec_defaults(Value& spec, Arena& arena) {
  if (text_of(spec, "persistentVolumeReclaimPolicy").empty())
    spec.set("persistentVolumeReclaimPolicy", Value::string(kRetain), arena);
  if (member(spec, "volumeMode") == nullptr)
    spec.set("volumeMode", Value::string(kFilesystem), arena);
  round_amounts(spec, "capacity", arena);
  apply_volume_source_defaults(spec, arena);
}

void check_persistent_volume_spec(const Value& spec, const VolumeSpecOptions& options,
                                  const FieldPath& at, FieldErrors& errors) {
  check_access_modes(spec, {}, at, errors);
  check_volume_capacity(spec, at, errors);
  check_one_of(spec, "persistentVolumeReclaimPolicy", {"Delete", kRecycle, kRetain}, at, errors);
  check_volume_affinity(spec, options.affinity_values, at, errors);
  check_one_source(spec, options.volume_name, member(spec, "nodeAffinity") != nullptr, at, errors);
  check_recycling(spec, at, errors);
  const std::string_view class_name = text_of(spec, "storageClassName");
  if (!class_name.empty()) check_class_name(class_name, at / "storageClassName", errors);
  check_volume_mode(spec, at, errors);
  check_volume_attributes_class(spec, at, errors);
}

void check_inline_volume_spec(const Value& spec, const FieldPath& at, FieldErrors& errors) {
  for (const std::string_view key : {"capacity", "claimRef", "nodeAffinity", "storageClassName"})
    forbid_inline(spec, key, at, errors);
  if (member(spec, "csi") == nullptr) {
    errors.push_back(
        FieldError::required(at / "csi", "has to be specified" + std::string(kInline)));
  }
  check_access_modes(spec, {}, at, errors);
  if (!text_of(spec, "persistentVolumeReclaimPolicy").empty())
    allow_inline(spec, "persistentVolumeReclaimPolicy", kRetain, "may only be ", at, errors);
  check_one_source(spec, {}, false, at, errors);
  check_recycling(spec, at, errors);
  allow_inline(spec, "volumeMode", kFilesystem, "may not specify volumeMode other than ", at,
               errors);
}

void check_volume_spec_stays(const Value& spec, const Value& old, FieldErrors& errors) {
  if (!same_source(spec, old)) {
    // kube-apiserver 1.36 adds the difference of the two in Go's form.
    errors.push_back(FieldError::forbidden(FieldPath() / "spec" / "persistentvolumesource",
                                           "spec.persistentvolumesource is immutable after "
                                           "creation"));
  }
  if (!same_member(spec, old, "volumeMode")) {
    errors.push_back(FieldError::invalid(FieldPath() / "volumeMode", spec.get("volumeMode"),
                                         "field is immutable"));
  }
  check_affinity_stays(spec, old, errors);
  if (member(old, "volumeAttributesClassName") != nullptr &&
      member(spec, "volumeAttributesClassName") == nullptr) {
    errors.push_back(FieldError::forbidden(FieldPath() / "spec" / "volumeAttributesClassName",
                                           "update from non-nil value to nil is forbidden"));
  }
}

}  // namespace strake::kinds
