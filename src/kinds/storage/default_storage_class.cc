#include "kinds/storage/default_storage_class.h"

#include "kinds/fields.h"
#include "kinds/storage/volume_fields.h"
#include "meta/object_meta.h"

namespace strake::kinds {
namespace {

using value::Value;

// Times are RFC 3339 in UTC to the second: text that sorts.
bool is_before(const Value& a, const Value& b) {
  const meta::ObjectMeta first = meta::ObjectMeta::of(a);
  const meta::ObjectMeta second = meta::ObjectMeta::of(b);
  if (first.creation_timestamp() != second.creation_timestamp())
    return first.creation_timestamp() > second.creation_timestamp();
  return first.name() < second.name();
}

}  // namespace

bool is_default_storage_class(const Value& storage_class) {
  const meta::ObjectMeta metadata = meta::ObjectMeta::of(storage_class);
  return metadata.annotation("storageclass.kubernetes.io/is-default-class") == "true" ||
         metadata.annotation("storageclass.beta.kubernetes.io/is-default-class") == "true";
}

const Value* default_storage_class(std::span<const Value* const> classes) {
  const Value* best = nullptr;
  for (const Value* one : classes) {
    if (!is_default_storage_class(*one)) continue;
    if (best == nullptr || is_before(*one, *best)) best = one;
  }
  return best;
}

void admit_default_storage_class(Value& claim, std::string_view default_class, Arena& arena) {
  // An empty name asks for no class.
  if (default_class.empty() || storage_class_of(claim) != nullptr) return;
  claim.object_at("spec", arena)
      .set("storageClassName", Value::string(arena.copy(default_class)), arena);
}

}  // namespace strake::kinds
