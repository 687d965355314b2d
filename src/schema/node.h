#pragma once
// The compiled form of a structural schema: an immutable graph in which equal sub-schemas are one
// node, process-wide. A NodePtr keeps a node and everything below it alive; nodes may be read from
// any thread. Prose (titles, descriptions, examples) is not kept here: it stays in the document the
// schema came from.
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "schema/format/format.h"
#include "schema/pattern/pattern.h"
#include "value/document.h"

namespace strake::schema {

struct Node;
using NodePtr = std::shared_ptr<const Node>;

enum class JsonType : std::uint8_t { kNone, kString, kNumber, kInteger, kBoolean, kArray, kObject };
enum class ListType : std::uint8_t { kUnset, kAtomic, kSet, kMap };
enum class MapType : std::uint8_t { kUnset, kGranular, kAtomic };
enum class Additional : std::uint8_t { kAbsent, kFalse, kTrue, kSchema };

struct Property {
  std::string name;
  NodePtr node;
  friend bool operator==(const Property&, const Property&) = default;
};

// A rule of x-kubernetes-validations, as written.
struct Rule {
  std::string rule;
  std::string message;
  std::string message_expression;
  std::string reason;
  std::string field_path;
  std::optional<bool> optional_old_self;
  friend bool operator==(const Rule&, const Rule&) = default;
};

struct NumberRules {
  std::optional<double> minimum;
  std::optional<double> maximum;
  std::optional<double> multiple_of;
  bool exclusive_minimum = false;
  bool exclusive_maximum = false;
  friend bool operator==(const NumberRules&, const NumberRules&) = default;
};

struct TextRules {
  std::optional<std::int64_t> min_length;
  std::optional<std::int64_t> max_length;
  PatternPtr pattern;  // null when there is none
  friend bool operator==(const TextRules&, const TextRules&) = default;
};

struct Composition {
  std::vector<NodePtr> all_of;
  std::vector<NodePtr> any_of;
  std::vector<NodePtr> one_of;
  NodePtr negated;  // `not`
  friend bool operator==(const Composition&, const Composition&) = default;
};

// What every node has, in a few words.
struct NodeFacts {
  JsonType type = JsonType::kNone;
  Format format = Format::kNone;  // only one that is enforced
  Additional additional = Additional::kAbsent;
  ListType list_type = ListType::kUnset;
  MapType map_type = MapType::kUnset;
  bool nullable = false;
  bool int_or_string = false;
  bool preserve_unknown = false;
  bool embedded_resource = false;
  // Set when anything at or below this node has it, so that a walk can pass over what needs none.
  bool has_defaults_below = false;
  bool has_rules_below = false;
  bool has_lists_below = false;  // list-type set or map
  bool has_embedded_below = false;

  std::optional<std::int64_t> min_items;
  std::optional<std::int64_t> max_items;
  std::optional<std::int64_t> min_properties;
  std::optional<std::int64_t> max_properties;
};

// What few nodes have lies behind pointers, so that the many small nodes stay small.
struct Node : NodeFacts {
  std::vector<Property> properties;   // sorted by name
  std::vector<std::string> required;  // in schema order
  NodePtr additional_schema;          // for Additional::kSchema
  NodePtr items;
  std::vector<std::string> map_keys;  // x-kubernetes-list-map-keys
  std::unique_ptr<const NumberRules> number;
  std::unique_ptr<const TextRules> text;
  std::unique_ptr<const Composition> composition;
  std::vector<Rule> rules;
  std::string format_text;  // the format as written, for messages
  // Owned documents: their roots hold the values.
  std::unique_ptr<const value::Document> enumeration;    // an array
  std::unique_ptr<const value::Document> default_value;  // null when there is no default

  const Node* property(std::string_view name) const;  // null when it is not named
  // The schema of a member: the named property, else additionalProperties, else null.
  const Node* member(std::string_view name) const;
};

// The members that every resource has, whatever its schema says.
inline bool is_type_meta(std::string_view key) {
  return key == "apiVersion" || key == "kind" || key == "metadata";
}

// Process-wide figures of the sharing, for benchmarks and metrics.
struct InternStats {
  std::size_t nodes = 0;      // alive now
  std::size_t requested = 0;  // compiled since the start, shared or not
  std::size_t bytes = 0;      // estimate of what the live nodes take
};
InternStats intern_stats();

}  // namespace strake::schema
