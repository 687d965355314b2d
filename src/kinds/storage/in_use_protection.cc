#include "kinds/storage/in_use_protection.h"

#include <string_view>

#include "meta/object_meta.h"

namespace strake::kinds {
namespace {

using value::Value;

void add_finalizer(Value& object, std::string_view name, Arena& arena) {
  if (meta::ObjectMeta::of(object).has_finalizer(name)) return;
  Value& metadata = object.object_at("metadata", arena);
  Value* finalizers = metadata.find("finalizers");
  if (finalizers == nullptr || !finalizers->is_array())
    finalizers = &metadata.set("finalizers", Value::array({}), arena);
  finalizers->append(Value::string(name), arena);
}

}  // namespace

void admit_claim_protection(Value& claim, Arena& arena) {
  add_finalizer(claim, "kubernetes.io/pvc-protection", arena);
}
void admit_volume_protection(Value& volume, Arena& arena) {
  add_finalizer(volume, "kubernetes.io/pv-protection", arena);
}
void admit_attributes_class_protection(Value& attributes_class, Arena& arena) {
  add_finalizer(attributes_class, "kubernetes.io/vac-protection", arena);
}

}  // namespace strake::kinds
