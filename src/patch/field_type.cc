#include "patch/field_type.h"

#include <algorithm>

#include "base/assert.h"
#include "base/quote.h"
#include "schema/compile.h"
#include "value/json_reader.h"

namespace strake::patch {

using schema::Additional;
using schema::JsonType;
using schema::ListType;
using schema::MapType;
using schema::Node;
using value::Member;
using value::Value;

namespace {

schema::NodePtr compile(const char* text) {
  const auto document = value::read_json(text);
  STRAKE_ASSERT(document.has_value());
  auto node = schema::compile(document->root());
  STRAKE_ASSERT(node.has_value());
  return *node;
}

const Node* text_node() {
  static const schema::NodePtr node = compile(R"({"type":"string"})");
  return node.get();
}

const Node* object_meta_node() {
  static const schema::NodePtr node = compile(R"({
    "type": "object",
    "properties": {
      "annotations": {"type": "object", "additionalProperties": {"type": "string"}},
      "creationTimestamp": {"type": "string", "format": "date-time"},
      "deletionGracePeriodSeconds": {"type": "integer"},
      "deletionTimestamp": {"type": "string", "format": "date-time"},
      "finalizers": {"type": "array", "items": {"type": "string"},
                     "x-kubernetes-list-type": "set"},
      "generateName": {"type": "string"},
      "generation": {"type": "integer"},
      "labels": {"type": "object", "additionalProperties": {"type": "string"}},
      "managedFields": {
        "type": "array",
        "x-kubernetes-list-type": "atomic",
        "items": {
          "type": "object",
          "properties": {
            "apiVersion": {"type": "string"},
            "fieldsType": {"type": "string"},
            "fieldsV1": {"type": "object"},
            "manager": {"type": "string"},
            "operation": {"type": "string"},
            "subresource": {"type": "string"},
            "time": {"type": "string", "format": "date-time"}
          }
        }
      },
      "name": {"type": "string"},
      "namespace": {"type": "string"},
      "ownerReferences": {
        "type": "array",
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["uid"],
        "items": {
          "type": "object",
          "x-kubernetes-map-type": "atomic",
          "properties": {
            "apiVersion": {"type": "string"},
            "blockOwnerDeletion": {"type": "boolean"},
            "controller": {"type": "boolean"},
            "kind": {"type": "string"},
            "name": {"type": "string"},
            "uid": {"type": "string"}
          }
        }
      },
      "resourceVersion": {"type": "string"},
      "selfLink": {"type": "string"},
      "uid": {"type": "string"}
    }
  })");
  return node.get();
}

}  // namespace

FieldType::FieldType(Kind kind, const Node* node, bool preserve, bool resource)
    : node_(node),
      kind_(kind),
      preserve_(preserve || (node != nullptr && node->preserve_unknown)),
      resource_(resource || (node != nullptr && node->embedded_resource)) {}

FieldType FieldType::of_resource(const Node* schema) {
  if (schema == nullptr) return {Kind::kDeduced, nullptr, false};
  return {Kind::kNode, schema, false, true};
}

bool FieldType::allows(Form form) const {
  if (kind_ != Kind::kNode) return kind_ != Kind::kUndeclared;
  switch (node_->type) {
    case JsonType::kNone: return true;
    case JsonType::kObject: return form == Form::kMap;
    case JsonType::kArray: return form == Form::kList;
    default: return form == Form::kScalar;
  }
}

FieldType::Form FieldType::form(const Value* v) const {
  if (v != nullptr && !v->is_null()) {
    const Form own = v->is_array() ? Form::kList : v->is_object() ? Form::kMap : Form::kScalar;
    if (allows(own)) return own;
  }
  if (allows(Form::kMap)) return Form::kMap;
  return allows(Form::kScalar) ? Form::kScalar : Form::kList;
}

FieldType::Scalar FieldType::scalar() const {
  if (kind_ != Kind::kNode) return Scalar::kUntyped;
  switch (node_->type) {
    case JsonType::kInteger:
    case JsonType::kNumber: return Scalar::kNumeric;
    case JsonType::kBoolean: return Scalar::kBoolean;
    case JsonType::kString:
      return node_->format_text.empty() || node_->format_text == "byte" ? Scalar::kString
                                                                        : Scalar::kUntyped;
    default: return Scalar::kUntyped;
  }
}

bool FieldType::atomic_list() const {
  if (kind_ != Kind::kNode) return true;
  return node_->list_type != ListType::kSet && node_->list_type != ListType::kMap;
}

bool FieldType::atomic_map() const {
  if (kind_ != Kind::kNode) return kind_ == Kind::kUntyped;
  return node_->map_type == MapType::kAtomic;
}

std::span<const std::string> FieldType::keys() const {
  if (kind_ != Kind::kNode || node_->list_type != ListType::kMap) return {};
  return node_->map_keys;
}

FieldType FieldType::items() const {
  if (kind_ != Kind::kNode || node_->items == nullptr) return {Kind::kUntyped, nullptr, false};
  return {Kind::kNode, node_->items.get(), preserve_};
}

bool FieldType::names(std::string_view member) const {
  if (kind_ != Kind::kNode) return false;
  return (resource_ && schema::is_type_meta(member)) || node_->property(member) != nullptr;
}

FieldType FieldType::member(std::string_view name) const {
  if (kind_ != Kind::kNode) return *this;
  if (resource_ && schema::is_type_meta(name))
    return {Kind::kNode, name == "metadata" ? object_meta_node() : text_node(), false};
  if (const Node* property = node_->property(name)) return {Kind::kNode, property, preserve_};
  switch (node_->additional) {
    case Additional::kSchema: return {Kind::kNode, node_->additional_schema.get(), preserve_};
    case Additional::kTrue: return {Kind::kDeduced, nullptr, false};
    case Additional::kFalse: return {Kind::kUndeclared, nullptr, false};
    case Additional::kAbsent: break;
  }
  // An object of which nothing is said takes anything.
  const bool free = preserve_ || (node_->properties.empty() && !resource_);
  return {free ? Kind::kDeduced : Kind::kUndeclared, nullptr, false};
}

const Value* FieldType::default_of(std::string_view name) const {
  if (kind_ != Kind::kNode) return nullptr;
  const Node* property = node_->property(name);
  if (property == nullptr || property->default_value == nullptr) return nullptr;
  return &property->default_value->root();
}

bool FieldType::free_form_map() const {
  if (kind_ != Kind::kNode) return true;
  if (!node_->properties.empty() || resource_) return false;
  const FieldType element = member({});
  return element.kind_ == Kind::kDeduced ||
         (element.kind_ == Kind::kNode && element.allows(Form::kScalar) &&
          element.scalar() == Scalar::kUntyped);
}

namespace {

// The key fields of an item, absent ones by their default.
Result<PathElement> name_by_keys(const FieldType& list, const Value& item, Arena& arena) {
  const std::span<const std::string> keys = list.keys();
  if (item.is_null())
    return fail(Code::kInvalid, "associative list with keys may not have a null element");
  if (!item.is_object())
    return fail(Code::kInvalid, "associative list with keys may not have non-map elements");
  auto* fields = arena.allocate_array<Member>(keys.size());
  std::size_t count = 0;
  for (const std::string& key : keys) {
    const Value* v = item.find(key);
    if (v == nullptr) v = list.items().default_of(key);
    if (v != nullptr) fields[count++] = {arena.copy(key), *v};
  }
  if (count == 0) {
    std::string names;
    for (const std::string& key : keys) names += (names.empty() ? "" : " ") + quote(key);
    return fail(Code::kInvalid,
                "associative list with keys has an element that omits all key fields [{}] (and "
                "doesn't have default values for any key fields)",
                names);
  }
  std::sort(fields, fields + count,
            [](const Member& a, const Member& b) { return value::compare_keys(a.key, b.key) < 0; });
  return PathElement::key(Value::object({fields, count}));
}

}  // namespace

Result<PathElement> name_item(const FieldType& list, const Value& item, Arena& arena) {
  if (!list.keys().empty()) return name_by_keys(list, item, arena);
  if (item.is_object()) {
    return fail(Code::kInvalid, "associative list without keys has an element that's a map type");
  }
  if (item.is_array())
    return fail(Code::kInvalid, "not supported: associative list with lists as elements");
  if (item.is_null()) {
    return fail(Code::kInvalid,
                "associative list without keys has an element that's an explicit null");
  }
  return PathElement::item(item);
}

namespace {

// Walks of a set along a schema. Sets are never deeper than kMaxFieldDepth.
class SetWalk {
 public:
  explicit SetWalk(Arena& arena) : builder_(arena) {}

  FieldSet reconcile(const FieldSet& set, const FieldType& type) {
    if (set.empty()) return set;
    switch (type.form(nullptr)) {
      case FieldType::Form::kScalar: return set;
      case FieldType::Form::kList: return below(set, [&](const auto&) { return type.items(); });
      case FieldType::Form::kMap: break;
    }
    if (type.free_form_map()) return set;
    return below(set, [&](const PathElement& element) {
      return type.member(element.is_field() ? element.name() : std::string_view());
    });
  }

  FieldSet with_named_fields(const FieldSet& set, const FieldType* type) {
    const std::size_t begun = builder_.begin();
    for (const FieldSet::Entry& e : set.entries()) {
      const bool named = type != nullptr && e.element.is_field() && type->names(e.element.name()) &&
                         !e.below.empty();
      builder_.add({e.element, e.member || named, named_below(e, type)});
    }
    return builder_.finish(begun, set);
  }

 private:
  template <typename TypeOf>
  FieldSet below(const FieldSet& set, TypeOf type_of) {
    const std::size_t begun = builder_.begin();
    for (const FieldSet::Entry& e : set.entries()) {
      const FieldType type = type_of(e.element);
      if (type.undeclared()) {
        builder_.add(e);
      } else if (!e.below.empty() && now_atomic(type)) {
        builder_.add({e.element, true, {}});
      } else {
        builder_.add({e.element, e.member, reconcile(e.below, type)});
      }
    }
    return builder_.finish(begun, set);
  }

  static bool now_atomic(const FieldType& type) {
    switch (type.form(nullptr)) {
      case FieldType::Form::kScalar: return false;
      case FieldType::Form::kList: return type.atomic_list();
      case FieldType::Form::kMap: return !type.free_form_map() && type.atomic_map();
    }
    return false;
  }

  FieldSet named_below(const FieldSet::Entry& e, const FieldType* type) {
    if (e.below.empty()) return e.below;
    if (type != nullptr && e.element.is_field()) {
      const FieldType member = type->member(e.element.name());
      return with_named_fields(e.below, &member);
    }
    if (type != nullptr && e.element.kind() == PathElement::Kind::kKey) {
      const FieldType items = type->items();
      return with_named_fields(e.below, &items);
    }
    return with_named_fields(e.below, nullptr);
  }

  FieldSetBuilder builder_;
};

}  // namespace

FieldSet reconcile(const FieldSet& set, const FieldType& type, Arena& arena) {
  return SetWalk(arena).reconcile(set, type);
}

FieldSet with_named_fields(const FieldSet& set, const FieldType& type, Arena& arena) {
  return SetWalk(arena).with_named_fields(set, &type);
}

}  // namespace strake::patch
