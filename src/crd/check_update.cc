// What a CRD that replaces another is asked: rules that the old one already broke are not held
// against the new one.
#include <algorithm>
#include <unordered_map>

#include "crd/check_parts.h"
#include "crd/version_index.h"
#include "schema/compile.h"

namespace strake::crd {
namespace {

using value::Value;

bool all_have_schemas(const HoistedSpec& spec) {
  return spec.schema() != nullptr ||
         std::all_of(spec.versions.begin(), spec.versions.end(),
                     [](const HoistedVersion& one) { return one.schema() != nullptr; });
}

bool is_not_structural(const Value& v) {
  const SchemaView schema(v);
  return conversion_fault(schema).has_value() || !check_structural(schema, {}).empty();
}

bool has_unpruned_defaults(const Value& v) {
  const SchemaView schema(v);
  if (!schema.any([](const SchemaView& s) { return s.has("default"); })) return false;
  if (is_not_structural(v)) return false;
  const auto root = schema::compile(v);
  return root && has_unpruned_default(schema, **root, true);
}

bool has_invalid_types(const Value& v) {
  return SchemaView(v).any(
      [](const SchemaView& s) { return !s.type().empty() && !is_valid_type(s.type()); });
}

bool has_non_atomic_set(const Value& v) {
  return SchemaView(v).any([](const SchemaView& s) {
    const auto items = s.items();
    if (!items || s.text("x-kubernetes-list-type") != "set") return false;
    if (items->type() == "array") {
      const auto type = items->optional_text("x-kubernetes-list-type");
      return type && *type != "atomic";
    }
    return items->type() == "object" && items->text("x-kubernetes-map-type") != "atomic";
  });
}

bool has_bad_map_list_keys(const Value& v) {
  return SchemaView(v).any([](const SchemaView& s) {
    value::FieldErrors errors;
    const FieldPath nowhere;
    check_map_list_keys(s, SchemaTrail(nowhere), errors);
    return !errors.empty();
  });
}

// No versions at all count as recognized.
bool recognizes_review_versions(const Crd& old) {
  const Value* webhook = old.conversion() != nullptr ? old.conversion()->find("webhook") : nullptr;
  const Value* versions = webhook != nullptr ? webhook->find("conversionReviewVersions") : nullptr;
  if (versions == nullptr || !versions->is_array() || versions->size() == 0) return true;
  const auto items = versions->items();
  return std::any_of(items.begin(), items.end(), [](const Value& one) {
    return one.as_string() == "v1" || one.as_string() == "v1beta1";
  });
}

bool allows_invalid_ca_bundle(const Crd& old) {
  if (!old.condition_is_true("Established")) return true;
  const Value* webhook = old.conversion() != nullptr ? old.conversion()->find("webhook") : nullptr;
  const Value* config = webhook != nullptr ? webhook->find("clientConfig") : nullptr;
  const Value* bundle = config != nullptr ? config->find("caBundle") : nullptr;
  if (bundle == nullptr || bundle->size() == 0) return false;
  return !is_valid_ca_bundle(bundle->as_string());
}

void collect_rules(const Value& v, CheckOptions& options) {
  SchemaView(v).any([&](const SchemaView& s) {
    for (const Value& rule : s.list("x-kubernetes-validations")) {
      const SchemaView view(rule);
      options.stored_rules.emplace(view.text("rule"));
      if (const std::string_view text = view.text("messageExpression"); !text.empty()) {
        options.stored_message_expressions.emplace(text);
      }
    }
    return false;
  });
}

bool is_many(const Value* fields) {
  return fields != nullptr && fields->size() > static_cast<std::size_t>(kMaxSelectableFields);
}

// Too many selectable fields may stay as they are.
void allow_old_selectable_fields(const HoistedSpec& now, const HoistedSpec& before,
                                 CheckOptions& options) {
  if (is_many(before.selectable_fields) &&
      is_same_part(now.selectable_fields, before.selectable_fields)) {
    options.many_selectable_allowed.emplace("");
  }
  // Of versions that share a name, the last one counts.
  std::unordered_map<std::string_view, const HoistedVersion*> by_name;
  for (const HoistedVersion& one : before.versions) by_name[one.version->name()] = &one;
  for (const HoistedVersion& one : now.versions) {
    const auto old = by_name.find(one.version->name());
    if (old != by_name.end() && is_many(old->second->selectable_fields) &&
        is_same_part(one.selectable_fields, old->second->selectable_fields)) {
      options.many_selectable_allowed.emplace(one.version->name());
    }
  }
}

}  // namespace

CheckOptions update_options(const Crd& crd, const Crd& old) {
  const HoistedSpec now = hoist(crd);
  const HoistedSpec before = hoist(old);
  CheckOptions out;
  out.is_update = true;
  out.require_recognized_review_version = recognizes_review_versions(old);
  out.require_immutable_names = old.condition_is_true("Established");
  out.require_schema = all_have_schemas(before);
  out.require_valid_types = !before.any_schema(has_invalid_types);
  out.require_structural = !before.any_schema(is_not_structural);
  out.require_pruned_defaults = !before.any_schema(has_unpruned_defaults);
  out.require_atomic_sets = !before.any_schema(has_non_atomic_set);
  out.require_map_list_keys = !before.any_schema(has_bad_map_list_keys);
  out.allow_invalid_ca_bundle = allows_invalid_ca_bundle(old);
  before.any_schema([&](const Value& v) {
    collect_rules(v, out);
    return false;
  });
  const VersionIndex old_versions(old);
  for (const Version& version : crd.versions()) {
    const Version* counterpart = old_versions.find(version.name());
    if (counterpart != nullptr &&
        is_same_part(version.schema_holder(), counterpart->schema_holder())) {
      out.unchanged_versions.emplace(version.name());
    }
  }
  allow_old_selectable_fields(now, before, out);
  return out;
}

}  // namespace strake::crd
