// The rules that every node of a schema is held to, wherever it stands.
#include <algorithm>
#include <array>
#include <iterator>
#include <vector>

#include "crd/check_parts.h"

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
  std::string_view defaults_forbidden;        // why, or empty when defaults may be set
  bool inside_metadata = false;               // below apiVersion, kind or metadata of a resource
  const FieldPath* uncorrelatable = nullptr;  // the first list whose items cannot be followed
};

constexpr std::string_view kUnsupported[] = {
    "id", "additionalItems", "patternProperties", "definitions", "dependencies", "$ref",
};

class NodeWalk {
 public:
  NodeWalk(const CheckOptions& options, SchemaRules* rules) : options_(options), rules_(rules) {}

  NodeErrors walk(const SchemaView& schema, const FieldPath& at, const Context& context,
                  bool is_root, const RulePlace* place) {
    NodeErrors out;
    check_own(schema, at, context, out.schema);
    if (schema.flag("uniqueItems")) {
      out.schema.push_back(FieldError::forbidden(
          at / "uniqueItems",
          "uniqueItems cannot be set to true since the runtime complexity becomes quadratic"));
    }
    walk_additional(schema, at, context, place, out);
    walk_properties(schema, at, context, is_root, place, out);
    if (const auto negated = schema.schema("not")) {
      append(out, walk(*negated, at / "not", context, false, nullptr));
    }
    for (const std::string_view junctor : {"allOf", "oneOf", "anyOf"}) {
      const auto branches = schema.list(junctor);
      for (std::size_t i = 0; i < branches.size(); ++i) {
        append(out, walk(SchemaView(branches[i]), at / junctor / i, context, false, nullptr));
      }
    }
    for (const Member& definition : schema.members("definitions")) {
      append(out, walk(SchemaView(definition.value), (at / "definitions").key(definition.key),
                       context, false, nullptr));
    }
    walk_items(schema, at, context, place, out);
    for (const Member& dependency : schema.members("dependencies")) {
      if (!dependency.value.is_object()) continue;
      append(out, walk(SchemaView(dependency.value), (at / "dependencies").key(dependency.key),
                       context, false, nullptr));
    }
    if (!schema.optional_flag("x-kubernetes-preserve-unknown-fields").value_or(true)) {
      out.schema.push_back(FieldError::invalid(at / "x-kubernetes-preserve-unknown-fields",
                                               Value::boolean(false), "must be true or undefined"));
    }
    check_list_and_map_types(schema, options_, at, out.schema);
    check_rule_form(schema, at, out.schema);
    if (out.schema.empty() && place != nullptr && place->node != nullptr && rules_ != nullptr &&
        !schema.list("x-kubernetes-validations").empty()) {
      FieldErrors found = rules_->check(*place);
      std::move(found.begin(), found.end(), std::back_inserter(out.rules));
    }
    return out;
  }

 private:
  static void append(NodeErrors& out, NodeErrors more) {
    std::move(more.schema.begin(), more.schema.end(), std::back_inserter(out.schema));
    std::move(more.rules.begin(), more.rules.end(), std::back_inserter(out.rules));
  }

  void check_own(const SchemaView& schema, const FieldPath& at, const Context& context,
                 FieldErrors& errors) const {
    const std::string_view type = schema.type();
    if (options_.require_valid_types && !type.empty() && !is_valid_type(type)) {
      errors.push_back(FieldError::not_supported(at / "type", Value::string(type), valid_types()));
    }
    if (schema.has("default") && !context.defaults_forbidden.empty()) {
      errors.push_back(FieldError::forbidden(
          at / "default", "must not be set " + std::string(context.defaults_forbidden)));
    }
    for (const std::string_view key : kUnsupported) {
      if (schema.has(key))
        errors.push_back(FieldError::forbidden(at / key, std::string(key) + " is not supported"));
    }
    if (type == "null") {
      errors.push_back(FieldError::forbidden(
          at / "type", "type cannot be set to null, use nullable as an alternative"));
    }
    if (!schema.items_list().empty()) {
      errors.push_back(
          FieldError::forbidden(at / "items", "items must be a schema object and not an array"));
    }
    if (context.inside_metadata && schema.flag("x-kubernetes-embedded-resource")) {
      errors.push_back(FieldError::forbidden(at / "x-kubernetes-embedded-resource",
                                             "must not be used inside of resource meta"));
    }
  }

  void walk_additional(const SchemaView& schema, const FieldPath& at, const Context& context,
                       const RulePlace* place, NodeErrors& out) {
    const Value* more = schema.get("additionalProperties");
    if (more == nullptr) return;
    const FieldPath here = at / "additionalProperties";
    const bool is_true = more->is_bool() && more->as_bool();
    if (!schema.members("properties").empty() && !is_true) {
      out.schema.push_back(
          FieldError::forbidden(here, "additionalProperties and properties are mutual exclusive"));
    }
    if (!more->is_object()) return;
    Context inner = context;
    if (context.inside_metadata) {
      inner.defaults_forbidden = "inside additionalProperties applying to object metadata";
    }
    const RulePlace child = place_below(place, RulePlace::Step::kAdditional, {}, here, inner);
    append(out, walk(SchemaView(*more), here, inner, false, place != nullptr ? &child : nullptr));
  }

  void walk_properties(const SchemaView& schema, const FieldPath& at, const Context& context,
                       bool is_root, const RulePlace* place, NodeErrors& out) {
    for (const Member& property : schema.members("properties")) {
      Context inner = context;
      // Only a map type that is neither granular nor atomic cannot be followed, and such a type is
      // refused anyway.
      if (const auto type = schema.optional_text("x-kubernetes-map-type");
          type && *type != "granular" && *type != "atomic" && inner.uncorrelatable == nullptr) {
        inner.uncorrelatable = &at;
      }
      const bool is_meta =
          property.key == "metadata" || property.key == "kind" || property.key == "apiVersion";
      std::string reason;
      if (is_meta && (is_root || schema.flag("x-kubernetes-embedded-resource"))) {
        inner.inside_metadata = true;
        if (is_root) {
          reason = "in top-level " + std::string(property.key);
          inner.defaults_forbidden = reason;
        }
      }
      const FieldPath here = (at / "properties").key(property.key);
      const RulePlace child =
          place_below(place, RulePlace::Step::kProperty, property.key, here, inner);
      append(out, walk(SchemaView(property.value), here, inner, false,
                       place != nullptr ? &child : nullptr));
    }
  }

  void walk_items(const SchemaView& schema, const FieldPath& at, const Context& context,
                  const RulePlace* place, NodeErrors& out) {
    Context inner = context;
    if (schema.text("x-kubernetes-list-type") != "map" && inner.uncorrelatable == nullptr)
      inner.uncorrelatable = &at;
    const FieldPath here = at / "items";
    if (const auto items = schema.items()) {
      const RulePlace child = place_below(place, RulePlace::Step::kItems, {}, here, inner);
      append(out, walk(*items, here, inner, false, place != nullptr ? &child : nullptr));
    }
    const auto list = schema.items_list();
    for (std::size_t i = 0; i < list.size(); ++i) {
      append(out, walk(SchemaView(list[i]), here / i, inner, false, nullptr));
    }
  }

  static RulePlace place_below(const RulePlace* parent, RulePlace::Step step,
                               std::string_view property, const FieldPath& at,
                               const Context& context) {
    RulePlace out{.node = nullptr,
                  .parent = parent,
                  .step = step,
                  .property = property,
                  .at = &at,
                  .uncorrelatable = context.uncorrelatable};
    if (parent == nullptr || parent->node == nullptr) return out;
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
};

}  // namespace

bool is_valid_type(std::string_view type) {
  const auto& types = valid_types();
  return std::find(types.begin(), types.end(), type) != types.end();
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
  return NodeWalk(options, rules).walk(schema, at, {}, true, compile ? &place : nullptr);
}

}  // namespace strake::crd
