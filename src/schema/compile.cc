#include "schema/compile.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

#include "base/same_text.h"
#include "schema/intern.h"
#include "schema/path_trail.h"

// One pass, children first: a node is interned when all below it are, so equality of sub-schemas is
// equality of ids and a node is compared only with its direct parts (intern.h). Recursion is
// bounded by kMaxDepth; each depth has one draft, so that compiling allocates per level and not per
// node.

namespace strake::schema {
namespace {

using value::Member;
using value::Value;

// Far beyond any schema people write, and well within a thread's stack.
constexpr std::size_t kMaxDepth = 400;

// The keywords that mean something to values. Prose and unknown keywords are kNone.
enum class Keyword : std::uint8_t {
  kNone,
  kProperties,
  kAdditionalProperties,
  kItems,
  kRequired,
  kMinItems,
  kMaxItems,
  kMinProperties,
  kMaxProperties,
  kAllOf,
  kAnyOf,
  kOneOf,
  kNot,
  kType,
  kFormat,
  kNullable,
  kEnum,
  kDefault,
  kMinimum,
  kMaximum,
  kMultipleOf,
  kExclusiveMinimum,
  kExclusiveMaximum,
  kMinLength,
  kMaxLength,
  kPattern,
  kPreserveUnknown,
  kEmbeddedResource,
  kIntOrString,
  kListMapKeys,
  kListType,
  kMapType,
  kValidations,
};

struct KeywordName {
  std::string_view name;
  Keyword keyword;
};

// Sorted by length: a lookup compares only names as long as the one it looks for.
constexpr KeywordName kKeywords[] = {
    {"not", Keyword::kNot},
    {"type", Keyword::kType},
    {"enum", Keyword::kEnum},
    {"items", Keyword::kItems},
    {"allOf", Keyword::kAllOf},
    {"anyOf", Keyword::kAnyOf},
    {"oneOf", Keyword::kOneOf},
    {"format", Keyword::kFormat},
    {"default", Keyword::kDefault},
    {"minimum", Keyword::kMinimum},
    {"maximum", Keyword::kMaximum},
    {"pattern", Keyword::kPattern},
    {"required", Keyword::kRequired},
    {"nullable", Keyword::kNullable},
    {"minItems", Keyword::kMinItems},
    {"maxItems", Keyword::kMaxItems},
    {"minLength", Keyword::kMinLength},
    {"maxLength", Keyword::kMaxLength},
    {"properties", Keyword::kProperties},
    {"multipleOf", Keyword::kMultipleOf},
    {"minProperties", Keyword::kMinProperties},
    {"maxProperties", Keyword::kMaxProperties},
    {"exclusiveMinimum", Keyword::kExclusiveMinimum},
    {"exclusiveMaximum", Keyword::kExclusiveMaximum},
    {"additionalProperties", Keyword::kAdditionalProperties},
    {"x-kubernetes-map-type", Keyword::kMapType},
    {"x-kubernetes-list-type", Keyword::kListType},
    {"x-kubernetes-validations", Keyword::kValidations},
    {"x-kubernetes-list-map-keys", Keyword::kListMapKeys},
    {"x-kubernetes-int-or-string", Keyword::kIntOrString},
    {"x-kubernetes-embedded-resource", Keyword::kEmbeddedResource},
    {"x-kubernetes-preserve-unknown-fields", Keyword::kPreserveUnknown},
};

constexpr std::size_t kLongestKeyword = 36;

// For each length, the first keyword of that length.
constexpr auto kFirstOfLength = [] {
  std::array<std::uint8_t, kLongestKeyword + 2> first{};
  std::size_t at = 0;
  for (std::size_t length = 0; length < first.size(); ++length) {
    while (at < std::size(kKeywords) && kKeywords[at].name.size() < length) ++at;
    first[length] = static_cast<std::uint8_t>(at);
  }
  return first;
}();

Keyword find_keyword(std::string_view name) {
  if (name.size() > kLongestKeyword) return Keyword::kNone;
  for (std::size_t i = kFirstOfLength[name.size()]; i < kFirstOfLength[name.size() + 1]; ++i) {
    // The first letter tells most of them apart without a call.
    if (kKeywords[i].name[0] == name[0] && same_text(kKeywords[i].name, name))
      return kKeywords[i].keyword;
  }
  return Keyword::kNone;
}

JsonType json_type(std::string_view name) {
  const auto if_is = [name](std::string_view word, JsonType type) {
    return name == word ? type : JsonType::kNone;
  };
  switch (name.empty() ? '\0' : name[0]) {
    case 's': return if_is("string", JsonType::kString);
    case 'n': return if_is("number", JsonType::kNumber);
    case 'i': return if_is("integer", JsonType::kInteger);
    case 'b': return if_is("boolean", JsonType::kBoolean);
    case 'a': return if_is("array", JsonType::kArray);
    case 'o': return if_is("object", JsonType::kObject);
    default: return JsonType::kNone;
  }
}

class Compiler {
 public:
  // Null after a fault.
  NodePtr compile(const Value& schema, const PathTrail& at) {
    const NodeId id = node(schema, at);
    return id != kNoNode ? interner_.node(id) : nullptr;
  }
  Error take_error() { return *std::move(error_); }

 private:
  // Each returns kNoNode or false when there is a fault.
  NodeId node(const Value& schema, const PathTrail& at);
  bool keyword(std::string_view name, const Value& v, Candidate& out, const PathTrail& at);
  bool properties(const Value& v, std::vector<CandidateProperty>& out, const PathTrail& at);
  bool bound(Keyword which, std::string_view name, const Value& v, Candidate& out,
             const PathTrail& at);
  bool extension(Keyword which, std::string_view name, const Value& v, Candidate& out,
                 const PathTrail& at);
  bool rule_list(const Value& v, Candidate& out, const PathTrail& at);
  bool nodes(std::string_view name, const Value& v, std::vector<NodeId>& out, const PathTrail& at);
  bool child(std::string_view name, const Value& v, NodeId& out, const PathTrail& at) {
    return (out = node(v, PathTrail::field(at, name))) != kNoNode;
  }
  void settle(Candidate& out) const;

  bool refuse(Error error) {
    error_ = std::move(error);
    return false;
  }
  bool wrong(const PathTrail& at, std::string_view name, std::string_view wanted,
             const Value& met) {
    return refuse(Error(Code::kInvalid,
                        fmt::format("must be {}, got {}", wanted, value::to_string(met.type())))
                      .at(at.path() / name));
  }
  bool boolean(const PathTrail& at, std::string_view name, const Value& v, bool& out) {
    if (!v.is_bool()) return wrong(at, name, "a boolean", v);
    out = v.as_bool();
    return true;
  }
  bool text(const PathTrail& at, std::string_view name, const Value& v, std::string_view& out) {
    if (!v.is_string()) return wrong(at, name, "a string", v);
    out = v.as_string();
    return true;
  }
  bool number(const PathTrail& at, std::string_view name, const Value& v,
              std::optional<double>& out) {
    if (!v.is_number()) return wrong(at, name, "a number", v);
    out = v.as_double();
    return true;
  }
  bool integer(const PathTrail& at, std::string_view name, const Value& v, std::int64_t& out) {
    if (v.type() == value::Type::kInt) return out = v.as_int(), true;
    if (v.is_number()) {
      const double d = v.as_double();
      if (d >= -0x1p63 && d < 0x1p63 && d == std::trunc(d))
        return out = static_cast<std::int64_t>(d), true;
    }
    return wrong(at, name, "an integer", v);
  }
  bool texts(const PathTrail& at, std::string_view name, const Value& v, const Value*& out) {
    if (!v.is_array()) return wrong(at, name, "a list of strings", v);
    for (const Value& item : v.items()) {
      if (!item.is_string()) return wrong(at, name, "a list of strings", item);
    }
    if (v.size() != 0) out = &v;
    return true;
  }

  Interner interner_;
  // One for each depth, used again for the next node there.
  std::vector<std::unique_ptr<Candidate>> drafts_;
  std::size_t depth_ = 0;
  std::optional<Error> error_;
};

NodeId Compiler::node(const Value& schema, const PathTrail& at) {
  if (!schema.is_object()) {
    refuse(Error(Code::kInvalid,
                 fmt::format("must be a schema, got {}", value::to_string(schema.type())))
               .at(at.path()));
    return kNoNode;
  }
  if (depth_ >= kMaxDepth) {
    refuse(Error(Code::kLimit, fmt::format("schema is nested deeper than {}", kMaxDepth))
               .at(at.path()));
    return kNoNode;
  }
  if (depth_ == drafts_.size()) drafts_.push_back(std::make_unique<Candidate>());
  Candidate& draft = *drafts_[depth_++];
  draft.clear();
  for (const Member& m : schema.members()) {
    if (!keyword(m.key, m.value, draft, at)) return kNoNode;
  }
  --depth_;
  settle(draft);
  return interner_.intern(draft);
}

bool Compiler::properties(const Value& v, std::vector<CandidateProperty>& out,
                          const PathTrail& at) {
  if (!v.is_object()) return wrong(at, "properties", "an object", v);
  const PathTrail below = PathTrail::field(at, "properties");
  out.reserve(v.size());
  constexpr std::size_t kAhead = 2;
  const std::span<const Member> members = v.members();
  for (std::size_t i = 0; i < members.size(); ++i) {
    // A large document has left the caches since it was read.
    if (i + kAhead < members.size()) members[i + kAhead].prefetch();
    const Member& m = members[i];
    const NodeId property = node(m.value, PathTrail::field(below, m.key));
    if (property == kNoNode) return false;
    out.push_back({m.key, property});
  }
  return true;
}

bool Compiler::nodes(std::string_view name, const Value& v, std::vector<NodeId>& out,
                     const PathTrail& at) {
  if (!v.is_array()) return wrong(at, name, "a list of schemas", v);
  const PathTrail list = PathTrail::field(at, name);
  for (std::size_t i = 0; i < v.size(); ++i) {
    const NodeId branch = node(v.items()[i], PathTrail::index(list, i));
    if (branch == kNoNode) return false;
    out.push_back(branch);
  }
  return true;
}

bool Compiler::keyword(std::string_view name, const Value& v, Candidate& out, const PathTrail& at) {
  const Keyword which = find_keyword(name);
  switch (which) {
    case Keyword::kNone: return true;
    case Keyword::kProperties: return properties(v, out.properties, at);
    case Keyword::kAdditionalProperties:
      if (v.is_bool()) {
        out.facts.additional = v.as_bool() ? Additional::kTrue : Additional::kFalse;
        return true;
      }
      out.facts.additional = Additional::kSchema;
      return child(name, v, out.additional_schema, at);
    case Keyword::kItems: return child(name, v, out.items, at);
    case Keyword::kRequired: return texts(at, name, v, out.required);
    case Keyword::kAllOf: out.has_composition = true; return nodes(name, v, out.all_of, at);
    case Keyword::kAnyOf: out.has_composition = true; return nodes(name, v, out.any_of, at);
    case Keyword::kOneOf: out.has_composition = true; return nodes(name, v, out.one_of, at);
    case Keyword::kNot: out.has_composition = true; return child(name, v, out.negated, at);
    case Keyword::kType: {
      std::string_view type;
      if (!text(at, name, v, type)) return false;
      out.facts.type = json_type(type);
      return true;
    }
    case Keyword::kFormat: return text(at, name, v, out.format_text);
    case Keyword::kNullable: return boolean(at, name, v, out.facts.nullable);
    case Keyword::kEnum:
      if (!v.is_array()) return wrong(at, name, "a list", v);
      if (v.size() != 0) out.enumeration = &v;
      return true;
    // `default: null` means no default.
    case Keyword::kDefault:
      if (!v.is_null()) out.default_value = &v;
      return true;
    default: break;
  }
  return which >= Keyword::kPreserveUnknown ? extension(which, name, v, out, at)
                                            : bound(which, name, v, out, at);
}

bool Compiler::bound(Keyword which, std::string_view name, const Value& v, Candidate& out,
                     const PathTrail& at) {
  switch (which) {
    case Keyword::kMinimum: out.has_number = true; return number(at, name, v, out.number.minimum);
    case Keyword::kMaximum: out.has_number = true; return number(at, name, v, out.number.maximum);
    case Keyword::kMultipleOf:
      out.has_number = true;
      return number(at, name, v, out.number.multiple_of);
    case Keyword::kExclusiveMinimum:
      out.has_number = true;
      return boolean(at, name, v, out.number.exclusive_minimum);
    case Keyword::kExclusiveMaximum:
      out.has_number = true;
      return boolean(at, name, v, out.number.exclusive_maximum);
    case Keyword::kPattern:
      if (!text(at, name, v, out.pattern)) return false;
      if (!out.pattern.empty()) out.has_text = true;
      return true;
    default: break;
  }
  std::int64_t n = 0;
  if (!integer(at, name, v, n)) return false;
  switch (which) {
    case Keyword::kMinItems: out.facts.min_items = n; break;
    case Keyword::kMaxItems: out.facts.max_items = n; break;
    case Keyword::kMinProperties: out.facts.min_properties = n; break;
    case Keyword::kMaxProperties: out.facts.max_properties = n; break;
    case Keyword::kMinLength: out.has_text = true, out.min_length = n; break;
    default: out.has_text = true, out.max_length = n; break;
  }
  return true;
}

bool Compiler::extension(Keyword which, std::string_view name, const Value& v, Candidate& out,
                         const PathTrail& at) {
  switch (which) {
    case Keyword::kPreserveUnknown: return boolean(at, name, v, out.facts.preserve_unknown);
    case Keyword::kEmbeddedResource: return boolean(at, name, v, out.facts.embedded_resource);
    case Keyword::kIntOrString: return boolean(at, name, v, out.facts.int_or_string);
    case Keyword::kListMapKeys: return texts(at, name, v, out.map_keys);
    case Keyword::kListType: {
      std::string_view type;
      if (!text(at, name, v, type)) return false;
      out.facts.list_type = type == "set"      ? ListType::kSet
                            : type == "map"    ? ListType::kMap
                            : type == "atomic" ? ListType::kAtomic
                                               : ListType::kUnset;
      return true;
    }
    case Keyword::kMapType: {
      std::string_view type;
      if (!text(at, name, v, type)) return false;
      out.facts.map_type = type == "atomic"     ? MapType::kAtomic
                           : type == "granular" ? MapType::kGranular
                                                : MapType::kUnset;
      return true;
    }
    default: return rule_list(v, out, at);
  }
}

bool Compiler::rule_list(const Value& v, Candidate& out, const PathTrail& at) {
  constexpr std::string_view kName = "x-kubernetes-validations";
  constexpr std::string_view kTexts[] = {"rule", "message", "messageExpression", "reason",
                                         "fieldPath"};
  if (!v.is_array()) return wrong(at, kName, "a list of rules", v);
  for (const Value& item : v.items()) {
    if (!item.is_object()) return wrong(at, kName, "a list of rules", item);
    for (const Member& m : item.members()) {
      if (m.key == "optionalOldSelf" && !m.value.is_bool())
        return wrong(at, m.key, "a boolean", m.value);
      if (!m.value.is_string() &&
          std::find(std::begin(kTexts), std::end(kTexts), m.key) != std::end(kTexts))
        return wrong(at, m.key, "a string", m.value);
    }
  }
  if (v.size() != 0) out.rules = &v;
  return true;
}

// The format counts only where the type enforces it. It is settled at the end since `format` comes
// before `type` in the sorted members; an unenforced one is dropped so that it splits no nodes.
void settle_format(Candidate& c) {
  if (c.format_text.empty()) return;
  Format& format = c.facts.format;
  switch (c.facts.type) {
    case JsonType::kString:
    case JsonType::kNone: format = string_format(c.format_text); break;
    case JsonType::kInteger: format = integer_format(c.format_text); break;
    case JsonType::kNumber: format = number_format(c.format_text); break;
    default: break;
  }
  if (format == Format::kNone) c.format_text = {};
}

// The has_*_below flags let prune, default, list and rule walks return at a subtree that has
// nothing for them. They are derived from the children and so take no part in the equality of
// nodes.
void Compiler::settle(Candidate& out) const {
  settle_format(out);
  NodeFacts& facts = out.facts;
  // A list without a schema for its elements, which no server takes, cannot be told apart by them.
  if (out.items == kNoNode && facts.list_type != ListType::kUnset)
    facts.list_type = ListType::kAtomic;
  facts.has_rules_below = out.rules != nullptr;
  facts.has_lists_below = facts.list_type == ListType::kSet || facts.list_type == ListType::kMap;
  facts.has_embedded_below = facts.embedded_resource;
  auto add = [&](NodeId id) {
    if (id == kNoNode) return;
    const Node& below = *interner_.node(id);
    facts.has_rules_below |= below.has_rules_below;
    facts.has_lists_below |= below.has_lists_below;
    facts.has_embedded_below |= below.has_embedded_below;
    facts.has_defaults_below |= below.has_defaults_below || below.default_value != nullptr;
  };
  for (const CandidateProperty& p : out.properties) add(p.node);
  add(out.additional_schema);
  add(out.items);
  // Only allOf may carry rules: the other junctors are value constraints alone.
  for (const NodeId branch : out.all_of)
    facts.has_rules_below |= interner_.node(branch)->has_rules_below;
}

}  // namespace

Result<NodePtr> compile(const Value& schema) {
  const FieldPath root;
  Compiler compiler;
  if (NodePtr compiled = compiler.compile(schema, PathTrail(root))) return compiled;
  return std::unexpected(compiler.take_error());
}

}  // namespace strake::schema
