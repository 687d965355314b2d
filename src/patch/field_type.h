#pragma once
// A schema as field ownership sees it: what is one field (a scalar, an atomic list or map), what is
// owned item by item, and by which keys. Parts without a schema are deduced from the value: maps
// member by member, lists as a whole.
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/arena.h"
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
  enum class Kind : std::uint8_t {
    kNode,
    kDeduced,     // maps member by member, lists atomic
    kUntyped,     // all atomic
    kUndeclared,  // not in the schema
  };
  FieldType(Kind kind, const schema::Node* node, bool preserve, bool resource = false);
  bool allows(Form form) const;

  const schema::Node* node_ = nullptr;
  Kind kind_ = Kind::kUndeclared;
  bool preserve_ = false;  // unknown fields are kept here, by this schema or one above it
  bool resource_ = false;  // has apiVersion, kind and metadata
};

// How an item of a list that is not atomic is named. Fails with kInvalid when it cannot be.
Result<PathElement> name_item(const FieldType& list, const value::Value& item, Arena& arena);

// A set as the schema would have it now: when a list or map has become atomic since, whoever owned
// parts of it owns it as a whole.
FieldSet reconcile(const FieldSet& set, const FieldType& type, Arena& arena);
// With every named field a member that has members below it.
FieldSet with_named_fields(const FieldSet& set, const FieldType& type, Arena& arena);

}  // namespace strake::patch
