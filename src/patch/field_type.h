#pragma once
// A schema as field ownership sees it: what is one field (a scalar, an atomic list or map), what is
// owned item by item, and by which keys. Parts without a schema are deduced from the value: maps
// member by member, lists as a whole.
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/arena.h"
#include "base/same_text.h"
#include "patch/field_set.h"
#include "schema/node.h"
#include "value/value.h"

namespace strake::patch {

class FieldType {
 public:
  // Of a whole resource: apiVersion, kind and metadata are as every resource has them. Null when
  // there is no schema.
  static FieldType of_resource(const schema::Node* schema);

  enum class Form : std::uint8_t { kScalar, kList, kMap };
  enum class Scalar : std::uint8_t { kNumeric, kString, kBoolean, kUntyped };

  // A field that the schema does not declare.
  bool undeclared() const { return kind_ == Kind::kUndeclared; }
  // What a value of this type is taken for: what it is, where the type allows that. Null stands for
  // no value.
  Form form(const value::Value* v) const;

  Scalar scalar() const;
  // Whether the list, or the map, is one field.
  bool atomic_list() const;
  bool atomic_map() const;
  // Of a list that is not atomic: the key fields of its items; none when it is a set.
  std::span<const std::string> keys() const;
  FieldType items() const;
  // Whether a member is a named field rather than one of many alike.
  bool names(std::string_view member) const;
  FieldType member(std::string_view name) const;
  // The default of a named field, or null.
  const value::Value* default_of(std::string_view name) const;
  // A map of members that have no schema of their own.
  bool free_form_map() const;

 private:
  friend class MemberTypes;
  enum class Kind : std::uint8_t {
    kNode,
    kDeduced,     // maps member by member, lists atomic
    kUntyped,     // all atomic
    kUndeclared,  // not in the schema
  };
  FieldType(Kind kind, const schema::Node* node, bool preserve, bool resource = false)
      : node_(node),
        kind_(kind),
        preserve_(preserve || (node != nullptr && node->preserve_unknown)),
        resource_(resource || (node != nullptr && node->embedded_resource)) {}
  bool allows_scalar() const;
  static FieldType type_meta(std::string_view name);  // apiVersion, kind or metadata
  FieldType unnamed_member() const;                   // of a map with a node

  const schema::Node* node_ = nullptr;
  Kind kind_ = Kind::kUndeclared;
  bool preserve_ = false;  // unknown fields are kept here, by this schema or one above it
  bool resource_ = false;  // has apiVersion, kind and metadata
};

// The types of the members of one map. Members and properties are both sorted, so one walk over the
// two serves all members: ask for each once, in their order.
class MemberTypes {
 public:
  explicit MemberTypes(const FieldType& map) : map_(map), unnamed_(map) {
    if (map.kind_ != FieldType::Kind::kNode) return;
    at_ = map.node_->properties.data();
    end_ = at_ + map.node_->properties.size();
    unnamed_ = map.unnamed_member();
  }

  FieldType of(std::string_view name) {
    named_ = true;
    if (map_.resource_ && schema::is_type_meta(name)) return FieldType::type_meta(name);
    if (at_ != end_) {
      const schema::Node* property =
          same_text(at_->name, name) ? at_++->node.get() : find_further(name);
      if (property != nullptr) return {FieldType::Kind::kNode, property, map_.preserve_};
    }
    named_ = false;
    return unnamed_;
  }
  // Whether the one that was asked for last is a named field.
  bool named() const { return named_; }

 private:
  const schema::Node* find_further(std::string_view name);

  const FieldType& map_;
  FieldType unnamed_;
  const schema::Property* at_ =
      nullptr;  // those before it come before any name yet to be asked for
  const schema::Property* end_ = nullptr;
  bool named_ = false;
};

// How the items of one list that is not atomic are named.
class ItemNames {
 public:
  ItemNames(const FieldType& list, Arena& arena);

  // Nothing when it cannot be named.
  std::optional<PathElement> of(const value::Value& item);
  bool can_name(const value::Value& item) const;

 private:
  const value::Value* key_of(const value::Value& item, std::string_view key) const;

  FieldType items_;
  std::span<const std::string_view> keys_;  // sorted; none when the list is a set
  Arena& arena_;
};

inline FieldType::Form FieldType::form(const value::Value* v) const {
  if (kind_ == Kind::kUndeclared) return Form::kList;
  if (kind_ == Kind::kNode) {
    switch (node_->type) {
      case schema::JsonType::kNone: break;
      case schema::JsonType::kObject: return Form::kMap;
      case schema::JsonType::kArray: return Form::kList;
      default: return Form::kScalar;
    }
  }
  if (v == nullptr || v->is_null() || v->is_object()) return Form::kMap;
  return v->is_array() ? Form::kList : Form::kScalar;
}

inline FieldType::Scalar FieldType::scalar() const {
  if (kind_ != Kind::kNode) return Scalar::kUntyped;
  switch (node_->type) {
    case schema::JsonType::kInteger:
    case schema::JsonType::kNumber: return Scalar::kNumeric;
    case schema::JsonType::kBoolean: return Scalar::kBoolean;
    case schema::JsonType::kString:
      return node_->format_text.empty() || node_->format_text == "byte" ? Scalar::kString
                                                                        : Scalar::kUntyped;
    default: return Scalar::kUntyped;
  }
}

inline FieldType FieldType::items() const {
  if (kind_ != Kind::kNode || node_->items == nullptr) return {Kind::kUntyped, nullptr, false};
  return {Kind::kNode, node_->items.get(), preserve_};
}

inline bool FieldType::atomic_list() const {
  if (kind_ != Kind::kNode) return true;
  return node_->list_type != schema::ListType::kSet && node_->list_type != schema::ListType::kMap;
}

inline bool FieldType::atomic_map() const {
  if (kind_ != Kind::kNode) return kind_ == Kind::kUntyped;
  return node_->map_type == schema::MapType::kAtomic;
}

// The name of one item, by ItemNames. Fails with kInvalid, and says why, when there is none.
Result<PathElement> name_item(const FieldType& list, const value::Value& item, Arena& arena);

// A set as the schema would have it now: when a list or map has become atomic since, whoever owned
// parts of it owns it as a whole.
FieldSet reconcile(const FieldSet& set, const FieldType& type, Arena& arena);
// With every named field a member that has members below it.
FieldSet with_named_fields(const FieldSet& set, const FieldType& type, Arena& arena);

}  // namespace strake::patch
