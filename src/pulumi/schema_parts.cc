#include "pulumi/schema_parts.h"

#include <algorithm>
#include <cmath>

namespace strake::pulumi {

using value::Member;
using value::Type;
using value::Value;

Value make_list(std::span<const Value> items, Arena& arena) {
  Value* out = arena.allocate_array<Value>(items.size());
  std::copy(items.begin(), items.end(), out);
  return Value::array({out, items.size()});
}

Value make_text_set(std::vector<std::string_view> texts, Arena& arena) {
  std::ranges::sort(texts);
  const auto rest = std::ranges::unique(texts);
  texts.erase(rest.begin(), rest.end());
  std::vector<Value> items;
  for (const std::string_view text : texts) items.push_back(Value::string(text));
  return make_list(items, arena);
}

Value make_object(std::span<const Member> members, Arena& arena) {
  Member* out = arena.allocate_array<Member>(members.size());
  std::copy(members.begin(), members.end(), out);
  return Value::object({out, members.size()});
}

Value schema_of_type(std::string_view type, Arena& arena) {
  const Member members[] = {{"type", Value::string(type)}};
  return make_object(members, arena);
}

Value opaque_object(Arena& arena) {
  const Member members[] = {{"type", Value::string("object")}, {kPreserve, Value::boolean(true)}};
  return make_object(members, arena);
}

std::string_view schema_type(const Value& schema) {
  const Value* type = schema.find("type");
  return type != nullptr ? type->as_string() : std::string_view();
}

bool is_scalar_type(std::string_view type) {
  return type == "string" || type == "boolean" || type == "integer" || type == "number";
}

bool is_opaque(const Value& schema) { return schema.find(kPreserve) != nullptr; }

std::vector<std::string_view> required_of(const Value& schema) {
  std::vector<std::string_view> out;
  if (const Value* required = schema.find("required")) {
    for (const Value& name : required->items()) out.push_back(name.as_string());
  }
  return out;
}

bool fits_scalar(const Value& v, std::string_view type) {
  if (type == "string") return v.is_string();
  if (type == "boolean") return v.is_bool();
  if (type == "number") return v.is_number();
  if (type != "integer") return false;
  if (v.type() == Type::kInt) return true;
  if (v.type() != Type::kDouble) return false;
  const double d = v.as_double();
  return std::trunc(d) == d && d >= -0x1p63 && d < 0x1p63;
}

Value settled_scalar(const Value& v, std::string_view type) {
  if (type == "integer" && v.type() == Type::kDouble && fits_scalar(v, type)) {
    return Value::integer(static_cast<std::int64_t>(v.as_double()));
  }
  return v;
}

namespace {

bool fits_object(const Value& v, const Value& schema) {
  if (!v.is_object()) return false;
  const Value* properties = schema.find("properties");
  const Value* additional = schema.find("additionalProperties");
  for (const Member& member : v.members()) {
    const Value* known = properties != nullptr ? properties->find(member.key) : additional;
    if (known == nullptr ? !is_opaque(schema) : !fits_schema(member.value, *known)) return false;
  }
  return std::ranges::all_of(required_of(schema), [&](std::string_view name) {
    if (v.find(name) != nullptr) return true;
    const Value* property = properties != nullptr ? properties->find(name) : nullptr;
    return property != nullptr && property->find("default") != nullptr;
  });
}

}  // namespace

bool fits_schema(const Value& v, const Value& schema) {
  if (v.is_null()) return false;
  if (schema.find("oneOf") != nullptr || schema.find("anyOf") != nullptr ||
      schema.find(kListType) != nullptr || schema.find(kValidations) != nullptr) {
    return false;
  }
  if (const Value* choices = schema.find("enum")) {
    const bool one = std::ranges::any_of(
        choices->items(), [&](const Value& choice) { return value::equal(choice, v); });
    if (!one) return false;
  }
  const std::string_view type = schema_type(schema);
  if (type.empty()) {
    if (schema.find(kIntOrString) == nullptr) return is_opaque(schema);
    return v.is_string() || fits_scalar(v, "integer");
  }
  if (type == "object") return fits_object(v, schema);
  if (type == "array") {
    const Value* items = schema.find("items");
    return v.is_array() && items != nullptr &&
           std::ranges::all_of(v.items(), [&](const Value& i) { return fits_schema(i, *items); });
  }
  return fits_scalar(v, type);
}

}  // namespace strake::pulumi
