#include "resource/validate.h"

#include <algorithm>

#include "meta/names.h"
#include "meta/object_meta.h"
#include "resource/embedded.h"
#include "resource/scale.h"
#include "schema/validate.h"
#include "value/fields.h"

namespace strake::resource {
namespace {

using value::FieldError;
using value::FieldErrors;
using value::Value;

void append(FieldErrors& to, FieldErrors&& from) { to.append(std::move(from)); }

// Whether the text is "group/version", or "version" in the core group.
bool names_group_version(std::string_view text, const meta::GroupVersionKind& gvk) {
  if (!gvk.group.empty()) {
    if (!text.starts_with(gvk.group)) return false;
    text.remove_prefix(gvk.group.size());
    if (!text.starts_with('/')) return false;
    text.remove_prefix(1);
  }
  return text == gvk.version;
}

const FieldPath& metadata_path() {
  static const FieldPath path = FieldPath() / "metadata";
  return path;
}

FieldErrors check_type_meta(const Value& object, const Kind& kind) {
  FieldErrors errors;
  const std::string_view kind_name = text_of(object, "kind");
  if (kind_name != kind.gvk.kind) {
    errors.push_back(FieldError::invalid(FieldPath() / "kind", Value::string(kind_name),
                                         "must be " + kind.gvk.kind));
  }
  const std::string_view api_version = text_of(object, "apiVersion");
  if (!names_group_version(api_version, kind.gvk)) {
    const std::string wanted = kind.gvk.group_version().to_string();
    errors.push_back(FieldError::invalid(FieldPath() / "apiVersion", Value::string(api_version),
                                         "must be " + wanted));
  }
  return errors;
}

void run_rules(const Value& object, const Value* old, const Kind& kind, const RuleRunner* rules,
               Verdict& verdict) {
  if (rules == nullptr || !kind.schema || !kind.schema->has_rules_below) return;
  // Errors past the limit are not known one by one: rules do not look at what may be misshapen.
  if (verdict.errors.omitted() != 0 ||
      std::ranges::any_of(verdict.errors, blocks_rules, &FieldError::reason)) {
    verdict.errors.push_back(rules_not_checked());
    return;
  }
  RuleOutcome outcome = rules->run(object, kind.schema, old);
  append(verdict.errors, std::move(outcome.errors));
  verdict.warnings = std::move(outcome.warnings);
  verdict.rule_cost = outcome.cost;
}

FieldPath below_status(const FieldPath& path) {
  FieldPath out = FieldPath() / "status";
  for (const FieldPath::Step& step : path.steps()) {
    switch (step.kind) {
      case FieldPath::Kind::kField: out.push_field(step.name); break;
      case FieldPath::Kind::kKey: out.push_key(step.name); break;
      case FieldPath::Kind::kIndex: out.push_index(step.index); break;
    }
  }
  return out;
}

// Lists that were broken before the update stay forgiven, all of them.
void check_lists(const Value& object, const Value* old, const Kind& kind, FieldErrors& errors) {
  if (!kind.schema || !kind.schema->has_lists_below) return;
  if (old != nullptr && !schema::validate_list_types(*old, *kind.schema).empty()) return;
  append(errors, schema::validate_list_types(object, *kind.schema));
}

void judge(const Value& object, const Value* old, const Kind& kind, const RuleRunner* rules,
           Verdict& verdict) {
  FieldErrors& errors = verdict.errors;
  FieldErrors type_meta = check_type_meta(object, kind);
  const bool typed = type_meta.empty();
  append(errors, std::move(type_meta));
  if (typed) {
    const FieldPath& at = metadata_path();
    append(errors, meta::validate_object_meta(meta::ObjectMeta::of(object), kind.namespaced,
                                              meta::name_is_dns_subdomain, at));
    if (old != nullptr) {
      append(errors, meta::validate_object_meta_update(meta::ObjectMeta::of(object),
                                                       meta::ObjectMeta::of(*old), at));
    }
    if (kind.schema) append(errors, schema::validate(object, *kind.schema, {}, {.old = old}));
    if (kind.scale) append(errors, validate_scale(object, *kind.scale, ScalePart::kSpecAndStatus));
  }
  if (kind.schema && kind.schema->has_embedded_below)
    append(errors, validate_embedded(object, *kind.schema, false, FieldPath()));
  check_lists(object, old, kind, errors);
  run_rules(object, old, kind, rules, verdict);
}

}  // namespace

bool blocks_rules(std::string_view reason) {
  return reason == "FieldValueRequired" || reason == "FieldValueNotSupported" ||
         reason == "FieldValueTooLong" || reason == "FieldValueTooMany" ||
         reason == "FieldValueTypeInvalid";
}

FieldError rules_not_checked() {
  FieldError out{.type = FieldError::Type::kInvalid, .nil_path = true, .shown = "null"};
  out.detail =
      "some validation rules were not checked because the object was invalid; correct the existing "
      "errors to complete validation";
  return out;
}

Verdict validate_create(const Value& object, const Kind& kind, const RuleRunner* rules) {
  Verdict verdict;
  judge(object, nullptr, kind, rules, verdict);
  return verdict;
}

Verdict validate_update(const Value& object, const Value& old, const Kind& kind,
                        const RuleRunner* rules) {
  Verdict verdict;
  // The generic code of kube-apiserver 1.36 checks metadata before the resource's own code does so
  // again: causes show both.
  const FieldPath& at = metadata_path();
  append(verdict.errors, meta::validate_object_meta_update(meta::ObjectMeta::of(object),
                                                           meta::ObjectMeta::of(old), at));
  judge(object, &old, kind, rules, verdict);
  return verdict;
}

Verdict validate_status_update(const Value& object, const Value& old, const Kind& kind,
                               const RuleRunner* rules) {
  Verdict verdict;
  FieldErrors& errors = verdict.errors;
  const FieldPath& at = metadata_path();
  append(errors, meta::validate_object_meta_update(meta::ObjectMeta::of(object),
                                                   meta::ObjectMeta::of(old), at));
  FieldErrors type_meta = check_type_meta(object, kind);
  const bool typed = type_meta.empty();
  append(errors, std::move(type_meta));
  if (typed) {
    append(errors, meta::validate_object_meta(meta::ObjectMeta::of(object), kind.namespaced,
                                              meta::name_is_dns_subdomain, at));
    append(errors, meta::validate_object_meta_update(meta::ObjectMeta::of(object),
                                                     meta::ObjectMeta::of(old), at));
    const schema::Node* status_schema = kind.schema ? kind.schema->property("status") : nullptr;
    const Value* status = object.find("status");
    if (status_schema != nullptr && status != nullptr) {
      // Messages speak of paths as if the status were the whole object, and are reported below it.
      FieldErrors found =
          schema::validate(*status, *status_schema, {}, {.old = old.find("status")});
      for (FieldError& error : found) {
        error.path = below_status(error.nil_path ? FieldPath() : error.path);
        error.nil_path = false;
      }
      append(errors, std::move(found));
    }
    if (kind.scale) append(errors, validate_scale(object, *kind.scale, ScalePart::kStatusOnly));
  }
  check_lists(object, &old, kind, errors);
  run_rules(object, &old, kind, rules, verdict);
  return verdict;
}

}  // namespace strake::resource
