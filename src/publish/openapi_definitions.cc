#include "publish/openapi_definitions.h"

#include <fmt/format.h>

namespace strake::publish {
namespace {

using value::Document;
using value::Member;
using value::Value;

constexpr std::string_view kV3Prefix = "#/components/schemas/";
constexpr std::string_view kV2Prefix = "#/definitions/";

template <typename Visit>
void each_reference(const Value& v, Visit&& visit) {
  if (v.is_array()) {
    for (const Value& item : v.items()) each_reference(item, visit);
  } else if (v.is_object()) {
    for (const Member& member : v.members()) {
      if (member.key != "$ref") {
        each_reference(member.value, visit);
      } else if (member.value.is_string() && member.value.as_string().starts_with(kV3Prefix)) {
        visit(member.value.as_string().substr(kV3Prefix.size()));
      }
    }
  }
}

// The built-in schemas are kept in the form of OpenAPI v3; this makes Swagger 2.0 of a copy.
// Swagger has no oneOf and anyOf, and kube-apiserver publishes no defaults there.
class Simplifier {
 public:
  explicit Simplifier(Arena& arena) : arena_(arena) {}

  void schema(Value& schema) {
    if (!schema.is_object()) return;
    schema.remove("default");
    unwrap_reference(schema);
    if (Value* reference = schema.find("$ref"); reference != nullptr && reference->is_string())
      *reference = v2_reference(reference->as_string());
    reduce_alternatives(schema);
    if (Value* properties = schema.find("properties");
        properties != nullptr && properties->is_object()) {
      for (Member& property : properties->mutable_members()) this->schema(property.value);
    }
    for (const std::string_view key : {"items", "additionalProperties"}) {
      if (Value* below = schema.find(key)) this->schema(*below);
    }
  }

 private:
  Value v2_reference(std::string_view reference) {
    if (!reference.starts_with(kV3Prefix)) return Value::string(reference);
    return Value::string(
        arena_.copy(fmt::format("{}{}", kV2Prefix, reference.substr(kV3Prefix.size()))));
  }

  // v3 wraps a reference that has something beside it, v2 allows it there.
  void unwrap_reference(Value& schema) {
    const Value* all = schema.find("allOf");
    if (all == nullptr || !all->is_array() || all->size() != 1) return;
    const Value* reference = all->items()[0].find("$ref");
    if (reference == nullptr || !reference->is_string()) return;
    const Value found = *reference;
    schema.remove("allOf");
    schema.set("$ref", found, arena_);
  }

  // Quantities and int-or-string values: text, the second with a format of its own.
  void reduce_alternatives(Value& schema) {
    bool any = false;
    bool integer = false;
    for (const std::string_view key : {"oneOf", "anyOf"}) {
      const Value* all = schema.find(key);
      if (all == nullptr) continue;
      any = true;
      if (all->is_array()) {
        for (const Value& one : all->items()) {
          const Value* type = one.find("type");
          integer =
              integer || (type != nullptr && type->is_string() && type->as_string() == "integer");
        }
      }
      schema.remove(key);
    }
    if (!any) return;
    schema.set("type", Value::string("string"), arena_);
    if (integer) schema.set("format", Value::string("int-or-string"), arena_);
  }

  Arena& arena_;
};

}  // namespace

void Definitions::add(const Value& schemas) {
  for (const Member& one : schemas.members()) all_.try_emplace(one.key, &one.value);
}

void Definitions::add(const Value& schemas, std::string_view name) {
  for (const Member& one : schemas.members()) {
    if (one.key == name) all_.try_emplace(one.key, &one.value);
  }
}

void Definitions::adopt(Document schemas) {
  owned_.push_back(std::move(schemas));
  add(owned_.back().root());
}

// The transitive closure, so that a document has exactly the schemas that it refers to.
void Definitions::add_referenced(const Value& schemas) {
  std::vector<const Value*> todo;
  for (const auto& [name, schema] : all_) todo.push_back(schema);
  while (!todo.empty()) {
    const Value* schema = todo.back();
    todo.pop_back();
    each_reference(*schema, [&](std::string_view name) {
      if (all_.contains(name)) return;
      const Value* found = schemas.find(name);
      if (found == nullptr) return;
      add(schemas, name);
      todo.push_back(found);
    });
  }
}

void Definitions::write(JsonText& json) const {
  json.open_object();
  for (const auto& [name, schema] : all_) json.any_key(name).value(*schema);
  json.close_object();
}

Document to_v2(const Value& v3_schemas) {
  Document out;
  out.root() = value::deep_copy(v3_schemas, out.arena());
  Simplifier simplifier(out.arena());
  for (Member& one : out.root().mutable_members()) simplifier.schema(one.value);
  return out;
}

}  // namespace strake::publish
