#include "schema/compile.h"

#include <algorithm>

#include "schema/intern.h"

namespace strake::schema {
namespace {

using value::Member;
using value::Value;

// Far beyond any schema people write, and well within a thread's stack.
constexpr std::size_t kMaxDepth = 400;

class Compiler {
 public:
  Result<NodePtr> node(const Value& schema);

 private:
  Result<> keyword(std::string_view name, const Value& v);
  Result<> object_keyword(std::string_view name, const Value& v);
  Result<> value_keyword(std::string_view name, const Value& v);
  Result<> extension(std::string_view name, const Value& v);
  Result<> rule_list(const Value& v);

  template <typename Body>
  auto below(std::string_view name, Body body) {
    at_.push_field(name);
    auto result = body();
    at_.pop();
    return result;
  }
  std::unexpected<Error> wrong(std::string_view name, std::string_view wanted, const Value& met) const {
    return fail(Code::kInvalid, at_ / name, "must be {}, got {}", wanted, value::to_string(met.type()));
  }

  Result<bool> boolean(std::string_view name, const Value& v) const {
    if (v.is_bool()) return v.as_bool();
    return wrong(name, "a boolean", v);
  }
  Result<std::string> text(std::string_view name, const Value& v) const {
    if (v.is_string()) return std::string(v.as_string());
    return wrong(name, "a string", v);
  }
  Result<double> number(std::string_view name, const Value& v) const {
    if (v.is_number()) return v.as_double();
    return wrong(name, "a number", v);
  }
  Result<std::int64_t> integer(std::string_view name, const Value& v) const {
    if (v.type() == value::Type::kInt) return v.as_int();
    if (v.is_number() && v.as_double() == static_cast<double>(static_cast<std::int64_t>(v.as_double()))) {
      return static_cast<std::int64_t>(v.as_double());
    }
    return wrong(name, "an integer", v);
  }
  Result<std::vector<std::string>> texts(std::string_view name, const Value& v) const {
    if (!v.is_array()) return wrong(name, "a list of strings", v);
    std::vector<std::string> out;
    for (const Value& item : v.items()) {
      if (!item.is_string()) return wrong(name, "a list of strings", item);
      out.emplace_back(item.as_string());
    }
    return out;
  }
  Result<NodePtr> child(std::string_view name, const Value& v) {
    return below(name, [&] { return node(v); });
  }
  Result<std::vector<NodePtr>> children(std::string_view name, const Value& v) {
    if (!v.is_array()) return wrong(name, "a list of schemas", v);
    std::vector<NodePtr> out;
    for (std::size_t i = 0; i < v.size(); ++i) {
      auto compiled = below(name, [&] { return node(v.items()[i]); });
      if (!compiled) return std::unexpected(std::move(compiled).error());
      out.push_back(*std::move(compiled));
    }
    return out;
  }

  NumberRules& numbers() {
    if (!numbers_) numbers_ = std::make_unique<NumberRules>();
    return *numbers_;
  }
  TextRules& text_rules() {
    if (!text_rules_) text_rules_ = std::make_unique<TextRules>();
    return *text_rules_;
  }
  Composition& composition() {
    if (!composition_) composition_ = std::make_unique<Composition>();
    return *composition_;
  }
  void settle_format();
  void settle_flags();

  FieldPath at_;
  std::size_t depth_ = 0;
  // The node under construction, with the blocks that become const when it is done.
  std::unique_ptr<Node> out_;
  std::unique_ptr<NumberRules> numbers_;
  std::unique_ptr<TextRules> text_rules_;
  std::unique_ptr<Composition> composition_;
};

std::unique_ptr<const value::Document> own(const Value& v) {
  auto document = std::make_unique<value::Document>();
  document->root() = value::deep_copy(v, document->arena());
  return document;
}

JsonType json_type(std::string_view name) {
  if (name == "string") return JsonType::kString;
  if (name == "number") return JsonType::kNumber;
  if (name == "integer") return JsonType::kInteger;
  if (name == "boolean") return JsonType::kBoolean;
  if (name == "array") return JsonType::kArray;
  if (name == "object") return JsonType::kObject;
  return JsonType::kNone;
}

Result<NodePtr> Compiler::node(const Value& schema) {
  if (!schema.is_object()) return fail(Code::kInvalid, at_, "must be a schema, got {}", value::to_string(schema.type()));
  if (depth_ >= kMaxDepth) return fail(Code::kLimit, at_, "schema is nested deeper than {}", kMaxDepth);
  ++depth_;
  // Nested calls build their nodes in the same members: set this one's aside and put it back.
  auto outer = std::exchange(out_, std::make_unique<Node>());
  auto outer_numbers = std::exchange(numbers_, nullptr);
  auto outer_text = std::exchange(text_rules_, nullptr);
  auto outer_composition = std::exchange(composition_, nullptr);

  Result<> read;
  for (const Member& m : schema.members()) {
    read = keyword(m.key, m.value);
    if (!read) break;
  }
  settle_format();
  settle_flags();
  out_->number = std::move(numbers_);
  out_->text = std::move(text_rules_);
  out_->composition = std::move(composition_);
  auto made = std::exchange(out_, std::move(outer));
  numbers_ = std::move(outer_numbers);
  text_rules_ = std::move(outer_text);
  composition_ = std::move(outer_composition);
  --depth_;
  if (!read) return std::unexpected(std::move(read).error());
  return intern(std::move(made));
}

Result<> Compiler::keyword(std::string_view name, const Value& v) {
  if (name.starts_with("x-kubernetes-")) return extension(name, v);
  STRAKE_CHECK(object_keyword(name, v));
  return value_keyword(name, v);
}

Result<> Compiler::object_keyword(std::string_view name, const Value& v) {
  if (name == "properties") {
    if (!v.is_object()) return wrong(name, "an object", v);
    std::vector<Property> properties;
    properties.reserve(v.size());
    for (const Member& m : v.members()) {
      STRAKE_TRY(NodePtr property, below("properties", [&] { return child(m.key, m.value); }));
      properties.push_back({std::string(m.key), std::move(property)});
    }
    out_->properties = std::move(properties);
  } else if (name == "additionalProperties") {
    if (v.is_bool()) {
      out_->additional = v.as_bool() ? Additional::kTrue : Additional::kFalse;
    } else {
      STRAKE_TRY(NodePtr schema, child(name, v));
      out_->additional = Additional::kSchema;
      out_->additional_schema = std::move(schema);
    }
  } else if (name == "items") {
    STRAKE_TRY(out_->items, child(name, v));
  } else if (name == "required") {
    STRAKE_TRY(out_->required, texts(name, v));
  } else if (name == "minItems") {
    STRAKE_TRY(out_->min_items, integer(name, v));
  } else if (name == "maxItems") {
    STRAKE_TRY(out_->max_items, integer(name, v));
  } else if (name == "minProperties") {
    STRAKE_TRY(out_->min_properties, integer(name, v));
  } else if (name == "maxProperties") {
    STRAKE_TRY(out_->max_properties, integer(name, v));
  } else if (name == "allOf") {
    STRAKE_TRY(auto nodes, children(name, v));
    composition().all_of = std::move(nodes);
  } else if (name == "anyOf") {
    STRAKE_TRY(auto nodes, children(name, v));
    composition().any_of = std::move(nodes);
  } else if (name == "oneOf") {
    STRAKE_TRY(auto nodes, children(name, v));
    composition().one_of = std::move(nodes);
  } else if (name == "not") {
    STRAKE_TRY(NodePtr negated, child(name, v));
    composition().negated = std::move(negated);
  }
  return {};
}

Result<> Compiler::value_keyword(std::string_view name, const Value& v) {
  if (name == "type") {
    STRAKE_TRY(const std::string type, text(name, v));
    out_->type = json_type(type);
  } else if (name == "format") {
    STRAKE_TRY(out_->format_text, text(name, v));
  } else if (name == "nullable") {
    STRAKE_TRY(out_->nullable, boolean(name, v));
  } else if (name == "enum") {
    if (!v.is_array()) return wrong(name, "a list", v);
    if (v.size() != 0) out_->enumeration = own(v);
  } else if (name == "default") {
    if (!v.is_null()) out_->default_value = own(v);
  } else if (name == "minimum") {
    STRAKE_TRY(numbers().minimum, number(name, v));
  } else if (name == "maximum") {
    STRAKE_TRY(numbers().maximum, number(name, v));
  } else if (name == "multipleOf") {
    STRAKE_TRY(numbers().multiple_of, number(name, v));
  } else if (name == "exclusiveMinimum") {
    STRAKE_TRY(numbers().exclusive_minimum, boolean(name, v));
  } else if (name == "exclusiveMaximum") {
    STRAKE_TRY(numbers().exclusive_maximum, boolean(name, v));
  } else if (name == "minLength") {
    STRAKE_TRY(text_rules().min_length, integer(name, v));
  } else if (name == "maxLength") {
    STRAKE_TRY(text_rules().max_length, integer(name, v));
  } else if (name == "pattern") {
    STRAKE_TRY(const std::string pattern, text(name, v));
    if (!pattern.empty()) text_rules().pattern = intern_pattern(pattern);
  }
  return {};
}

Result<> Compiler::extension(std::string_view name, const Value& v) {
  if (name == "x-kubernetes-preserve-unknown-fields") {
    STRAKE_TRY(out_->preserve_unknown, boolean(name, v));
  } else if (name == "x-kubernetes-embedded-resource") {
    STRAKE_TRY(out_->embedded_resource, boolean(name, v));
  } else if (name == "x-kubernetes-int-or-string") {
    STRAKE_TRY(out_->int_or_string, boolean(name, v));
  } else if (name == "x-kubernetes-list-map-keys") {
    STRAKE_TRY(out_->map_keys, texts(name, v));
  } else if (name == "x-kubernetes-list-type") {
    STRAKE_TRY(const std::string type, text(name, v));
    out_->list_type = type == "set"      ? ListType::kSet
                      : type == "map"    ? ListType::kMap
                      : type == "atomic" ? ListType::kAtomic
                                         : ListType::kUnset;
  } else if (name == "x-kubernetes-map-type") {
    STRAKE_TRY(const std::string type, text(name, v));
    out_->map_type = type == "atomic" ? MapType::kAtomic : type == "granular" ? MapType::kGranular : MapType::kUnset;
  } else if (name == "x-kubernetes-validations") {
    return rule_list(v);
  }
  return {};
}

Result<> Compiler::rule_list(const Value& v) {
  constexpr std::string_view kName = "x-kubernetes-validations";
  if (!v.is_array()) return wrong(kName, "a list of rules", v);
  for (const Value& item : v.items()) {
    if (!item.is_object()) return wrong(kName, "a list of rules", item);
    Rule rule;
    for (const Member& m : item.members()) {
      if (m.key == "optionalOldSelf") {
        STRAKE_TRY(rule.optional_old_self, boolean(m.key, m.value));
        continue;
      }
      std::string* field = m.key == "rule"                ? &rule.rule
                           : m.key == "message"           ? &rule.message
                           : m.key == "messageExpression" ? &rule.message_expression
                           : m.key == "reason"            ? &rule.reason
                           : m.key == "fieldPath"         ? &rule.field_path
                                                          : nullptr;
      if (field == nullptr) continue;
      STRAKE_TRY(*field, text(m.key, m.value));
    }
    out_->rules.push_back(std::move(rule));
  }
  return {};
}

void Compiler::settle_format() {
  if (out_->format_text.empty()) return;
  switch (out_->type) {
    case JsonType::kString:
    case JsonType::kNone: out_->format = string_format(out_->format_text); break;
    case JsonType::kInteger: out_->format = integer_format(out_->format_text); break;
    case JsonType::kNumber: out_->format = number_format(out_->format_text); break;
    default: break;
  }
  if (out_->format == Format::kNone) out_->format_text.clear();
}

void Compiler::settle_flags() {
  Node& n = *out_;
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
  if (composition_) {
    for (const NodePtr& branch : composition_->all_of) n.has_rules_below |= branch->has_rules_below;
  }
}

}  // namespace

Result<NodePtr> compile(const Value& schema) { return Compiler().node(schema); }

}  // namespace strake::schema
