// The rules that every node of a schema is held to, wherever it stands.
#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <vector>

#include "crd/check_parts.h"
#include "crd/check_words.h"

namespace strake::crd {
namespace {

using value::FieldError;
using value::FieldErrors;
using value::Member;
using value::Value;

const std::vector<std::string>& valid_types() {
  static const std::vector<std::string> kTypes = {"array",  "boolean", "integer",
                                                  "number", "object",  "string"};
  return kTypes;
}

// What holds on the way down.
struct Context {
  std::string_view defaults_forbidden;          // why, or empty when defaults may be set
  bool inside_metadata = false;                 // below apiVersion, kind or metadata of a resource
  const SchemaTrail* uncorrelatable = nullptr;  // the first list whose items cannot be followed
};

struct Unsupported {
  std::string_view key;
  Word word;
};
constexpr Unsupported kUnsupported[] = {
    {"id", Word::kId},
    {"additionalItems", Word::kAdditionalItems},
    {"patternProperties", Word::kPatternProperties},
    {"definitions", Word::kDefinitions},
    {"dependencies", Word::kDependencies},
    {"$ref", Word::kRef},
};
constexpr Words kAnyUnsupported = Word::kId | Word::kAdditionalItems | Word::kPatternProperties |
                                  Word::kDefinitions | Word::kDependencies | Word::kRef;

class NodeWalk {
 public:
  NodeWalk(const CheckOptions& options, SchemaRules* rules) : options_(options), rules_(rules) {}

  NodeErrors take() { return std::move(out_); }

  // `place` is null when no rules are to be compiled here or below.
  void walk(const SchemaView& schema, const SchemaTrail& at, const Context& context, bool is_root,
            const RulePlace* place) {
    const Words words = Words::of(schema.value());
    // Rules of a node are compiled only when the node itself and all below it are sound: types for
    // CEL are derived from them.
    const std::size_t faults_before = out_.schema.size();
    if (place != nullptr && (place->node == nullptr || !place->node->has_rules_below))
      place = nullptr;
    check_own(schema, words, at, context);
    if (words.has(Word::kUniqueItems) && schema.flag("uniqueItems")) {
      out_.schema.push_back(FieldError::forbidden(
          at / "uniqueItems",
          "uniqueItems cannot be set to true since the runtime complexity becomes quadratic"));
    }
    if (words.has(Word::kAdditionalProperties)) walk_additional(schema, at, context, place);
    if (words.has(Word::kProperties)) walk_properties(schema, words, at, context, is_root, place);
    if (words.any(kJunctors)) walk_junctors(schema, at, context);
    if (words.has(Word::kDefinitions)) walk_named(schema, "definitions", at, context);
    if (words.has(Word::kItems)) walk_items(schema, at, context, place);
    if (words.has(Word::kDependencies)) walk_named(schema, "dependencies", at, context);
    if (words.has(Word::kPreserveUnknown) &&
        !schema.optional_flag("x-kubernetes-preserve-unknown-fields").value_or(true)) {
      out_.schema.push_back(FieldError::invalid(at / "x-kubernetes-preserve-unknown-fields",
                                                Value::boolean(false),
                                                "must be true or undefined"));
    }
    if (words.any(Word::kMapType | Word::kListType | Word::kListMapKeys)) {
      check_list_and_map_types(schema, options_, at, out_.schema);
    }
    if (!words.has(Word::kValidations)) return;
    check_rule_form(schema, at, out_.schema);
    if (out_.schema.size() == faults_before && place != nullptr && rules_ != nullptr &&
        !schema.list("x-kubernetes-validations").empty()) {
      check_rules(*place, at, context);
    }
  }

 private:
  void check_rules(const RulePlace& place, const SchemaTrail& at, const Context& context) {
    RulePlace here = place;
    const FieldPath path = at.path();
    here.at = &path;
    std::optional<FieldPath> uncorrelatable;
    if (context.uncorrelatable != nullptr)
      here.uncorrelatable = &uncorrelatable.emplace(context.uncorrelatable->path());
    FieldErrors found = rules_->check(here);
    out_.rules.append(std::move(found));
  }

  void check_own(const SchemaView& schema, Words words, const SchemaTrail& at,
                 const Context& context) {
    FieldErrors& errors = out_.schema;
    const std::string_view type = words.has(Word::kType) ? schema.type() : std::string_view();
    if (options_.require_valid_types && !type.empty() && !is_valid_type(type)) {
      errors.push_back(FieldError::not_supported(at / "type", Value::string(type), valid_types()));
    }
    if (words.has(Word::kDefault) && !context.defaults_forbidden.empty()) {
      errors.push_back(FieldError::forbidden(
          at / "default", "must not be set " + std::string(context.defaults_forbidden)));
    }
    if (words.any(kAnyUnsupported)) {
      for (const auto& [key, word] : kUnsupported) {
        if (words.has(word))
          errors.push_back(FieldError::forbidden(at / key, std::string(key) + " is not supported"));
      }
    }
    if (type == "null") {
      errors.push_back(FieldError::forbidden(
          at / "type", "type cannot be set to null, use nullable as an alternative"));
    }
    if (words.has(Word::kItems) && !schema.items_list().empty()) {
      errors.push_back(
          FieldError::forbidden(at / "items", "items must be a schema object and not an array"));
    }
    if (context.inside_metadata && schema.flag("x-kubernetes-embedded-resource")) {
      errors.push_back(FieldError::forbidden(at / "x-kubernetes-embedded-resource",
                                             "must not be used inside of resource meta"));
    }
  }

  void walk_additional(const SchemaView& schema, const SchemaTrail& at, const Context& context,
                       const RulePlace* place) {
    const Value* more = schema.get("additionalProperties");
    const SchemaTrail here = at.field("additionalProperties");
    const bool is_true = more->is_bool() && more->as_bool();
    if (!schema.members("properties").empty() && !is_true) {
      out_.schema.push_back(FieldError::forbidden(
          here.path(), "additionalProperties and properties are mutual exclusive"));
    }
    if (!more->is_object()) return;
    Context inner = context;
    if (context.inside_metadata) {
      inner.defaults_forbidden = "inside additionalProperties applying to object metadata";
    }
    const RulePlace child = place_below(place, RulePlace::Step::kAdditional, {});
    walk(SchemaView(*more), here, inner, false, place != nullptr ? &child : nullptr);
  }

  void walk_properties(const SchemaView& schema, Words words, const SchemaTrail& at,
                       const Context& context, bool is_root, const RulePlace* place) {
    Context outer = context;
    // Only a map type that is neither granular nor atomic cannot be followed, and such a type is
    // refused anyway.
    if (words.has(Word::kMapType) && outer.uncorrelatable == nullptr) {
      const auto type = schema.optional_text("x-kubernetes-map-type");
      if (type && *type != "granular" && *type != "atomic") outer.uncorrelatable = &at;
    }
    const bool is_resource = is_root || (words.has(Word::kEmbeddedResource) &&
                                         schema.flag("x-kubernetes-embedded-resource"));
    for (const Member& property : schema.members("properties")) {
      Context inner = outer;
      std::string reason;
      if (is_resource && schema::is_type_meta(property.key)) {
        inner.inside_metadata = true;
        if (is_root) {
          reason = "in top-level " + std::string(property.key);
          inner.defaults_forbidden = reason;
        }
      }
      const RulePlace child = place_below(place, RulePlace::Step::kProperty, property.key);
      walk(SchemaView(property.value), at.key("properties", property.key), inner, false,
           place != nullptr ? &child : nullptr);
    }
  }

  void walk_junctors(const SchemaView& schema, const SchemaTrail& at, const Context& context) {
    if (const auto negated = schema.schema("not"))
      walk(*negated, at.field("not"), context, false, nullptr);
    for (const std::string_view junctor : {"allOf", "oneOf", "anyOf"}) {
      const auto branches = schema.list(junctor);
      for (std::size_t i = 0; i < branches.size(); ++i) {
        walk(SchemaView(branches[i]), at.index(junctor, i), context, false, nullptr);
      }
    }
  }

  // Definitions and dependencies, which may be lists of names too.
  void walk_named(const SchemaView& schema, std::string_view keyword, const SchemaTrail& at,
                  const Context& context) {
    for (const Member& one : schema.members(keyword)) {
      if (!one.value.is_object()) continue;
      walk(SchemaView(one.value), at.key(keyword, one.key), context, false, nullptr);
    }
  }

  void walk_items(const SchemaView& schema, const SchemaTrail& at, const Context& context,
                  const RulePlace* place) {
    Context inner = context;
    // Below a list whose items have no identity oldSelf has no meaning. The outermost such list is
    // reported.
    if (inner.uncorrelatable == nullptr && schema.text("x-kubernetes-list-type") != "map")
      inner.uncorrelatable = &at;
    const SchemaTrail here = at.field("items");
    if (const auto items = schema.items()) {
      const RulePlace child = place_below(place, RulePlace::Step::kItems, {});
      walk(*items, here, inner, false, place != nullptr ? &child : nullptr);
    }
    const auto list = schema.items_list();
    for (std::size_t i = 0; i < list.size(); ++i) {
      walk(SchemaView(list[i]), here.index(i), inner, false, nullptr);
    }
  }

  // Where it stands is put in when its rules are looked at.
  static RulePlace place_below(const RulePlace* parent, RulePlace::Step step,
                               std::string_view property) {
    RulePlace out{.node = nullptr,
                  .parent = parent,
                  .step = step,
                  .property = property,
                  .at = nullptr,
                  .uncorrelatable = nullptr};
    if (parent == nullptr) return out;
    switch (step) {
      case RulePlace::Step::kProperty: out.node = parent->node->property(property); break;
      case RulePlace::Step::kItems: out.node = parent->node->items.get(); break;
      case RulePlace::Step::kAdditional: out.node = parent->node->additional_schema.get(); break;
      case RulePlace::Step::kRoot: break;
    }
    return out;
  }

  const CheckOptions& options_;
  SchemaRules* rules_;
  NodeErrors out_;
};

}  // namespace

bool is_valid_type(std::string_view type) {
  constexpr std::string_view kTypes[] = {"string",  "object", "array",
                                         "boolean", "number", "integer"};
  return std::find(std::begin(kTypes), std::end(kTypes), type) != std::end(kTypes);
}

NodeErrors check_nodes(const SchemaView& schema, const CheckOptions& options,
                       const schema::Node* root, SchemaRules* rules, const FieldPath& at) {
  const RulePlace place{.node = root,
                        .parent = nullptr,
                        .step = RulePlace::Step::kRoot,
                        .property = {},
                        .at = &at,
                        .uncorrelatable = nullptr};
  const bool compile = rules != nullptr && root != nullptr;
  NodeWalk walk(options, rules);
  walk.walk(schema, SchemaTrail(at), {}, true, compile ? &place : nullptr);
  return walk.take();
}

}  // namespace strake::crd
