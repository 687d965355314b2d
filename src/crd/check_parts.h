#pragma once
// The parts that check.h is made of, one for each subject; not for use outside of this module.
#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include "base/field_path.h"
#include "crd/check_trail.h"
#include "crd/crd.h"
#include "crd/hoisted.h"
#include "crd/rule_compiler.h"
#include "crd/schema_view.h"
#include "schema/node.h"
#include "value/field_error.h"

namespace strake::crd {

constexpr std::int64_t kMaxSelectableFields = 8;

using TextSet = std::set<std::string, std::less<>>;

// What is asked of a CRD. A new one is asked everything; one that replaces another is not asked
// what that one already broke.
struct CheckOptions {
  bool require_recognized_review_version = true;
  bool require_immutable_names = false;
  bool require_schema = true;
  bool require_valid_types = true;
  bool require_structural = true;
  bool require_pruned_defaults = true;
  bool require_atomic_sets = true;
  bool require_map_list_keys = true;
  bool allow_invalid_ca_bundle = true;
  TextSet many_selectable_allowed;  // versions, or "" for the top
  TextSet unchanged_versions;
  TextSet stored_rules;
  TextSet stored_message_expressions;
  bool is_update = false;
  RuleCompiler* compiler = nullptr;
};

CheckOptions update_options(const Crd& crd, const Crd& old);

// spec.names and status.acceptedNames.
void check_names(const Names& names, const FieldPath& at, value::FieldErrors& errors);
void check_conversion(const Crd& crd, const CheckOptions& options, const FieldPath& at,
                      value::FieldErrors& errors);
// Whether a decoded bundle of certificates can be read.
bool is_valid_ca_bundle(std::string_view base64);
void check_printer_columns(const value::Value* columns, const FieldPath& at,
                           value::FieldErrors& errors);
void check_subresources(const value::Value* subresources, const FieldPath& at,
                        value::FieldErrors& errors);
void check_selectable_fields(const value::Value& fields, const SchemaView& schema,
                             bool many_allowed, const FieldPath& at, value::FieldErrors& errors);

// Everything about one schema; `at` is where its holder stands. `version` is one that has this very
// schema, and keeps its compiled form.
struct SchemaCheck {
  const value::Value* holder = nullptr;
  const Version* version = nullptr;
  bool status_enabled = false;
  bool unchanged = false;
  bool require_structural = true;
};
void check_schema(const SchemaCheck& what, const CheckOptions& options, const FieldPath& at,
                  value::FieldErrors& errors);

// The rules that every node is held to. `root` and `rules` are null when validation rules are not
// to be compiled.
struct NodeErrors {
  value::FieldErrors schema;
  value::FieldErrors rules;
};
NodeErrors check_nodes(const SchemaView& schema, const CheckOptions& options,
                       const schema::Node* root, SchemaRules* rules, const FieldPath& at);
// The form of x-kubernetes-validations on one node.
void check_rule_form(const SchemaView& schema, const SchemaTrail& at, value::FieldErrors& errors);
// List types, map types and the keys of map lists, on one node.
void check_list_and_map_types(const SchemaView& schema, const CheckOptions& options,
                              const SchemaTrail& at, value::FieldErrors& errors);
// The keys of a list-type map and the items of a set or map; part of the former.
void check_map_list_keys(const SchemaView& schema, const SchemaTrail& at,
                         value::FieldErrors& errors);
bool is_valid_type(std::string_view type);

// Whether the schema is structural; sorted by message.
value::FieldErrors check_structural(const SchemaView& schema, const FieldPath& at);
// Defaults against the schema they stand in. `root` is the compiled form of the same schema.
value::FieldErrors check_defaults(const SchemaView& schema, const schema::Node& root,
                                  bool require_pruned, SchemaRules* rules, const FieldPath& at);
// Whether a default holds what pruning would drop, here or below, also in additionalProperties.
bool has_unpruned_default(const SchemaView& schema, const schema::Node& node, bool is_root);

// A path such as .spec.a or .spec['a'], followed through a schema.
struct FollowedPath {
  FieldPath path;
  const value::Value* schema = nullptr;
};
Result<FollowedPath> follow_path(std::string_view path, const SchemaView& schema,
                                 bool allow_brackets);

// An Invalid error whose value is already rendered, or is rendered as JSON where a string would not
// be.
value::FieldError invalid_shown(const FieldPath& at, std::string shown, std::string detail);
value::FieldError invalid_json(const FieldPath& at, const value::Value& v, std::string detail);

}  // namespace strake::crd
