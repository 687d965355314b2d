#include "kinds/storage/claim_spec.h"

#include <fmt/format.h>

#include "base/quote.h"
#include "kinds/common_checks.h"
#include "kinds/fields.h"
#include "kinds/resource_names.h"
#include "kinds/storage/volume_fields.h"
#include "meta/label_checks.h"
#include "meta/names.h"

namespace strake::kinds {
namespace {

using value::FieldError;
using value::FieldErrors;
using value::Value;

void check_storage_request(const Value& spec, const FieldPath& at, FieldErrors& errors) {
  // kube-apiserver 1.36 leaves out "requests" when it names the field.
  const FieldPath here = (at / "resources").key(kStorage);
  const Value* amount = member(spec, {"resources", "requests", kStorage});
  if (amount == nullptr) return errors.push_back(FieldError::required(here));
  if (amount_of(*amount).sign() <= 0)
    errors.push_back(FieldError::invalid(here, *amount, "must be greater than zero"));
}

void check_claim_source(const Value& source, bool allow_any_group, const FieldPath& at,
                        FieldErrors& errors) {
  const std::string_view kind = text_of(source, "kind");
  const std::string_view group = text_of(source, "apiGroup");
  if (text_of(source, "name").empty()) errors.push_back(FieldError::required(at / "name"));
  if (kind.empty()) errors.push_back(FieldError::required(at / "kind"));
  if (group.empty() && kind != "PersistentVolumeClaim") {
    errors.push_back(FieldError::invalid(
        at, Value::string(kind),
        "must be 'PersistentVolumeClaim' when referencing the default apiGroup"));
  }
  if (!group.empty() && !allow_any_group)
    add_messages(meta::check_dns1123_subdomain(group), group, at / "apiGroup", errors);
  const std::string_view name_space = text_of(source, "namespace");
  if (!name_space.empty())
    add_messages(meta::check_dns1123_label(name_space), name_space, at / "namespace", errors);
}

// The value is a field path in kube-apiserver 1.36, of which nothing is shown.
void refuse_source(const FieldPath& at, std::string detail, FieldErrors& errors) {
  errors.push_back(FieldError::invalid(at, Value::object({}), std::move(detail)));
}

void check_claim_sources(const Value& spec, bool allow_any_group, const FieldPath& at,
                         FieldErrors& errors) {
  const Value* source = member(spec, "dataSource");
  const Value* reference = member(spec, "dataSourceRef");
  if (source != nullptr) check_claim_source(*source, allow_any_group, at / "dataSource", errors);
  if (reference == nullptr) return;
  check_claim_source(*reference, allow_any_group, at / "dataSourceRef", errors);
  if (source == nullptr) return;
  if (!text_of(*reference, "namespace").empty()) {
    refuse_source(at, "may not be specified when dataSourceRef.namespace is specified", errors);
  } else if (!same_member(*source, *reference, "apiGroup") ||
             text_of(*source, "kind") != text_of(*reference, "kind") ||
             text_of(*source, "name") != text_of(*reference, "name")) {
    refuse_source(at, "must match dataSourceRef", errors);
  }
}

void warn_of_storage_fraction(const Value& resources, std::string_view key, const FieldPath& at,
                              std::vector<std::string>& warnings) {
  const Value* amount = member(resources, {key, kStorage});
  if (amount == nullptr || amount_of(*amount).milli_value() % 1000 == 0) return;
  warnings.push_back(fmt::format("{}: fractional byte value {} is invalid, must be an integer",
                                 (at / key).key(kStorage).to_k8s(),
                                 quote(value::text_of(*amount))));
}

// In the order of the Go type; the first three letters of UID stay large.
struct TemplateMetadataField {
  std::string_view json_name;
  std::string_view shown_name;
};
constexpr TemplateMetadataField kNotOfTemplates[] = {
    {"name", "name"},
    {"generateName", "generateName"},
    {"namespace", "namespace"},
    {"selfLink", "selfLink"},
    {"uid", "uID"},
    {"resourceVersion", "resourceVersion"},
    {"generation", "generation"},
    {"creationTimestamp", "creationTimestamp"},
    {"deletionTimestamp", "deletionTimestamp"},
    {"deletionGracePeriodSeconds", "deletionGracePeriodSeconds"},
    {"ownerReferences", "ownerReferences"},
    {"finalizers", "finalizers"},
    {"managedFields", "managedFields"}};

}  // namespace

void apply_claim_spec_defaults(Value& spec, Arena& arena) {
  if (member(spec, "volumeMode") == nullptr)
    spec.set("volumeMode", Value::string(kFilesystem), arena);
  Value* resources = spec.find("resources");
  if (resources == nullptr || !resources->is_object()) return;
  round_amounts(*resources, "limits", arena);
  round_amounts(*resources, "requests", arena);
}

void apply_claim_defaults(Value& claim, Arena& arena) {
  apply_claim_spec_defaults(claim.object_at("spec", arena), arena);
  Value& status = claim.object_at("status", arena);
  if (text_of(status, "phase").empty()) status.set("phase", Value::string("Pending"), arena);
  round_amounts(status, "capacity", arena);
  round_amounts(status, "allocatedResources", arena);
}

ClaimSpecOptions stored_claim_options(const Value& old_spec) {
  ClaimSpecOptions out;
  if (const Value* selector = member(old_spec, "selector")) {
    FieldErrors wrong;
    check_label_selector(*selector, {}, FieldPath(), wrong);
    out.allow_invalid_label_values = !wrong.empty();
  }
  out.allow_any_source_group = member(old_spec, {"dataSource", "apiGroup"}) != nullptr ||
                               member(old_spec, {"dataSourceRef", "apiGroup"}) != nullptr;
  return out;
}

void check_claim_spec(const Value& spec, const FieldPath& at, FieldErrors& errors,
                      const ClaimSpecOptions& options) {
  check_access_modes(spec, "at least 1 access mode is required", at, errors);
  if (const Value* selector = member(spec, "selector")) {
    check_label_selector(*selector, {.allow_invalid_values = options.allow_invalid_label_values},
                         at / "selector", errors);
  }
  check_storage_request(spec, at, errors);
  for (const std::string_view key : {"storageClassName", "volumeAttributesClassName"}) {
    const std::string_view name = text_of(spec, key);
    if (!name.empty()) check_class_name(name, at / key, errors);
  }
  check_volume_mode(spec, at, errors);
  check_claim_sources(spec, options.allow_any_source_group, at, errors);
}

void check_claim_template(const Value& claim_template, const FieldPath& at, FieldErrors& errors) {
  if (const Value* metadata = member(claim_template, "metadata")) {
    const FieldPath here = at / "metadata";
    errors.append(meta::validate_annotations(metadata->get("annotations"), here, "annotations"));
    errors.append(meta::validate_labels(metadata->get("labels"), here, "labels"));
    for (const TemplateMetadataField& field : kNotOfTemplates) {
      if (member(*metadata, field.json_name) != nullptr)
        errors.push_back(FieldError::forbidden(here / field.shown_name, "cannot be set"));
    }
  }
  check_claim_spec(claim_template.get("spec"), at / "spec", errors);
}

void warn_of_claim_spec(const Value& spec, const FieldPath& at,
                        std::vector<std::string>& warnings) {
  const Value* resources = member(spec, "resources");
  if (resources == nullptr) return;
  warn_of_storage_fraction(*resources, "requests", at / "resources", warnings);
  warn_of_storage_fraction(*resources, "limits", at / "resources", warnings);
}

}  // namespace strake::kinds
