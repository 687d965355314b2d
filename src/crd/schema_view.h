#pragma once
// A JSON schema of a CRD as its checks read it: a thin view of the canonical value, in which
// absent, empty and zero are one.
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "value/value.h"

namespace strake::crd {

class SchemaView {
 public:
  explicit SchemaView(const value::Value& schema) : v_(&schema) {}

  const value::Value& value() const { return *v_; }
  const value::Value* get(std::string_view key) const { return v_->find(key); }
  bool has(std::string_view key) const { return get(key) != nullptr; }
  std::string_view text(std::string_view key) const;
  bool flag(std::string_view key) const;
  // The string, also when it is empty; nothing when the field is absent.
  std::optional<std::string_view> optional_text(std::string_view key) const;
  std::optional<bool> optional_flag(std::string_view key) const;
  std::string_view type() const { return text("type"); }

  std::span<const value::Value> list(std::string_view key) const;
  std::span<const value::Member> members(std::string_view key) const;

  // `items` when it is one schema, and when it is a list of them.
  std::optional<SchemaView> items() const;
  std::span<const value::Value> items_list() const;
  // `additionalProperties`, `not` and the like when it is a schema.
  std::optional<SchemaView> schema(std::string_view key) const;
  std::optional<SchemaView> property(std::string_view name) const;
  // `x-kubernetes-preserve-unknown-fields: true`
  bool preserves_unknown() const {
    return optional_flag("x-kubernetes-preserve-unknown-fields").value_or(false);
  }

  // Calls visit(SchemaView) for this schema and every one inside, wherever it stands. Stops when
  // visit says true, and returns whether it did.
  template <typename Visit>
  bool any(const Visit& visit) const;

 private:
  const value::Value* v_;
};

template <typename Visit>
bool SchemaView::any(const Visit& visit) const {
  if (visit(*this)) return true;
  const auto in_schema = [&](const value::Value& v) {
    return v.is_object() && SchemaView(v).any(visit);
  };
  const auto in_list = [&](std::span<const value::Value> all) {
    for (const value::Value& v : all) {
      if (in_schema(v)) return true;
    }
    return false;
  };
  const auto in_map = [&](std::span<const value::Member> all) {
    for (const value::Member& m : all) {
      if (in_schema(m.value)) return true;
    }
    return false;
  };
  if (const value::Value* items = get("items")) {
    if (items->is_array() ? in_list(items->items()) : in_schema(*items)) return true;
  }
  if (in_list(list("allOf")) || in_list(list("anyOf")) || in_list(list("oneOf"))) return true;
  if (const value::Value* negated = get("not"); negated != nullptr && in_schema(*negated))
    return true;
  if (in_map(members("properties"))) return true;
  if (const value::Value* more = get("additionalProperties"); more != nullptr && in_schema(*more))
    return true;
  if (in_map(members("patternProperties"))) return true;
  if (const value::Value* more = get("additionalItems"); more != nullptr && in_schema(*more))
    return true;
  return in_map(members("definitions")) || in_map(members("dependencies"));
}

// What keeps a schema from being taken as a structural one at all, in the server's words; nothing
// for most schemas.
std::optional<std::string> conversion_fault(const SchemaView& schema);

}  // namespace strake::crd
