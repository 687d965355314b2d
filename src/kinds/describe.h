#pragma once
// The types of the built-in API, declared once as short text (types_*.cc) in the way their Go
// source declares them. What a request is decoded by, the schema of field ownership, what OpenAPI
// publishes and how lists merge are all derived from these (derive.h). Made on first use, kept for
// good, read by any thread.
//
//   package io.k8s.api.core.v1 group "" version v1
//   string SecretType
//   kind ConfigMap | Settings for programs.
//     data? map[string]string #2 | Text by key.
//     owners? []ObjectReference map:name merge:name | ...
//   struct ObjectReference atomic | Points to an object.
//
// A field ends with ? when it is left out of JSON when empty (omitempty); * is a pointer. Behind
// the type may stand: #N, its number in protobuf (#M.N when it is field N of the inline struct
// that is field M there), atomic, set, map:KEY (how a list is owned), merge[:KEY] (how a
// strategic merge treats it), retain-keys, replace, in:STRUCT (inline in Go), required or
// optional (against what ? says), default:JSON, and since:1.N and removed:1.N, the Kubernetes
// versions with which a field came and went. A kind has apiVersion, kind and metadata and a list
// of its own; a review has no list; behind its name may stand since:, deprecated:, removed: and
// use:GROUP/VERSION/KIND, what to use instead. A list or map is an alias, with what it stands
// for behind the name. Fields stand in the order of the Go source. Types of another package are
// meta.X, core.X, runtime.X or batch/v1.X. The description behind the bar may be left out.
//
// A package is read when the first of its types is asked for, with the packages it refers to.
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "meta/gvk.h"

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
    kQuantity,
    kIntOrString,
    kObjectMeta,
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
  bool merge = false;        // strategic merge: item by item
  bool retain_keys = false;  // strategic merge: patches say which keys stay
  bool replace = false;      // strategic merge: an object as a whole
  ListType list_type = ListType::kUnset;
  std::string_view map_key;  // divided by commas when there are several
  std::string_view merge_key;
  std::string_view within;  // structs that are inline in JSON, divided by dots
  // In protobuf: "3", or "2.3" in a struct that is inline in JSON. Empty for those that newer
  // versions have no more.
  std::string_view number;
  int since = 0;    // the minor version with which it came; 0 for those that were always there
  int removed = 0;  // the first minor version without it; 0 when it is there
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
  // Of a kind, as of a field.
  int since = 0;
  int deprecated = 0;
  int removed = 0;
  std::string_view replacement;  // "apps/v1/Deployment"; may be empty
  const TypeUse* element = nullptr;
  std::vector<Field> fields;

  bool is_struct() const { return form <= Form::kReview; }
  bool is_object() const { return form == Form::kKind || form == Form::kReview; }
};

// The first of the keys of a list map; it is taken off.
std::string_view next_key(std::string_view& keys);

// By its full name. The name must be that of a declared type.
const Type& described_type(std::string_view full_name);

// The kind, or null when none of that name is declared.
const Type* find_kind(const meta::GroupVersionKind& gvk);
// All kinds that are declared, by group, version and kind. Reads every package.
std::vector<meta::GroupVersionKind> declared_kinds();

// A kind that Kubernetes has no more.
struct RemovedKind {
  int since = 0;
  int deprecated = 0;
  int removed = 0;
  std::string_view replacement;  // "apps/v1/Deployment"; may be empty
};
// Nothing when there was no such kind. An empty version stands for any.
std::optional<RemovedKind> find_removed_kind(const meta::GroupVersionKind& gvk);

// The declarations: each a text of the form above, of one package.
std::vector<std::string_view> type_declarations();

}  // namespace strake::kinds
