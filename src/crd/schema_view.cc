#include "crd/schema_view.h"

#include <fmt/format.h>

#include "crd/check_words.h"

namespace strake::crd {

using value::Member;
using value::Value;

std::string_view SchemaView::text(std::string_view key) const {
  const Value* v = get(key);
  return v != nullptr && v->is_string() ? v->as_string() : std::string_view();
}

bool SchemaView::flag(std::string_view key) const {
  const Value* v = get(key);
  return v != nullptr && v->is_bool() && v->as_bool();
}

std::optional<std::string_view> SchemaView::optional_text(std::string_view key) const {
  const Value* v = get(key);
  if (v == nullptr || !v->is_string()) return std::nullopt;
  return v->as_string();
}

std::optional<bool> SchemaView::optional_flag(std::string_view key) const {
  const Value* v = get(key);
  if (v == nullptr || !v->is_bool()) return std::nullopt;
  return v->as_bool();
}

std::span<const Value> SchemaView::list(std::string_view key) const {
  const Value* v = get(key);
  return v != nullptr && v->is_array() ? v->items() : std::span<const Value>();
}

std::span<const Member> SchemaView::members(std::string_view key) const {
  const Value* v = get(key);
  return v != nullptr && v->is_object() ? v->members() : std::span<const Member>();
}

std::optional<SchemaView> SchemaView::schema(std::string_view key) const {
  const Value* v = get(key);
  if (v == nullptr || !v->is_object()) return std::nullopt;
  return SchemaView(*v);
}

std::optional<SchemaView> SchemaView::items() const { return schema("items"); }

std::span<const Value> SchemaView::items_list() const { return list("items"); }

std::optional<SchemaView> SchemaView::property(std::string_view name) const {
  const Value* all = get("properties");
  const Value* v = all != nullptr ? all->find(name) : nullptr;
  if (v == nullptr) return std::nullopt;
  return SchemaView(*v);
}

std::optional<std::string> conversion_fault(const SchemaView& schema) {
  struct Unsupported {
    std::string_view key;
    std::string_view name;
  };
  static constexpr Unsupported kNotStructural[] = {
      {"id", "id"},
      {"$schema", "schema"},
      {"$ref", "$ref"},
      {"patternProperties", "patternProperties"},
      {"dependencies", "dependencies"},
      {"additionalItems", "additionalItems"},
      {"definitions", "definitions"},
  };
  constexpr Words kNotStructuralWords = Word::kId | Word::kSchemaUrl | Word::kRef |
                                        Word::kPatternProperties | Word::kDependencies |
                                        Word::kAdditionalItems | Word::kDefinitions;
  const Words words = Words::of(schema.value());
  if (words.any(kNotStructuralWords)) {
    for (const Unsupported& one : kNotStructural) {
      const Value* v = schema.get(one.key);
      if (v == nullptr || (v->is_string() && v->size() == 0)) continue;
      return fmt::format("OpenAPIV3Schema '{}' is not supported", one.name);
    }
  }
  if (words.any(kJunctors)) {
    const auto in_list = [](std::span<const Value> all) -> std::optional<std::string> {
      for (const Value& v : all) {
        if (auto fault = conversion_fault(SchemaView(v))) return fault;
      }
      return std::nullopt;
    };
    if (const auto negated = schema.schema("not")) {
      if (auto fault = conversion_fault(*negated)) return fault;
    }
    for (const std::string_view junctor : {"allOf", "anyOf", "oneOf"}) {
      if (auto fault = in_list(schema.list(junctor))) return fault;
    }
  }
  if (words.has(Word::kPreserveUnknown) &&
      !schema.optional_flag("x-kubernetes-preserve-unknown-fields").value_or(true)) {
    return "internal error: 'x-kubernetes-preserve-unknown-fields' must be true or undefined";
  }
  if (words.has(Word::kItems)) {
    if (!schema.items_list().empty())
      return "OpenAPIV3Schema 'items' must be a schema, but is an array";
    if (const auto items = schema.items()) {
      if (auto fault = conversion_fault(*items)) return fault;
    }
  }
  if (words.has(Word::kProperties)) {
    for (const Member& property : schema.members("properties")) {
      if (auto fault = conversion_fault(SchemaView(property.value))) return fault;
    }
  }
  if (!words.has(Word::kAdditionalProperties)) return std::nullopt;
  if (const auto more = schema.schema("additionalProperties")) return conversion_fault(*more);
  return std::nullopt;
}

}  // namespace strake::crd
