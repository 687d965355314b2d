#include "policy/patch_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/base64.h"
#include "base/quote.h"
#include "base/rfc3339.h"
#include "cel/lib/k8s_objects.h"
#include "cel/value/containers.h"
#include "cel/value/time.h"
#include "policy/types.h"

namespace strake::policy {
namespace {

using cel::Kind;
using value::Value;
using FieldValue = cel::TypeProvider::FieldValue;

// Deeper values come from no schema, and would take the stack with them.
constexpr std::size_t kMaxDepth = 200;

class PatchObject final : public cel::Object {
 public:
  PatchObject(const cel::Type& type, std::span<const FieldValue> fields)
      : type_(&type), fields_(fields) {}
  const cel::Type* type() const override { return type_; }
  bool equal(const cel::Object& other, Arena& arena) const override {
    const auto& right = static_cast<const PatchObject&>(other);
    if (type_->name != right.type_->name || fields_.size() != right.fields_.size()) return false;
    return std::ranges::all_of(fields_, [&](const FieldValue& one) {
      const FieldValue* found = right.find(one.name);
      return found != nullptr && cel::equal(one.value, found->value, arena);
    });
  }
  cel::Value get_field(std::string_view name, Arena& arena) const override {
    if (const FieldValue* found = find(name)) return found->value;
    return cel::Value::error(fmt::format("no such key: {}", name), arena);
  }
  cel::Value has_field(std::string_view name, Arena&) const override {
    return cel::Value::boolean(find(name) != nullptr);
  }
  bool is_zero() const override { return fields_.empty(); }
  std::span<const FieldValue> fields() const { return fields_; }

 private:
  const FieldValue* find(std::string_view name) const {
    const auto found = std::ranges::find(fields_, name, &FieldValue::name);
    return found != fields_.end() ? &*found : nullptr;
  }
  const cel::Type* type_;
  std::span<const FieldValue> fields_;
};

class JsonPatchObject final : public cel::Object {
 public:
  std::string_view op;
  std::string_view path;
  std::string_view from;
  const cel::Value* value = nullptr;

  const cel::Type* type() const override { return &kJsonPatchType; }
  bool equal(const cel::Object& other, Arena& arena) const override {
    const auto& right = static_cast<const JsonPatchObject&>(other);
    if (op != right.op || path != right.path || from != right.from) return false;
    if (value == nullptr || right.value == nullptr) return value == right.value;
    return cel::equal(*value, *right.value, arena);
  }
  cel::Value get_field(std::string_view name, Arena& arena) const override {
    if (name == "op") return cel::Value::string(op);
    if (name == "path") return cel::Value::string(path);
    if (name == "from") return cel::Value::string(from);
    if (name == "value") return value != nullptr ? *value : cel::Value::null();
    return cel::Value::error(fmt::format("unsupported indexer: {}", name), arena);
  }
  cel::Value has_field(std::string_view name, Arena& arena) const override {
    if (name == "op") return cel::Value::boolean(!op.empty());
    if (name == "path") return cel::Value::boolean(!path.empty());
    if (name == "from") return cel::Value::boolean(!from.empty());
    if (name == "value") return cel::Value::boolean(value != nullptr);
    return cel::Value::error(fmt::format("unsupported field: {}", name), arena);
  }
};

const PatchObject* as_patch_object(const cel::Value& v) {
  const cel::Object* object = v.as_object();
  if (object == nullptr) return nullptr;
  const std::string_view name = object->type()->name;
  if (name != kObjectType.name && !name.starts_with("Object.")) return nullptr;
  return static_cast<const PatchObject*>(object);
}

// Whether every object below has the type of its place: Object.spec{} stands in the field spec of
// Object{}. Lists and maps on the way have no name.
class NameCheck {
 public:
  explicit NameCheck(Arena& arena) : arena_(arena) {}
  std::string run(const PatchObject& root) {
    check(cel::Value::object(&root), std::string(root.type()->name), 0);
    return fmt::format("{}", fmt::join(faults_, "\n"));
  }

 private:
  void check(const cel::Value& v, const std::string& wanted, std::size_t depth) {
    if (depth > kMaxDepth) return;
    if (const PatchObject* object = as_patch_object(v)) {
      const std::string_view name = object->type()->name;
      if (name != wanted) {
        faults_.push_back(fmt::format(
            "unexpected type name {}, expected {}, which matches field name path from root Object "
            "type",
            quote(name), quote(wanted)));
      }
      for (const FieldValue& one : object->fields())
        check(one.value, fmt::format("{}.{}", wanted, one.name), depth + 1);
      return;
    }
    // What stands in the document holds no such objects.
    if (v.node() != nullptr || (!v.is(Kind::kList) && !v.is(Kind::kMap))) return;
    for (cel::Cursor at(v, arena_); !at.done(); at.next())
      check(v.is(Kind::kMap) ? at.value() : at.item(), wanted, depth + 1);
  }
  Arena& arena_;
  std::vector<std::string> faults_;
};

std::expected<Value, std::string> to_json(const cel::Value& v, Arena& arena, std::size_t depth);

std::expected<Value, std::string> object_to_json(std::span<const FieldValue> fields, Arena& arena,
                                                 std::size_t depth) {
  Value out = Value::object({});
  for (const FieldValue& one : fields) {
    auto converted = to_json(one.value, arena, depth + 1);
    if (!converted) return converted;
    out.set(arena.copy(one.name), *converted, arena);
  }
  return out;
}

std::expected<Value, std::string> container_to_json(const cel::Value& v, Arena& arena,
                                                    std::size_t depth) {
  Value out = v.is(Kind::kMap) ? Value::object({}) : Value::array({});
  for (cel::Cursor at(v, arena); !at.done(); at.next()) {
    const cel::Value part = v.is(Kind::kMap) ? at.value() : at.item();
    auto converted = to_json(part, arena, depth + 1);
    if (!converted) return converted;
    if (v.is(Kind::kList)) {
      out.append(*converted, arena);
      continue;
    }
    const cel::Value key = at.item();
    if (!key.is(Kind::kString)) {
      return std::unexpected(
          fmt::format("map key of type {} is not a string", cel::type_name(key)));
    }
    out.set(arena.copy(key.as_text()), *converted, arena);
  }
  return out;
}

std::expected<Value, std::string> to_json(const cel::Value& v, Arena& arena, std::size_t depth) {
  if (depth > kMaxDepth) return std::unexpected("the value is nested too deeply");
  if (v.node() != nullptr) return value::deep_copy(*v.node(), arena);
  switch (v.kind()) {
    case Kind::kNull: return Value();
    case Kind::kBool: return Value::boolean(v.as_bool());
    case Kind::kInt: return Value::integer(v.as_int());
    case Kind::kUint: return Value::unsigned_integer(v.as_uint());
    case Kind::kDouble: return Value::number(v.as_double());
    case Kind::kString: return Value::string(arena.copy(v.as_text()));
    case Kind::kBytes: return Value::string(arena.copy(base64_encode(v.as_text())));
    case Kind::kDuration: return Value::string(arena.copy(cel::format_duration(v.as_duration())));
    case Kind::kTimestamp: return Value::string(arena.copy(format_rfc3339(v.as_timestamp())));
    case Kind::kList:
    case Kind::kMap: return container_to_json(v, arena, depth);
    case Kind::kOptional:
      if (v.held() != nullptr) return to_json(*v.held(), arena, depth + 1);
      return Value();
    default: break;
  }
  if (const PatchObject* object = as_patch_object(v))
    return object_to_json(object->fields(), arena, depth);
  if (v.as_object() != nullptr) {
    if (const auto text = v.as_object()->text(arena)) return Value::string(arena.copy(*text));
  }
  return std::unexpected(fmt::format("type conversion error from '{}' to JSON", cel::type_name(v)));
}

}  // namespace

cel::Value make_patch_object(const cel::Type& type, std::span<const FieldValue> fields,
                             Arena& arena) {
  return cel::new_object<PatchObject>(arena, type, fields);
}

cel::Value make_json_patch(std::span<const FieldValue> fields, Arena& arena) {
  const cel::Value made = cel::new_object<JsonPatchObject>(arena);
  auto& patch =
      const_cast<JsonPatchObject&>(static_cast<const JsonPatchObject&>(*made.as_object()));
  for (const FieldValue& one : fields) {
    if (one.name == "value") {
      patch.value = &one.value;
      continue;
    }
    if (!one.value.is(Kind::kString)) {
      return cel::Value::error(fmt::format("unexpected type {} for JSONPatchType '{}' field",
                                           cel::type_name(one.value), one.name),
                               arena);
    }
    if (one.name == "op") patch.op = one.value.as_text();
    if (one.name == "path") patch.path = one.value.as_text();
    if (one.name == "from") patch.from = one.value.as_text();
  }
  return made;
}

std::expected<Value, std::string> apply_configuration_of(const cel::Value& v, Arena& arena) {
  const PatchObject* object = as_patch_object(v);
  if (object == nullptr) {
    return std::unexpected(fmt::format(
        "unsupported return type from ApplyConfiguration expression: {}", cel::type_name(v)));
  }
  if (std::string faults = NameCheck(arena).run(*object); !faults.empty())
    return std::unexpected("type mismatch: " + faults);
  return object_to_json(object->fields(), arena, 0);
}

std::expected<Value, std::string> json_patch_of(const cel::Value& v, Arena& arena) {
  if (!v.is(Kind::kList)) {
    return std::unexpected("type mismatch: JSONPatchType.expression should evaluate to array");
  }
  Value out = Value::array({});
  for (cel::Cursor at(v, arena); !at.done(); at.next()) {
    const cel::Value item = at.item();
    const cel::Object* object = item.as_object();
    if (object == nullptr || object->type() != &kJsonPatchType) {
      return std::unexpected(
          fmt::format("type mismatch: JSONPatchType.expression should evaluate to array of "
                      "JSONPatch, got element of {}",
                      cel::type_name(item)));
    }
    const auto& patch = static_cast<const JsonPatchObject&>(*object);
    Value operation = Value::object({});
    if (!patch.from.empty()) operation.set("from", Value::string(arena.copy(patch.from)), arena);
    operation.set("op", Value::string(arena.copy(patch.op)), arena);
    operation.set("path", Value::string(arena.copy(patch.path)), arena);
    if (patch.value != nullptr) {
      if (const PatchObject* nested = as_patch_object(*patch.value)) {
        if (std::string faults = NameCheck(arena).run(*nested); !faults.empty())
          return std::unexpected("type mismatch: " + faults);
      }
      auto converted = to_json(*patch.value, arena, 0);
      if (!converted) {
        return std::unexpected(
            "JSONPath valueExpression evaluated to a type that could not "
            "marshal to JSON: " +
            converted.error());
      }
      operation.set("value", *converted, arena);
    }
    out.append(operation, arena);
  }
  return out;
}

}  // namespace strake::policy
