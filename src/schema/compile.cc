#include "schema/compile.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "schema/intern.h"
#include "schema/path_trail.h"

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
    if (kKeywords[i].name[0] == name[0] && kKeywords[i].name == name) return kKeywords[i].keyword;
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

// A node under construction, with the blocks that become const when it is done. Kept and used again
// for the next node at the same depth: most turn out to be known, and their memory would be thrown
// away.
struct Draft {
  Node node;
  std::unique_ptr<NumberRules> numbers;
  std::unique_ptr<TextRules> text;
  std::unique_ptr<Composition> composition;
  Borrowed values;  // of the schema document

  void clear();
  NumberRules& number_rules() {
    return *(numbers ? numbers : numbers = std::make_unique<NumberRules>());
  }
  TextRules& text_rules() { return *(text ? text : text = std::make_unique<TextRules>()); }
  Composition& junctors() {
    return *(composition ? composition : composition = std::make_unique<Composition>());
  }
};

void Draft::clear() {
  Node fresh;
  fresh.properties = std::move(node.properties);
  fresh.required = std::move(node.required);
  fresh.properties.clear();
  fresh.required.clear();
  node = std::move(fresh);
  numbers.reset();
  text.reset();
  composition.reset();
  values = {};
}

class Compiler {
 public:
  Result<NodePtr> node(const Value& schema, const PathTrail& at);

 private:
  Result<> keyword(std::string_view name, const Value& v, std::size_t draft, const PathTrail& at);
  Result<> properties(const Value& v, std::size_t draft, const PathTrail& at);
  Result<> bound(Keyword which, std::string_view name, const Value& v, Draft& draft,
                 const PathTrail& at);
  Result<> extension(Keyword which, std::string_view name, const Value& v, Node& out,
                     const PathTrail& at);
  Result<> rule_list(const Value& v, Node& out, const PathTrail& at);
  Result<std::vector<NodePtr>> nodes(std::string_view name, const Value& v, const PathTrail& at);
  static void settle(Draft& draft);

  static std::unexpected<Error> wrong(const PathTrail& at, std::string_view name,
                                      std::string_view wanted, const Value& met) {
    return fail(Code::kInvalid, at.path() / name, "must be {}, got {}", wanted,
                value::to_string(met.type()));
  }
  static Result<bool> boolean(const PathTrail& at, std::string_view name, const Value& v) {
    if (v.is_bool()) return v.as_bool();
    return wrong(at, name, "a boolean", v);
  }
  static Result<std::string_view> text(const PathTrail& at, std::string_view name, const Value& v) {
    if (v.is_string()) return v.as_string();
    return wrong(at, name, "a string", v);
  }
  static Result<double> number(const PathTrail& at, std::string_view name, const Value& v) {
    if (v.is_number()) return v.as_double();
    return wrong(at, name, "a number", v);
  }
  static Result<std::int64_t> integer(const PathTrail& at, std::string_view name, const Value& v) {
    if (v.type() == value::Type::kInt) return v.as_int();
    if (v.is_number()) {
      const double d = v.as_double();
      if (d >= -0x1p63 && d < 0x1p63 && d == std::trunc(d)) return static_cast<std::int64_t>(d);
    }
    return wrong(at, name, "an integer", v);
  }
  static Result<> texts(const PathTrail& at, std::string_view name, const Value& v,
                        std::vector<std::string>& out) {
    if (!v.is_array()) return wrong(at, name, "a list of strings", v);
    out.clear();
    for (const Value& item : v.items()) {
      if (!item.is_string()) return wrong(at, name, "a list of strings", item);
      out.emplace_back(item.as_string());
    }
    return {};
  }

  std::vector<std::unique_ptr<Draft>> drafts_;
  std::size_t depth_ = 0;
};

Result<NodePtr> Compiler::node(const Value& schema, const PathTrail& at) {
  if (!schema.is_object()) {
    return fail(Code::kInvalid, at.path(), "must be a schema, got {}",
                value::to_string(schema.type()));
  }
  if (depth_ >= kMaxDepth)
    return fail(Code::kLimit, at.path(), "schema is nested deeper than {}", kMaxDepth);
  const std::size_t draft = depth_++;
  if (draft == drafts_.size()) drafts_.push_back(std::make_unique<Draft>());
  drafts_[draft]->clear();
  for (const Member& m : schema.members()) STRAKE_CHECK(keyword(m.key, m.value, draft, at));
  --depth_;
  settle(*drafts_[draft]);
  return intern(drafts_[draft]->node, drafts_[draft]->values);
}

Result<> Compiler::properties(const Value& v, std::size_t draft, const PathTrail& at) {
  if (!v.is_object()) return wrong(at, "properties", "an object", v);
  const PathTrail below = PathTrail::field(at, "properties");
  std::vector<Property>& out = drafts_[draft]->node.properties;
  out.reserve(v.size());
  for (const Member& m : v.members()) {
    STRAKE_TRY(NodePtr property, node(m.value, PathTrail::field(below, m.key)));
    out.push_back({std::string(m.key), std::move(property)});
  }
  return {};
}

Result<std::vector<NodePtr>> Compiler::nodes(std::string_view name, const Value& v,
                                             const PathTrail& at) {
  if (!v.is_array()) return wrong(at, name, "a list of schemas", v);
  const PathTrail list = PathTrail::field(at, name);
  std::vector<NodePtr> out;
  for (std::size_t i = 0; i < v.size(); ++i) {
    STRAKE_TRY(NodePtr compiled, node(v.items()[i], PathTrail::index(list, i)));
    out.push_back(std::move(compiled));
  }
  return out;
}

Result<> Compiler::keyword(std::string_view name, const Value& v, std::size_t draft_index,
                           const PathTrail& at) {
  const Keyword which = find_keyword(name);
  Draft& draft = *drafts_[draft_index];
  Node& out = draft.node;
  switch (which) {
    case Keyword::kNone: return {};
    case Keyword::kProperties: return properties(v, draft_index, at);
    case Keyword::kAdditionalProperties: {
      if (v.is_bool()) {
        out.additional = v.as_bool() ? Additional::kTrue : Additional::kFalse;
        return {};
      }
      STRAKE_TRY(out.additional_schema, node(v, PathTrail::field(at, name)));
      out.additional = Additional::kSchema;
      return {};
    }
    case Keyword::kItems: {
      STRAKE_TRY(out.items, node(v, PathTrail::field(at, name)));
      return {};
    }
    case Keyword::kRequired: return texts(at, name, v, out.required);
    case Keyword::kAllOf: {
      STRAKE_TRY(draft.junctors().all_of, nodes(name, v, at));
      return {};
    }
    case Keyword::kAnyOf: {
      STRAKE_TRY(draft.junctors().any_of, nodes(name, v, at));
      return {};
    }
    case Keyword::kOneOf: {
      STRAKE_TRY(draft.junctors().one_of, nodes(name, v, at));
      return {};
    }
    case Keyword::kNot: {
      STRAKE_TRY(draft.junctors().negated, node(v, PathTrail::field(at, name)));
      return {};
    }
    case Keyword::kType: {
      STRAKE_TRY(const std::string_view type, text(at, name, v));
      out.type = json_type(type);
      return {};
    }
    case Keyword::kFormat: {
      STRAKE_TRY(out.format_text, text(at, name, v));
      return {};
    }
    case Keyword::kNullable: {
      STRAKE_TRY(out.nullable, boolean(at, name, v));
      return {};
    }
    case Keyword::kEnum:
      if (!v.is_array()) return wrong(at, name, "a list", v);
      if (v.size() != 0) draft.values.enumeration = &v;
      return {};
    case Keyword::kDefault:
      if (!v.is_null()) draft.values.default_value = &v;
      return {};
    default: break;
  }
  return which >= Keyword::kPreserveUnknown ? extension(which, name, v, out, at)
                                            : bound(which, name, v, draft, at);
}

Result<> Compiler::bound(Keyword which, std::string_view name, const Value& v, Draft& draft,
                         const PathTrail& at) {
  Node& out = draft.node;
  switch (which) {
    case Keyword::kMinimum: {
      STRAKE_TRY(draft.number_rules().minimum, number(at, name, v));
      return {};
    }
    case Keyword::kMaximum: {
      STRAKE_TRY(draft.number_rules().maximum, number(at, name, v));
      return {};
    }
    case Keyword::kMultipleOf: {
      STRAKE_TRY(draft.number_rules().multiple_of, number(at, name, v));
      return {};
    }
    case Keyword::kExclusiveMinimum: {
      STRAKE_TRY(draft.number_rules().exclusive_minimum, boolean(at, name, v));
      return {};
    }
    case Keyword::kExclusiveMaximum: {
      STRAKE_TRY(draft.number_rules().exclusive_maximum, boolean(at, name, v));
      return {};
    }
    case Keyword::kPattern: {
      STRAKE_TRY(const std::string_view pattern, text(at, name, v));
      if (!pattern.empty()) draft.text_rules().pattern = intern_pattern(pattern);
      return {};
    }
    default: break;
  }
  STRAKE_TRY(const std::int64_t n, integer(at, name, v));
  switch (which) {
    case Keyword::kMinItems: out.min_items = n; break;
    case Keyword::kMaxItems: out.max_items = n; break;
    case Keyword::kMinProperties: out.min_properties = n; break;
    case Keyword::kMaxProperties: out.max_properties = n; break;
    case Keyword::kMinLength: draft.text_rules().min_length = n; break;
    default: draft.text_rules().max_length = n; break;
  }
  return {};
}

Result<> Compiler::extension(Keyword which, std::string_view name, const Value& v, Node& out,
                             const PathTrail& at) {
  switch (which) {
    case Keyword::kPreserveUnknown: {
      STRAKE_TRY(out.preserve_unknown, boolean(at, name, v));
      return {};
    }
    case Keyword::kEmbeddedResource: {
      STRAKE_TRY(out.embedded_resource, boolean(at, name, v));
      return {};
    }
    case Keyword::kIntOrString: {
      STRAKE_TRY(out.int_or_string, boolean(at, name, v));
      return {};
    }
    case Keyword::kListMapKeys: return texts(at, name, v, out.map_keys);
    case Keyword::kListType: {
      STRAKE_TRY(const std::string_view type, text(at, name, v));
      out.list_type = type == "set"      ? ListType::kSet
                      : type == "map"    ? ListType::kMap
                      : type == "atomic" ? ListType::kAtomic
                                         : ListType::kUnset;
      return {};
    }
    case Keyword::kMapType: {
      STRAKE_TRY(const std::string_view type, text(at, name, v));
      out.map_type = type == "atomic"     ? MapType::kAtomic
                     : type == "granular" ? MapType::kGranular
                                          : MapType::kUnset;
      return {};
    }
    default: return rule_list(v, out, at);
  }
}

Result<> Compiler::rule_list(const Value& v, Node& out, const PathTrail& at) {
  constexpr std::string_view kName = "x-kubernetes-validations";
  if (!v.is_array()) return wrong(at, kName, "a list of rules", v);
  for (const Value& item : v.items()) {
    if (!item.is_object()) return wrong(at, kName, "a list of rules", item);
    Rule rule;
    for (const Member& m : item.members()) {
      if (m.key == "optionalOldSelf") {
        STRAKE_TRY(rule.optional_old_self, boolean(at, m.key, m.value));
        continue;
      }
      std::string* field = m.key == "rule"                ? &rule.rule
                           : m.key == "message"           ? &rule.message
                           : m.key == "messageExpression" ? &rule.message_expression
                           : m.key == "reason"            ? &rule.reason
                           : m.key == "fieldPath"         ? &rule.field_path
                                                          : nullptr;
      if (field == nullptr) continue;
      STRAKE_TRY(*field, text(at, m.key, m.value));
    }
    out.rules.push_back(std::move(rule));
  }
  return {};
}

void settle_format(Node& n) {
  if (n.format_text.empty()) return;
  switch (n.type) {
    case JsonType::kString:
    case JsonType::kNone: n.format = string_format(n.format_text); break;
    case JsonType::kInteger: n.format = integer_format(n.format_text); break;
    case JsonType::kNumber: n.format = number_format(n.format_text); break;
    default: break;
  }
  if (n.format == Format::kNone) n.format_text.clear();
}

void Compiler::settle(Draft& draft) {
  Node& n = draft.node;
  settle_format(n);
  // A list without a schema for its elements, which no server takes, cannot be told apart by them.
  if (!n.items && n.list_type != ListType::kUnset) n.list_type = ListType::kAtomic;
  n.has_rules_below = !n.rules.empty();
  n.has_lists_below = n.list_type == ListType::kSet || n.list_type == ListType::kMap;
  n.has_embedded_below = n.embedded_resource;
  auto add = [&n](const Node* below) {
    if (below == nullptr) return;
    n.has_rules_below |= below->has_rules_below;
    n.has_lists_below |= below->has_lists_below;
    n.has_embedded_below |= below->has_embedded_below;
    n.has_defaults_below |= below->has_defaults_below || below->default_value != nullptr;
  };
  for (const Property& p : n.properties) add(p.node.get());
  add(n.additional_schema.get());
  add(n.items.get());
  // Only allOf may carry rules: the other junctors are value constraints alone.
  if (draft.composition) {
    for (const NodePtr& branch : draft.composition->all_of)
      n.has_rules_below |= branch->has_rules_below;
  }
  n.number = std::move(draft.numbers);
  n.text = std::move(draft.text);
  n.composition = std::move(draft.composition);
}

}  // namespace

Result<NodePtr> compile(const Value& schema) {
  const FieldPath root;
  return Compiler().node(schema, PathTrail(root));
}

}  // namespace strake::schema
