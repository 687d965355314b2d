#include "kinds/storage/table_cells.h"

#include "kinds/fields.h"
#include "kinds/storage/volume_fields.h"
#include "meta/object_meta.h"

namespace strake::kinds {

using value::Value;

Value phase_cell(const Value& object) {
  return Value::string(meta::ObjectMeta::of(object).is_being_deleted()
                           ? "Terminating"
                           : text_of(object, {"status", "phase"}));
}

Value text_or_unset_cell(const Value& object, std::string_view key) {
  const Value* found = member(object, {"spec", key});
  return found != nullptr ? *found : Value::string("<unset>");
}

Value class_cell(const Value& object) {
  const Value* found = storage_class_of(object);
  return found != nullptr ? *found : Value::string("");
}

}  // namespace strake::kinds
