#include "kinds/storage/claim_resize.h"

#include "kinds/fields.h"
#include "kinds/resource_names.h"
#include "kinds/storage/volume_fields.h"

namespace strake::kinds {
namespace {

using value::Value;

Quantity requested(const Value& claim) {
  const Value* amount = member(claim, {"spec", "resources", "requests", kStorage});
  return amount != nullptr ? amount_of(*amount) : Quantity();
}

std::string_view class_name(const Value& claim) {
  const Value* name = storage_class_of(claim);
  return name != nullptr ? value::text_of(*name) : std::string_view();
}

}  // namespace

bool allows_expansion(const Value& storage_class) {
  return value::flag_of(storage_class, "allowVolumeExpansion");
}

std::string refused_resize(const Value& claim, const Value& old,
                           const AllowsExpansion& class_allows) {
  if (requested(claim) <= requested(old)) return {};
  if (text_of(old, {"status", "phase"}) != "Bound")
    return "Only bound persistent volume claims can be expanded";
  const std::string_view name = class_name(claim);
  if (!name.empty() && name == class_name(old) && class_allows(name)) return {};
  return "only dynamically provisioned pvc can be resized and the storageclass that provisions "
         "the pvc must support resize";
}

}  // namespace strake::kinds
