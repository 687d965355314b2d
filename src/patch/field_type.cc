#include "patch/field_type.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "base/assert.h"
#include "base/quote.h"
#include "schema/compile.h"
#include "value/json_reader.h"

// A FieldType says how a place is owned: by the node of a schema (kNode), by the shape of its value
// where the schema says nothing (kDeduced: maps are walked, lists are one field), or not at all
// (kUndeclared: what stands there does not belong into the object). It is a pointer and three
// flags, made on the way down and never stored.
//
// apiVersion, kind and metadata of a resource are not in its schema; they have types of their own.
// Below x-kubernetes-preserve-unknown-fields (preserve_) undeclared members are deduced.
//
// Members and properties are both sorted, so MemberTypes walks them side by side, and searches only
// where the next property is not near. reconcile() brings sets that were written under an older
// schema to this one: what has become atomic since is owned as a whole by whoever owned a part.

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

FieldType FieldType::of_resource(const Node* schema) {
  if (schema == nullptr) return {Kind::kDeduced, nullptr, false};
  return {Kind::kNode, schema, false, true};
}

std::span<const std::string> FieldType::keys() const {
  if (kind_ != Kind::kNode || node_->list_type != ListType::kMap) return {};
  return node_->map_keys;
}

bool FieldType::names(std::string_view member) const {
  if (kind_ != Kind::kNode) return false;
  return (resource_ && schema::is_type_meta(member)) || node_->property(member) != nullptr;
}

FieldType FieldType::member(std::string_view name) const {
  if (kind_ != Kind::kNode) return *this;
  if (resource_ && schema::is_type_meta(name)) return type_meta(name);
  if (const Node* property = node_->property(name)) return {Kind::kNode, property, preserve_};
  return unnamed_member();
}

FieldType FieldType::type_meta(std::string_view name) {
  return {Kind::kNode, name == "metadata" ? object_meta_node() : text_node(), false};
}

FieldType FieldType::unnamed_member() const {
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

bool FieldType::allows_scalar() const {
  return kind_ != Kind::kNode ||
         (node_->type != JsonType::kObject && node_->type != JsonType::kArray);
}

bool FieldType::free_form_map() const {
  if (kind_ != Kind::kNode) return true;
  if (!node_->properties.empty() || resource_) return false;
  const FieldType element = member({});
  return element.kind_ == Kind::kDeduced ||
         (element.kind_ == Kind::kNode && element.allows_scalar() &&
          element.scalar() == Scalar::kUntyped);
}

// Most objects set properties that are near to each other; what lies further is searched for.
const Node* MemberTypes::find_further(std::string_view name) {
  constexpr std::ptrdiff_t kNear = 4;
  for (const schema::Property* near = at_ + std::min(kNear, end_ - at_); at_ != near; ++at_) {
    const int order = value::compare_keys(at_->name, name);
    if (order == 0) return at_++->node.get();
    if (order > 0) return nullptr;
  }
  at_ = std::lower_bound(at_, end_, name, [](const schema::Property& p, std::string_view n) {
    return value::compare_keys(p.name, n) < 0;
  });
  return at_ != end_ && same_text(at_->name, name) ? at_++->node.get() : nullptr;
}

ItemNames::ItemNames(const FieldType& list, Arena& arena) : items_(list.items()), arena_(arena) {
  const std::span<const std::string> keys = list.keys();
  if (keys.empty()) return;
  auto* copies = arena.allocate_array<std::string_view>(keys.size());
  std::uninitialized_copy(keys.begin(), keys.end(), copies);
  for (std::size_t i = 0; i < keys.size(); ++i) copies[i] = arena.copy(keys[i]);
  std::sort(copies, copies + keys.size(),
            [](std::string_view a, std::string_view b) { return value::compare_keys(a, b) < 0; });
  keys_ = {copies, keys.size()};
}

// Absent key fields count by their default.
const Value* ItemNames::key_of(const Value& item, std::string_view key) const {
  const Value* v = item.find(key);
  return v != nullptr ? v : items_.default_of(key);
}

bool ItemNames::can_name(const Value& item) const {
  if (keys_.empty()) return !item.is_object() && !item.is_array() && !item.is_null();
  if (!item.is_object()) return false;
  return std::any_of(keys_.begin(), keys_.end(),
                     [&](std::string_view key) { return key_of(item, key) != nullptr; });
}

std::optional<PathElement> ItemNames::of(const Value& item) {
  if (keys_.empty()) {
    if (!can_name(item)) return std::nullopt;
    return PathElement::item(item);
  }
  if (!item.is_object()) return std::nullopt;
  auto* fields = arena_.allocate_array<Member>(keys_.size());
  std::size_t count = 0;
  for (const std::string_view key : keys_) {
    if (const Value* v = key_of(item, key)) fields[count++] = {key, *v};
  }
  if (count == 0) return std::nullopt;
  return PathElement::key(Value::object({fields, count}));
}

namespace {

// Why an item has no name.
std::unexpected<Error> nameless(const FieldType& list, const Value& item) {
  if (!list.keys().empty()) {
    if (item.is_null())
      return fail(Code::kInvalid, "associative list with keys may not have a null element");
    if (!item.is_object())
      return fail(Code::kInvalid, "associative list with keys may not have non-map elements");
    std::string names;
    for (const std::string& key : list.keys()) names += (names.empty() ? "" : " ") + quote(key);
    return fail(Code::kInvalid,
                "associative list with keys has an element that omits all key fields [{}] (and "
                "doesn't have default values for any key fields)",
                names);
  }
  if (item.is_object()) {
    return fail(Code::kInvalid, "associative list without keys has an element that's a map type");
  }
  if (item.is_array())
    return fail(Code::kInvalid, "not supported: associative list with lists as elements");
  return fail(Code::kInvalid,
              "associative list without keys has an element that's an explicit null");
}

}  // namespace

Result<PathElement> name_item(const FieldType& list, const Value& item, Arena& arena) {
  if (const auto name = ItemNames(list, arena).of(item)) return *name;
  return nameless(list, item);
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
    // Fields come first, and in the order of their names.
    MemberTypes types(type);
    return below(set, [&](const PathElement& element) {
      return element.is_field() ? types.of(element.name()) : type.member({});
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
  // A field without any below is as it was. Nothing is laid out before the first that is not.
  template <typename TypeOf>
  FieldSet below(const FieldSet& set, TypeOf type_of) {
    const std::size_t begun = builder_.begin();
    bool unchanged = true;
    for (const FieldSet::Entry& e : set.entries()) {
      if (unchanged && e.below.empty()) continue;
      const FieldSet::Entry now = e.below.empty() ? e : reconciled(e, type_of(e.element));
      if (unchanged && now.member == e.member && now.below.same_tree(e.below)) continue;
      if (std::exchange(unchanged, false))
        for (const FieldSet::Entry* before = set.entries().data(); before != &e; ++before)
          builder_.add(*before);
      builder_.add(now);
    }
    return unchanged ? set : builder_.finish(begun);
  }

  FieldSet::Entry reconciled(const FieldSet::Entry& e, const FieldType& type) {
    if (type.undeclared()) return e;
    if (now_atomic(type)) return {e.element, true, {}};
    return {e.element, e.member, reconcile(e.below, type)};
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
