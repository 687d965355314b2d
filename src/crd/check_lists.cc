// x-kubernetes-list-type, x-kubernetes-list-map-keys and x-kubernetes-map-type.
#include <algorithm>

#include "crd/check_parts.h"
#include "crd/go_dump.h"

namespace strake::crd {
namespace {

using value::FieldError;
using value::FieldErrors;
using value::Value;

constexpr std::string_view kAtomicItem =
    "must be atomic as item of a list with x-kubernetes-list-type=set";

// A type that an extension asks for.
void check_type_is(std::string_view wanted, const SchemaView& schema, std::string detail,
                   const SchemaTrail& at, FieldErrors& errors) {
  if (schema.type() == wanted) return;
  if (schema.type().empty()) {
    errors.push_back(FieldError::required(at / "type", std::move(detail)));
  } else {
    errors.push_back(
        FieldError::invalid(at / "type", Value::string(schema.type()), std::move(detail)));
  }
}

void check_atomic_items(const SchemaView& items, const SchemaTrail& at, FieldErrors& errors) {
  const auto list_type = items.optional_text("x-kubernetes-list-type");
  // Both print the list type, also where the map type is meant.
  const Value shown = list_type ? Value::string(*list_type) : Value();
  if (items.type() == "array" && list_type && *list_type != "atomic") {
    errors.push_back(invalid_json(at / "x-kubernetes-list-type", shown, std::string(kAtomicItem)));
  }
  if (items.type() == "object" && items.text("x-kubernetes-map-type") != "atomic") {
    errors.push_back(invalid_json(at / "x-kubernetes-map-type", shown, std::string(kAtomicItem)));
  }
}

void check_map_list(const SchemaView& schema, const SchemaTrail& at, FieldErrors& errors) {
  const Value* keys = schema.get("x-kubernetes-list-map-keys");
  if (schema.list("x-kubernetes-list-map-keys").empty()) {
    errors.push_back(FieldError::required(at / "x-kubernetes-list-map-keys",
                                          "must not be empty if x-kubernetes-list-type is map"));
  }
  const Value* given = schema.get("items");
  const auto items = schema.items();
  if (given == nullptr) {
    errors.push_back(
        FieldError::required(at / "items", "must have a schema if x-kubernetes-list-type is map"));
    return;
  }
  if (!items) {
    errors.push_back(
        invalid_shown(at / "items", dump_items(*given),
                      "must only have a single schema if x-kubernetes-list-type is map"));
    return;
  }
  if (items->type() != "object") {
    errors.push_back(
        FieldError::invalid(at / "items" / "type", Value::string(items->type()),
                            "must be object if parent array's x-kubernetes-list-type is map"));
    return;
  }
  TextSet seen;
  for (const Value& key : schema.list("x-kubernetes-list-map-keys")) {
    const std::string_view name = key.as_string();
    if (const auto property = items->property(name); !property) {
      errors.push_back(FieldError::invalid(at / "x-kubernetes-list-map-keys", *keys,
                                           "entries must all be names of item properties"));
    } else if (property->type() == "array" || property->type() == "object") {
      errors.push_back(FieldError::invalid(
          // The server shows the type of the item here, not that of the property.
          (at / "items" / "properties").key(name) / "type", Value::string(items->type()),
          "must be a scalar type if parent array's x-kubernetes-list-type is map"));
    }
    if (!seen.emplace(name).second) {
      errors.push_back(FieldError::invalid(at / "x-kubernetes-list-map-keys", *keys,
                                           "must not contain duplicate entries"));
    }
  }
}

}  // namespace

void check_map_list_keys(const SchemaView& schema, const SchemaTrail& at, FieldErrors& errors) {
  const auto items = schema.items();
  const std::string_view list_type = schema.text("x-kubernetes-list-type");
  if (!items || (list_type != "set" && list_type != "map")) return;
  if (items->flag("nullable")) {
    errors.push_back(FieldError::forbidden(
        at / "items" / "nullable",
        "cannot be nullable when x-kubernetes-list-type is " + std::string(list_type)));
  }
  if (list_type != "map") return;
  const auto required = items->list("required");
  for (const Value& key : schema.list("x-kubernetes-list-map-keys")) {
    const std::string_view name = key.as_string();
    const auto property = items->property(name);
    if (!property) continue;
    const bool is_required = std::any_of(required.begin(), required.end(),
                                         [&](const Value& one) { return one.as_string() == name; });
    const auto here = [&] { return (at / "items" / "properties").key(name); };
    if (!is_required && !property->has("default")) {
      errors.push_back(FieldError::required(
          here() / "default",
          "this property is in x-kubernetes-list-map-keys, so it must have a default "
          "or be a required property"));
    }
    if (property->flag("nullable")) {
      errors.push_back(FieldError::forbidden(
          here() / "nullable",
          "this property is in x-kubernetes-list-map-keys, so it cannot be nullable"));
    }
  }
}

void check_list_and_map_types(const SchemaView& schema, const CheckOptions& options,
                              const SchemaTrail& at, FieldErrors& errors) {
  static const std::vector<std::string> kMapTypes = {"atomic", "granular"};
  static const std::vector<std::string> kListTypes = {"atomic", "set", "map"};
  const auto map_type = schema.optional_text("x-kubernetes-map-type");
  if (map_type) {
    check_type_is("object", schema, "must be object if x-kubernetes-map-type is specified", at,
                  errors);
    if (*map_type != "atomic" && *map_type != "granular") {
      errors.push_back(FieldError::not_supported(at / "x-kubernetes-map-type",
                                                 Value::string(*map_type), kMapTypes));
    }
  }
  const auto list_type = schema.optional_text("x-kubernetes-list-type");
  if (list_type) {
    if (schema.type() != "array") {
      check_type_is("array", schema, "must be array if x-kubernetes-list-type is specified", at,
                    errors);
    } else if (options.require_atomic_sets && *list_type == "set") {
      if (const auto items = schema.items()) check_atomic_items(*items, at.field("items"), errors);
    }
    if (std::find(kListTypes.begin(), kListTypes.end(), *list_type) == kListTypes.end()) {
      errors.push_back(FieldError::not_supported(at / "x-kubernetes-list-type",
                                                 Value::string(*list_type), kListTypes));
    }
  }
  if (!schema.list("x-kubernetes-list-map-keys").empty() && list_type.value_or("") != "map") {
    constexpr std::string_view kMustBeMap =
        "must be map if x-kubernetes-list-map-keys is non-empty";
    if (!list_type) {
      errors.push_back(
          FieldError::required(at / "x-kubernetes-list-type", std::string(kMustBeMap)));
    } else {
      errors.push_back(FieldError::invalid(at / "x-kubernetes-list-type", Value::string(*list_type),
                                           std::string(kMustBeMap)));
    }
  }
  if (list_type == "map") check_map_list(schema, at, errors);
  if (options.require_map_list_keys) check_map_list_keys(schema, at, errors);
}

}  // namespace strake::crd
