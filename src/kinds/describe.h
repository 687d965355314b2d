#pragma once
// The types of the built-in API, declared once as short text (types_*.cc) in the way their Go
// source declares them. What a request is decoded by, the schema of field ownership, what OpenAPI
// publishes and how lists merge are all derived from these (derive.h). Made on first use, kept for
// good, read by any thread.
//
//   package io.k8s.api.core.v1 group "" version v1
//   string SecretType
//   kind ConfigMap | Settings for programs.
//     data? map[string]string | Text by key.
//     owners? []ObjectReference map:name merge:name | ...
//   struct ObjectReference atomic | Points to an object.
//
// A field ends with ? when it is left out of JSON when empty (omitempty); * is a pointer. Behind
// the type may stand: atomic, set, map:KEY (how a list is owned), merge[:KEY] (how a strategic
// merge treats it), required or optional (against what ? says), default:JSON. A kind has
// apiVersion, kind and metadata and a list of its own; a review has no list. A list or map is an
// alias, with what it stands for behind the name. Fields stand in the order of the Go source.
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace strake::kinds {

struct Type;

// What a field, an element of a list or a value of a map holds.
struct TypeUse {
  enum class Form : std::uint8_t {
    kString,
    kBool,
    kInt32,
    kInt64,
    kFloat,
    kBytes,
    kTime,
    kMicroTime,
    kNamed,  // a struct, an alias of a string or a list, or anything at all: see `type`
    kList,
    kMap,
  };
  Form form = Form::kString;
  std::string_view go_name;          // "string", "[]v1.Subject"
  const Type* type = nullptr;        // kNamed
  const TypeUse* element = nullptr;  // kList and kMap
};

struct Field {
  enum class ListType : std::uint8_t { kUnset, kAtomic, kSet, kMap };
  std::string_view name;
  const TypeUse* use = nullptr;
  bool pointer = false;
  bool omit_empty = false;
  bool required = false;
  bool merge = false;  // strategic merge: item by item
  ListType list_type = ListType::kUnset;
  std::string_view map_key;
  std::string_view merge_key;
  std::string_view default_json;
  std::string_view doc;
};

struct Type {
  enum class Form : std::uint8_t {
    kStruct,
    kKind,    // a struct with apiVersion, kind and metadata, and a list
    kReview,  // the same without a list
    kString,  // an alias
    kList,    // an alias of a list: `element`
    kMap,     // an alias of a map: `element`
    kAny,     // any JSON
  };
  Form form = Form::kStruct;
  std::string_view package;  // "io.k8s.api.core.v1"
  std::string_view group;
  std::string_view version;
  std::string_view name;       // "ConfigMap"
  std::string_view full_name;  // "io.k8s.api.core.v1.ConfigMap"
  std::string_view go_name;    // "v1.ConfigMap"
  std::string_view doc;
  bool atomic = false;             // owned as a whole
  bool metadata_required = false;  // of a kind
  const TypeUse* element = nullptr;
  std::vector<Field> fields;

  bool is_struct() const { return form <= Form::kReview; }
  bool is_object() const { return form == Form::kKind || form == Form::kReview; }
};

// By its full name. The name must be that of a declared type.
const Type& described_type(std::string_view full_name);

// The declarations: each a text of the form above.
std::span<const std::string_view> type_declarations();

}  // namespace strake::kinds
