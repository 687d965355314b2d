#include "kinds/columns.h"

#include "meta/age.h"
#include "meta/object_meta.h"

namespace strake::kinds {
namespace {

using value::Value;

// Both are part of the answers that clients get, word for word.
constexpr std::string_view kNameDescription =
    "Name must be unique within a namespace. Is required when creating resources, although some "
    "resources may allow a client to request the generation of an appropriate name automatically. "
    "Name is primarily intended for creation idempotence and configuration definition. Cannot be "
    "updated. More info: "
    "https://kubernetes.io/docs/concepts/overview/working-with-objects/names#names";
constexpr std::string_view kCreationDescription =
    "CreationTimestamp is a timestamp representing the server time when this object was created. "
    "It is not guaranteed to be set in happens-before order across separate operations. Clients "
    "may not set this value. It is represented in RFC3339 form and is in UTC.\n\nPopulated by the "
    "system. Read-only. Null for lists. More info: "
    "https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata";

}  // namespace

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
