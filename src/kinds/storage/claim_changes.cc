#include "kinds/storage/claim_changes.h"

#include <string>

#include "kinds/common_checks.h"
#include "kinds/fields.h"
#include "kinds/resource_names.h"
#include "kinds/storage/claim_sources.h"
#include "kinds/storage/volume_fields.h"
#include "meta/names.h"

namespace strake::kinds {
namespace {

using value::FieldError;
using value::FieldErrors;
using value::Value;

const Value* class_annotation(const Value& claim) {
  return member(claim, {"metadata", "annotations", kBetaClassAnnotation});
}

bool same_text(const Value* a, const Value* b) {
  return a != nullptr && b != nullptr && value::text_of(*a) == value::text_of(*b);
}

// A claim that names its class by the annotation may name the same by the field.
bool moves_class_to_field(const Value& claim, const Value& old) {
  const Value* annotated = class_annotation(old);
  const Value* kept = class_annotation(claim);
  return annotated != nullptr && member(old, {"spec", "storageClassName"}) == nullptr &&
         same_text(member(claim, {"spec", "storageClassName"}), annotated) &&
         (kept == nullptr || same_text(kept, annotated));
}

// A claim without a class may get one.
bool gets_class(const Value& claim, const Value& old) {
  const Value* name = member(claim, {"spec", "storageClassName"});
  const Value* annotated = class_annotation(old);
  return name != nullptr && member(old, {"spec", "storageClassName"}) == nullptr &&
         (annotated == nullptr || same_text(name, annotated));
}

void check_annotation_stays(const Value& claim, const Value& old, FieldErrors& errors) {
  const Value* now = class_annotation(claim);
  const Value* before = class_annotation(old);
  const std::string_view text = now != nullptr ? value::text_of(*now) : std::string_view();
  if (text == (before != nullptr ? value::text_of(*before) : std::string_view())) return;
  errors.push_back(
      FieldError::invalid(FieldPath() / "metadata" / "annotations" / kBetaClassAnnotation,
                          Value::string(text), "field is immutable"));
}

// Amounts that are equal but written differently are made the same text.
void align_amounts(Value& spec, const Value& old, std::string_view list, Arena& arena) {
  const Value* before = member(old, {"resources", list});
  Value* resources = spec.find("resources");
  Value* now = resources != nullptr ? resources->find(list) : nullptr;
  if (before == nullptr || now == nullptr) return;
  for (value::Member& one : now->mutable_members()) {
    const Value* amount = member(*before, one.key);
    if (amount != nullptr && amount_of(*amount) == amount_of(one.value))
      one.value = value::deep_copy(*amount, arena);
  }
}

// The spec of the new claim with what may differ made as it was.
Value without_changes(const Value& claim, const Value& old, const Value& old_spec, Arena& arena) {
  Value spec = value::deep_copy(claim.get("spec"), arena);
  if (text_of(old_spec, "volumeName").empty()) keep_member(spec, old_spec, "volumeName", arena);
  if (moves_class_to_field(claim, old) || gets_class(claim, old))
    keep_member(spec, old_spec, "storageClassName", arena);
  if (text_of(claim, {"status", "phase"}) == "Bound") {
    keep_member(spec, old_spec, "volumeAttributesClassName", arena);
    const Value* amount = member(old_spec, {"resources", "requests", kStorage});
    Value* resources = spec.find("resources");
    Value* requests = resources != nullptr ? resources->find("requests") : nullptr;
    if (amount != nullptr && requests != nullptr && requests->is_object())
      requests->set(kStorage, value::deep_copy(*amount, arena), arena);
  }
  align_amounts(spec, old_spec, "requests", arena);
  align_amounts(spec, old_spec, "limits", arena);
  return spec;
}

void check_spec_stays(const Value& claim, const Value& old, FieldErrors& errors) {
  Arena arena;
  Value old_spec = value::deep_copy(old.get("spec"), arena);
  match_sources(old_spec, arena);
  if (value::identical(without_changes(claim, old, old_spec, arena), old_spec)) return;
  // kube-apiserver 1.36 adds the difference of the two in Go's form.
  errors.push_back(
      FieldError::forbidden(FieldPath() / "spec",
                            "spec is immutable after creation except resources.requests and "
                            "volumeAttributesClassName for bound claims"));
}

Quantity amount_at(const Value& object, std::initializer_list<std::string_view> keys) {
  const Value* found = member(object, keys);
  return found != nullptr ? amount_of(*found) : Quantity();
}

// A claim that could not grow may ask for less again, but for more than it has.
void check_size(const Value& claim, const Value& old, FieldErrors& errors) {
  const Quantity now = amount_at(claim, {"spec", "resources", "requests", kStorage});
  if (now >= amount_at(old, {"spec", "resources", "requests", kStorage}) ||
      now > amount_at(old, {"status", "capacity", kStorage})) {
    return;
  }
  errors.push_back(FieldError::forbidden(FieldPath() / "spec" / "resources" / "requests" / kStorage,
                                         "field can not be less than status.capacity"));
}

void check_attributes_class_stays(const Value& claim, const Value& old, FieldErrors& errors) {
  constexpr std::string_view kKey = "volumeAttributesClassName";
  if (same_member(claim.get("spec"), old.get("spec"), kKey) ||
      member(old, {"status", "currentVolumeAttributesClassName"}) == nullptr) {
    return;
  }
  const FieldPath at = FieldPath() / "spec" / kKey;
  const Value* now = member(claim, {"spec", kKey});
  if (now == nullptr) {
    errors.push_back(FieldError::forbidden(
        at, "update to nil is forbidden when status.currentVolumeAttributesClassName is not nil"));
  } else if (now->size() == 0) {
    errors.push_back(FieldError::forbidden(at,
                                           "update to empty string is forbidden when "
                                           "status.currentVolumeAttributesClassName is not nil"));
  }
}

// A resource that drivers may report on: storage, or one of their own. False when it is refused.
bool check_reported_resource(std::string_view name, const FieldPath& at, FieldErrors& errors) {
  const meta::Messages wrong = meta::check_qualified_name(name);
  add_messages(wrong, name, at, errors);
  if (!wrong.empty()) return false;
  if (name == kStorage || !is_native_resource(name)) return true;
  errors.push_back(not_supported(at, name, {kStorage}));
  return false;
}

void check_reported_amount(const value::Member& amount, const FieldPath& at, FieldErrors& errors) {
  const std::int64_t whole = amount_of(amount.value).value();
  if (whole < 0) {
    errors.push_back(FieldError::invalid(at.key(amount.key), Value::integer(whole),
                                         "must be a valid resource quantity"));
  }
}

bool is_resize_status(std::string_view text) {
  return text == "ControllerResizeInProgress" || text == "ControllerResizeInfeasible" ||
         text == "NodeResizePending" || text == "NodeResizeInProgress" ||
         text == "NodeResizeInfeasible";
}

}  // namespace

void check_claim_changes(const Value& claim, const Value& old, FieldErrors& errors) {
  if (!moves_class_to_field(claim, old)) check_annotation_stays(claim, old, errors);
  check_spec_stays(claim, old, errors);
  check_size(claim, old, errors);
  if (!same_member(claim.get("spec"), old.get("spec"), "volumeMode")) {
    errors.push_back(FieldError::invalid(
        FieldPath() / "volumeMode", claim.get("spec").get("volumeMode"), "field is immutable"));
  }
  check_attributes_class_stays(claim, old, errors);
}

void check_claim_status(const Value& claim, FieldErrors& errors) {
  const FieldPath at = FieldPath() / "status";
  const Value& status = claim.get("status");
  for (const value::Member& one : members(status, "capacity"))
    check_reported_amount(one, at / "capacity", errors);
  for (const value::Member& one : members(status, "allocatedResourceStatuses")) {
    const FieldPath here = at / "allocatedResourceStatuses";
    check_reported_resource(one.key, here, errors);
    if (is_resize_status(value::text_of(one.value))) continue;
    // The name of the resource is shown where its status is wrong.
    errors.push_back(
        not_supported(here, one.key,
                      {"ControllerResizeInProgress", "ControllerResizeInfeasible",
                       "NodeResizeInProgress", "NodeResizeInfeasible", "NodeResizePending"}));
  }
  for (const value::Member& one : members(status, "allocatedResources")) {
    const FieldPath here = at / "allocatedResources";
    if (check_reported_resource(one.key, here, errors)) check_reported_amount(one, here, errors);
  }
}

}  // namespace strake::kinds
