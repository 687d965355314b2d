#include "kinds/columns.h"

#include "meta/age.h"
#include "meta/object_meta.h"

namespace strake::kinds {

using value::Value;

Column text_column(std::string name, std::string description, std::int32_t priority) {
  return {.name = std::move(name),
          .type = "string",
          .description = std::move(description),
          .priority = priority};
}

Column number_column(std::string name, std::string description) {
  return {.name = std::move(name), .type = "integer", .description = std::move(description)};
}

Column flag_column(std::string name, std::string description) {
  return {.name = std::move(name), .type = "boolean", .description = std::move(description)};
}

Column name_column() {
  return {.name = "Name",
          .type = "string",
          .format = "name",
          .description = std::string(kNameDescription)};
}

Column age_column() {
  return {.name = "Age", .type = "string", .description = std::string(kCreationDescription)};
}

Column creation_column() {
  return {.name = "Age",
          .type = "date",
          .description = std::string(kCreationDescription),
          .json_path = ".metadata.creationTimestamp"};
}

Value name_cell(const Value& object) { return Value::string(meta::ObjectMeta::of(object).name()); }

Value age_cell(const Value& object, WallTime now, Arena& arena) {
  return Value::string(
      arena.copy(meta::human_age_since(meta::ObjectMeta::of(object).creation_timestamp(), now)));
}

}  // namespace strake::kinds
