#pragma once
// The compiled form of a JSON Schema, OpenAPI or Swagger document: an immutable graph whose edges
// are pointers, so that a schema may refer to itself. Everything is owned by the Schema; nodes may
// be read from any thread.
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "schema/format/format.h"
#include "schema/loose/decimal.h"
#include "schema/loose/digest.h"
#include "schema/loose/formats.h"
#include "schema/node.h"
#include "schema/pattern/pattern.h"
#include "value/document.h"

namespace strake::schema::loose {

enum class Dialect : std::uint8_t {
  kDraft4,
  kDraft6,
  kDraft7,
  kDraft2019,
  kDraft2020,
  kOpenApi30,
  kOpenApi31,
  kSwagger2,
};
std::string_view to_string(Dialect dialect);  // "JSON Schema 2020-12", "OpenAPI 3.0", ...

// A set of JSON types. An integer is also a number.
namespace types {
constexpr std::uint8_t kNull = 1;
constexpr std::uint8_t kBoolean = 2;
constexpr std::uint8_t kInteger = 4;
constexpr std::uint8_t kNumber = 8;
constexpr std::uint8_t kString = 16;
constexpr std::uint8_t kArray = 32;
constexpr std::uint8_t kObject = 64;
}  // namespace types

struct LooseNode;

// A schema with an identity of its own: the unit in which $dynamicRef looks for anchors.
struct SchemaResource {
  std::string uri;
  std::map<std::string, const LooseNode*, std::less<>> dynamic_anchors;
};

// Keywords that apply other schemas to the same value.
enum class Edge : std::uint8_t {
  kRef,
  kDynamicRef,
  kAllOf,
  kAnyOf,
  kOneOf,
  kNot,
  kIf,
  kThen,
  kElse,
  kDependent
};
struct InPlace {
  Edge edge = Edge::kRef;
  std::uint32_t index = 0;  // of the branch; for kDependent: of the key in ObjectRules::watched
  const LooseNode* node = nullptr;
  std::string dynamic_anchor;  // for kDynamicRef: looked for in the dynamic scope
};

struct ValueRules {
  std::vector<Digest> allowed;  // enum, sorted; one for const
  std::vector<Digest> rounded;  // the same with numbers as float64
  std::string allowed_text;     // the JSON array, for messages
  bool is_const = false;
};

struct BoundRules {
  std::optional<Number> minimum;
  std::optional<Number> maximum;
  std::optional<Number> exclusive_minimum;
  std::optional<Number> exclusive_maximum;
  std::optional<Number> multiple_of;
};

struct StringRules {
  std::optional<std::uint64_t> min_length;
  std::optional<std::uint64_t> max_length;
  PatternPtr pattern;        // in Go's syntax; null when there is none or it cannot be honoured
  std::string pattern_text;  // as written
};

struct ArrayRules {
  std::vector<const LooseNode*> prefix;
  const LooseNode* items = nullptr;  // of the elements behind the prefix
  const LooseNode* contains = nullptr;
  const LooseNode* unevaluated = nullptr;
  std::uint64_t min_contains = 1;
  std::optional<std::uint64_t> max_contains;
  std::optional<std::uint64_t> min_items;
  std::optional<std::uint64_t> max_items;
  bool unique = false;
  ListType list_type = ListType::kUnset;
  std::vector<std::string> map_keys;
};

struct KeyRule {
  std::string name;
  const LooseNode* property = nullptr;  // null when the name is only watched
  int watched = -1;                     // its place among the keys whose presence counts
};
struct PatternRule {
  PatternPtr pattern;  // null when it cannot be honoured: matches nothing
  std::string text;
  const LooseNode* node = nullptr;
};
struct DependentRequired {
  std::uint32_t key = 0;  // places among the watched
  std::vector<std::uint32_t> required;
};

struct ObjectRules {
  std::vector<KeyRule> keys;            // sorted by name
  std::vector<std::string> watched;     // keys whose presence some keyword asks for
  std::vector<std::uint32_t> required;  // places among the watched, in schema order
  std::vector<DependentRequired> dependent;
  std::vector<PatternRule> patterns;
  const LooseNode* additional = nullptr;
  const LooseNode* names = nullptr;
  const LooseNode* unevaluated = nullptr;
  std::optional<std::uint64_t> min_properties;
  std::optional<std::uint64_t> max_properties;
  bool declares_members = false;  // properties, patternProperties or additionalProperties is there
  bool preserve_unknown = false;

  const KeyRule* find(std::string_view name) const;
};

struct Discriminator {
  std::string property;
  std::vector<std::pair<std::string, std::uint32_t>>
      branches;              // value and index of the branch, sorted by value
  Edge edge = Edge::kOneOf;  // of the branches
};

struct LooseNode {
  std::uint32_t id = 0;  // dense, from 0
  const SchemaResource* resource = nullptr;
  std::string path;  // JSON pointer, behind its document's URI when that is another than the root's
  bool never = false;         // the schema `false`
  bool trivial = false;       // nothing in it can fail or mark anything
  bool needs_digest = false;  // enum, const
  bool has_type = false;
  std::uint8_t type_set = 0;
  bool int_or_string = false;
  bool embedded_resource = false;
  bool format_asserted = false;  // by the vocabulary, whatever the options say
  StringFormat format = StringFormat::kNone;
  Format number_format = Format::kNone;
  std::string format_text;
  std::vector<InPlace> in_place;  // in the order of Edge, branches by index
  std::unique_ptr<const ValueRules> values;
  std::unique_ptr<const ValueRules> constant;
  std::unique_ptr<const BoundRules> bounds;
  std::unique_ptr<const StringRules> text;
  std::unique_ptr<const ArrayRules> array;
  std::unique_ptr<const ObjectRules> object;
  std::unique_ptr<const Discriminator> discriminator;
  const value::Value* default_value = nullptr;
};

class Schema {
 public:
  // The schema of the whole document, or the one that was asked for; null for an OpenAPI document
  // of which none was.
  const LooseNode* root() const { return root_; }
  // A named schema of components/schemas, definitions or $defs; null when there is none.
  const LooseNode* component(std::string_view name) const;
  const std::vector<std::pair<std::string, const LooseNode*>>& components() const {
    return components_;
  }  // sorted
  Dialect dialect() const { return dialect_; }
  std::size_t node_count() const { return nodes_.size(); }
  bool has_dynamic_refs() const { return has_dynamic_refs_; }

 private:
  friend class Importer;
  Dialect dialect_ = Dialect::kDraft2020;
  const LooseNode* root_ = nullptr;
  std::vector<std::pair<std::string, const LooseNode*>> components_;
  std::deque<LooseNode> nodes_;
  std::deque<SchemaResource> resources_;
  std::deque<value::Document> documents_;  // what defaults point into
  bool has_dynamic_refs_ = false;
};

using SchemaPtr = std::shared_ptr<const Schema>;

}  // namespace strake::schema::loose
