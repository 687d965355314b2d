// One schema of a CRD, stage by stage: each stage runs only when those it rests on found nothing.
#include <algorithm>
#include <iterator>

#include "crd/check_parts.h"
#include "crd/go_dump.h"

namespace strake::crd {
namespace {

using value::FieldError;
using value::FieldErrors;
using value::Value;

// What may not stand at the root when status is written apart, in the order in which
// kube-apiserver 1.36 looks. The type is judged in its place among them.
constexpr std::string_view kNotAtStatusRoot[] = {
    "id",
    "$schema",
    "$ref",
    "type",
    "nullable",
    "default",
    "enum",
    "maxProperties",
    "minProperties",
    "allOf",
    "oneOf",
    "anyOf",
    "not",
    "additionalProperties",
    "patternProperties",
    "dependencies",
    "additionalItems",
    "definitions",
    "x-kubernetes-embedded-resource",
    "x-kubernetes-int-or-string",
    "x-kubernetes-list-map-keys",
    "x-kubernetes-list-type",
    "x-kubernetes-map-type",
};

void append(FieldErrors& errors, FieldErrors more) { errors.append(std::move(more)); }

void check_status_root(const SchemaView& schema, const FieldPath& at, FieldErrors& errors) {
  for (const std::string_view key : kNotAtStatusRoot) {
    if (!schema.has(key)) continue;
    if (key == "type") {
      if (schema.type() == "object") continue;
      errors.push_back(FieldError::invalid(at / "type", Value::string(schema.type()),
                                           "only \"object\" is allowed as the type at the root of "
                                           "the schema if the status subresource is enabled"));
      return;
    }
    errors.push_back(invalid_shown(at, dump_schema(schema.value()),
                                   "only [Description Type Format Title Maximum ExclusiveMaximum "
                                   "Minimum ExclusiveMinimum MaxLength MinLength "
                                   "Pattern MaxItems MinItems UniqueItems MultipleOf Required "
                                   "Items Properties ExternalDocs Example "
                                   "XPreserveUnknownFields XValidations] fields are allowed at the "
                                   "root of the schema if the status subresource "
                                   "is enabled"));
    return;
  }
}

void check_open_api_schema(const SchemaView& schema, const SchemaCheck& what,
                           const CheckOptions& options, const FieldPath& at, FieldErrors& errors) {
  if (what.status_enabled) check_status_root(schema, at, errors);
  if (schema.flag("nullable")) {
    errors.push_back(FieldError::forbidden(at / "nullable", "nullable cannot be true at the root"));
  }

  std::optional<std::string> conversion;
  schema::NodePtr root;
  std::unique_ptr<SchemaRules> rules;
  bool rules_apply = false;
  if (what.require_structural) {
    conversion = conversion_fault(schema);
    // A schema that does not compile is reported below, by the same means. It is compiled before
    // its patterns are checked, so that those are compiled once.
    const auto compiled = what.version->compiled();
    FieldErrors found;
    if (!conversion) found = check_structural(schema, at);
    if (!conversion && found.empty()) {
      if (compiled) root = *compiled;
      if (root != nullptr && options.compiler != nullptr) {
        rules = options.compiler->begin(
            root, {.unchanged = what.unchanged,
                   .stored_rules = options.is_update ? &options.stored_rules : nullptr,
                   .stored_message_expressions =
                       options.is_update ? &options.stored_message_expressions : nullptr});
      }
      if (root != nullptr)
        found = check_defaults(schema, *root, options.require_pruned_defaults, rules.get(), at);
      rules_apply = found.empty() && rules != nullptr;
    }
    append(errors, std::move(found));
  }

  NodeErrors nodes =
      check_nodes(schema, options, root.get(), rules_apply ? rules.get() : nullptr, at);
  append(errors, std::move(nodes.schema));
  append(errors, std::move(nodes.rules));
  if (errors.empty() && conversion)
    errors.push_back(FieldError::invalid(at, Value::string(""), *conversion));
  if (rules_apply) append(errors, rules->check_total(at));
}

}  // namespace

void check_schema(const SchemaCheck& what, const CheckOptions& options, const FieldPath& at,
                  FieldErrors& errors) {
  if (what.holder == nullptr) return;
  const Value* found = what.holder->find("openAPIV3Schema");
  if (found == nullptr) return;
  FieldErrors own;
  check_open_api_schema(SchemaView(*found), what, options, at / "openAPIV3Schema", own);
  if (own.empty()) {
    if (auto compiled = what.version->compiled(); !compiled) {
      own.push_back(FieldError::invalid(at, Value::string(""),
                                        "error building validator: " + compiled.error().message()));
    }
  }
  append(errors, std::move(own));
}

}  // namespace strake::crd
