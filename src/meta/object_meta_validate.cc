// The rules for metadata, in the order in which kube-apiserver 1.36 (apimachinery v1.36) applies
// them. It walks labels and annotations in random order; here they come sorted.
#include <fmt/format.h>

#include <algorithm>

#include "base/quote.h"
#include "base/unicode_print.h"
#include "base/utf8.h"
#include "meta/gvk.h"
#include "meta/label_checks.h"
#include "meta/object_meta.h"
#include "value/fields.h"
#include "value/json_writer.h"

namespace strake::meta {
namespace {

using value::FieldError;
using value::FieldErrors;
using value::Member;
using value::Value;

constexpr std::size_t kAnnotationsMax = 256 << 10;
constexpr std::size_t kManagerMax = 128;
constexpr std::size_t kSubresourceMax = 256;

// A place that is put together only when there is something to say about it: metadata is judged on
// every write.
struct Place {
  const FieldPath& parent;
  std::string_view child;
  std::size_t index = 0;  // of the item that `leaf` belongs to, when there is a leaf
  std::string_view leaf = {};

  Place item(std::size_t i, std::string_view field) const { return {parent, child, i, field}; }
  operator FieldPath() const {
    return leaf.empty() ? parent / child : parent / child / index / leaf;
  }
};

void add_all(FieldErrors& errors, const Place& at, std::string_view shown,
             const Messages& messages) {
  for (const std::string& message : messages) {
    errors.push_back(FieldError::invalid(at, Value::string(shown), message));
  }
}

void check_labels(const Value* labels, const Place& at, FieldErrors& errors) {
  if (labels == nullptr) return;
  for (const Member& label : labels->members()) {
    add_all(errors, at, label.key, check_qualified_name(label.key));
    const std::string_view text = value::text_of(label.value);
    add_all(errors, at, text, check_label_value(text));
  }
}

void check_annotations(const Value* annotations, const Place& at, FieldErrors& errors) {
  if (annotations == nullptr) return;
  std::size_t total = 0;
  for (const Member& one : annotations->members()) {
    // Case does not matter in the keys of annotations; what is good as it is stays so in lower
    // case.
    if (!check_qualified_name(one.key).empty()) {
      add_all(errors, at, one.key, check_qualified_name(to_lower_ascii(one.key)));
    }
    total += one.key.size() + (one.value.is_string() ? one.value.size() : 0);
  }
  if (total > kAnnotationsMax) {
    errors.push_back(FieldError::too_long(at, static_cast<std::int64_t>(kAnnotationsMax)));
  }
}

// kube-apiserver 1.36 prints references in the order of its own fields.
void append_reference(const OwnerReference& r, std::string& out) {
  out += "{\"apiVersion\":";
  value::write_json_string(r.api_version, out);
  out += ",\"kind\":";
  value::write_json_string(r.kind, out);
  out += ",\"name\":";
  value::write_json_string(r.name, out);
  out += ",\"uid\":";
  value::write_json_string(r.uid, out);
  if (r.controller) out += fmt::format(",\"controller\":{}", *r.controller);
  if (r.block_owner_deletion)
    out += fmt::format(",\"blockOwnerDeletion\":{}", *r.block_owner_deletion);
  out += '}';
}

FieldError invalid_shown(const FieldPath& at, std::string shown, std::string detail) {
  return {.type = FieldError::Type::kInvalid,
          .path = at,
          .shown = std::move(shown),
          .detail = std::move(detail)};
}

std::string show_references(const std::vector<OwnerReference>& all) {
  std::string shown = "[";
  for (const OwnerReference& each : all) {
    if (shown.size() > value::kMostShownBytes) break;  // the rest is cut anyway
    if (shown.size() > 1) shown += ',';
    append_reference(each, shown);
  }
  return shown + ']';
}

// None of these errors names the index of the owner: kube-apiserver 1.36 does not either.
void check_owner_references(const ObjectMeta& metadata, const Place& place, FieldErrors& errors) {
  const std::vector<OwnerReference> all = metadata.owner_references();
  if (all.empty()) return;
  const FieldPath at = place;
  std::string first_controller;
  std::string all_shown;  // rendered once, however many errors show it
  for (const OwnerReference& one : all) {
    const GroupVersionKind gvk = from_api_version_and_kind(one.api_version, one.kind);
    if (gvk.version.empty()) {
      add_all(errors, {at, "apiVersion"}, one.api_version, {"version must not be empty"});
    }
    if (gvk.kind.empty()) add_all(errors, {at, "kind"}, one.kind, {"must not be empty"});
    if (one.name.empty()) add_all(errors, {at, "name"}, one.name, {"must not be empty"});
    if (one.uid.empty()) add_all(errors, {at, "uid"}, one.uid, {"must not be empty"});
    if (gvk.group.empty() && gvk.version == "v1" && gvk.kind == "Event") {
      std::string shown;
      append_reference(one, shown);
      errors.push_back(invalid_shown(at, std::move(shown),
                                     gvk.to_string() + " is disallowed from being an owner"));
    }
    if (!one.controller.value_or(false)) continue;
    std::string name = fmt::format("{}/{}", one.kind, one.name);
    if (first_controller.empty()) {
      first_controller = std::move(name);
      continue;
    }
    if (errors.full()) {
      errors.omit(1);
      continue;
    }
    if (all_shown.empty()) all_shown = show_references(all);
    errors.push_back(invalid_shown(
        at, all_shown,
        fmt::format("Only one reference can have Controller set to true. Found \"true\" in "
                    "references for {} and {}",
                    first_controller, name)));
  }
}

void check_finalizers(const ObjectMeta& metadata, const Place& at, FieldErrors& errors) {
  bool orphan = false;
  bool foreground = false;
  for (const std::string_view name : metadata.finalizers()) {
    add_all(errors, at, name, check_qualified_name(name));
    orphan = orphan || name == "orphan";
    foreground = foreground || name == "foregroundDeletion";
  }
  if (orphan && foreground) {
    errors.push_back(
        FieldError::invalid(at, *metadata.finalizer_list(),
                            "finalizer orphan and foregroundDeletion cannot be both set"));
  }
}

void check_manager(std::string_view manager, const Place& at, FieldErrors& errors) {
  if (manager.size() > kManagerMax) errors.push_back(FieldError::too_long(at, kManagerMax));
  for (std::size_t i = 0; i < manager.size();) {
    const utf8::Decoded c = utf8::decode(manager.substr(i));
    if (!is_printable(c.code_point)) {
      errors.push_back(
          FieldError::invalid(at, Value::string(manager),
                              fmt::format("invalid character U+{:04X} (at position {})",
                                          static_cast<std::uint32_t>(c.code_point), i)));
    }
    i += c.width;
  }
}

void check_managed_fields(const Value* entries, const Place& at, FieldErrors& errors) {
  if (entries == nullptr) return;
  for (std::size_t i = 0; i < entries->size(); ++i) {
    const Value& entry = entries->items()[i];
    const std::string_view operation = text_of(entry, "operation");
    if (operation != "Apply" && operation != "Update") {
      add_all(errors, at.item(i, "operation"), operation, {"must be `Apply` or `Update`"});
    }
    const std::string_view type = text_of(entry, "fieldsType");
    if (!type.empty() && type != "FieldsV1") {
      add_all(errors, at.item(i, "fieldsType"), type, {"must be `FieldsV1`"});
    }
    check_manager(text_of(entry, "manager"), at.item(i, "manager"), errors);
    if (text_of(entry, "subresource").size() > kSubresourceMax) {
      errors.push_back(FieldError::too_long(at.item(i, "subresource"), kSubresourceMax));
    }
  }
}

void check_no_new_finalizers(const ObjectMeta& metadata, const ObjectMeta& old, const Place& at,
                             FieldErrors& errors) {
  std::vector<std::string_view> extra;
  for (const std::string_view name : metadata.finalizers()) {
    if (!old.has_finalizer(name)) extra.push_back(name);
  }
  if (extra.empty()) return;
  std::sort(extra.begin(), extra.end());
  extra.erase(std::unique(extra.begin(), extra.end()), extra.end());
  std::string list;
  for (const std::string_view name : extra) list += (list.empty() ? "" : ", ") + quote(name);
  errors.push_back(
      FieldError::forbidden(at, fmt::format("no new finalizers can be added if the object is being "
                                            "deleted, found new finalizers []string{{{}}}",
                                            list)));
}

constexpr std::string_view kImmutable = "field is immutable";

void check_immutable(std::string_view now, std::string_view before, const Place& at,
                     FieldErrors& errors) {
  if (now != before)
    errors.push_back(FieldError::invalid(at, Value::string(now), std::string(kImmutable)));
}

// Times and numbers that are not there print as null.
void check_immutable_optional(std::string_view now, std::string_view before, const Place& at,
                              FieldErrors& errors) {
  if (now == before) return;
  errors.push_back(
      FieldError::invalid(at, now.empty() ? Value() : Value::string(now), std::string(kImmutable)));
}

}  // namespace

FieldErrors validate_object_meta(const ObjectMeta& metadata, bool namespaced,
                                 const NameCheck& name_check, const FieldPath& at) {
  FieldErrors errors;
  const std::string_view prefix = metadata.generate_name();
  if (!prefix.empty()) add_all(errors, {at, "generateName"}, prefix, name_check(prefix, true));
  const std::string_view name = metadata.name();
  if (name.empty()) {
    errors.push_back(FieldError::required(at / "name", "name or generateName is required"));
  } else {
    add_all(errors, {at, "name"}, name, name_check(name, false));
  }

  const std::string_view ns = metadata.namespace_name();
  if (!namespaced) {
    if (!ns.empty())
      errors.push_back(FieldError::forbidden(at / "namespace", "not allowed on this type"));
  } else if (ns.empty()) {
    errors.push_back(FieldError::required(at / "namespace"));
  } else {
    add_all(errors, {at, "namespace"}, ns, check_dns1123_label(ns));
  }

  if (metadata.generation() < 0) {
    errors.push_back(FieldError::invalid(at / "generation", Value::integer(metadata.generation()),
                                         "must be greater than or equal to 0"));
  }
  check_labels(metadata.labels(), {at, "labels"}, errors);
  check_annotations(metadata.annotations(), {at, "annotations"}, errors);
  check_owner_references(metadata, {at, "ownerReferences"}, errors);
  check_finalizers(metadata, {at, "finalizers"}, errors);
  check_managed_fields(metadata.managed_fields(), {at, "managedFields"}, errors);
  return errors;
}

FieldErrors validate_object_meta_update(const ObjectMeta& metadata, const ObjectMeta& old,
                                        const FieldPath& at) {
  FieldErrors errors;
  if (old.is_being_deleted()) check_no_new_finalizers(metadata, old, {at, "finalizers"}, errors);
  if (metadata.resource_version().empty()) {
    errors.push_back(FieldError::invalid(at / "resourceVersion", Value::string(""),
                                         "must be specified for an update"));
  }
  if (metadata.generation() < old.generation()) {
    errors.push_back(FieldError::invalid(at / "generation", Value::integer(metadata.generation()),
                                         "must not be decremented"));
  }
  check_immutable(metadata.name(), old.name(), {at, "name"}, errors);
  check_immutable(metadata.namespace_name(), old.namespace_name(), {at, "namespace"}, errors);
  check_immutable(metadata.uid(), old.uid(), {at, "uid"}, errors);
  check_immutable_optional(metadata.creation_timestamp(), old.creation_timestamp(),
                           {at, "creationTimestamp"}, errors);
  check_immutable_optional(metadata.deletion_timestamp(), old.deletion_timestamp(),
                           {at, "deletionTimestamp"}, errors);
  const auto grace = metadata.deletion_grace_period_seconds();
  if (grace != old.deletion_grace_period_seconds()) {
    errors.push_back(FieldError::invalid(at / "deletionGracePeriodSeconds",
                                         grace ? Value::integer(*grace) : Value(),
                                         std::string(kImmutable)));
  }
  check_labels(metadata.labels(), {at, "labels"}, errors);
  check_annotations(metadata.annotations(), {at, "annotations"}, errors);
  check_owner_references(metadata, {at, "ownerReferences"}, errors);
  check_managed_fields(metadata.managed_fields(), {at, "managedFields"}, errors);
  return errors;
}

FieldErrors validate_labels(const Value& labels, const FieldPath& metadata,
                            std::string_view field) {
  FieldErrors errors;
  check_labels(&labels, {metadata, field}, errors);
  return errors;
}

FieldErrors validate_annotations(const Value& annotations, const FieldPath& metadata,
                                 std::string_view field) {
  FieldErrors errors;
  check_annotations(&annotations, {metadata, field}, errors);
  return errors;
}

}  // namespace strake::meta
