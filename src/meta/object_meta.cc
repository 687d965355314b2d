#include "meta/object_meta.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

#include "base/hash.h"
#include "value/fields.h"
#include "value/go_type.h"

namespace strake::meta {
namespace {

using value::Member;
using value::Value;
using Keep = ShapeField::Keep;

constinit const ShapeField kOwnerReferenceFields[] = {
    {"apiVersion", &kStringShape, Keep::kAlways},
    {"blockOwnerDeletion", &kBoolShape, Keep::kPointer},
    {"controller", &kBoolShape, Keep::kPointer},
    {"kind", &kStringShape, Keep::kAlways},
    {"name", &kStringShape, Keep::kAlways},
    {"uid", &kUidShape, Keep::kAlways},
};
constinit const Shape kOwnerReferenceShape{Shape::Kind::kStruct, "v1.OwnerReference",
                                           kOwnerReferenceFields};
constinit const Shape kOwnerReferencesShape{
    Shape::Kind::kList, "[]v1.OwnerReference", {}, &kOwnerReferenceShape};

constinit const Shape kOperationShape{Shape::Kind::kString, "v1.ManagedFieldsOperationType"};
constinit const ShapeField kManagedFieldsFields[] = {
    {"apiVersion", &kStringShape},
    {"fieldsType", &kStringShape},
    {"fieldsV1", &kAnyShape, Keep::kPointer},
    {"manager", &kStringShape},
    {"operation", &kOperationShape},
    {"subresource", &kStringShape},
    {"time", &kTimeShape, Keep::kPointer},
};
constinit const Shape kManagedFieldsEntryShape{Shape::Kind::kStruct, "v1.ManagedFieldsEntry",
                                               kManagedFieldsFields};
constinit const Shape kManagedFieldsShape{
    Shape::Kind::kList, "[]v1.ManagedFieldsEntry", {}, &kManagedFieldsEntryShape};

constinit const ShapeField kObjectMetaFields[] = {
    {"annotations", &kStringMapShape},
    {"creationTimestamp", &kTimeShape},
    {"deletionGracePeriodSeconds", &kInt64Shape, Keep::kPointer},
    {"deletionTimestamp", &kTimeShape, Keep::kPointer},
    {"finalizers", &kStringListShape},
    {"generateName", &kStringShape},
    {"generation", &kInt64Shape},
    {"labels", &kStringMapShape},
    {"managedFields", &kManagedFieldsShape},
    {"name", &kStringShape},
    {"namespace", &kStringShape},
    {"ownerReferences", &kOwnerReferencesShape},
    {"resourceVersion", &kStringShape},
    {"selfLink", &kStringShape},
    {"uid", &kUidShape},
};

std::optional<bool> flag(const Value& v, std::string_view key) {
  const Value* found = v.find(key);
  if (found == nullptr || !found->is_bool()) return std::nullopt;
  return found->as_bool();
}

OwnerReference owner_reference(const Value& v) {
  return {.api_version = text_of(v, "apiVersion"),
          .kind = text_of(v, "kind"),
          .name = text_of(v, "name"),
          .uid = text_of(v, "uid"),
          .controller = flag(v, "controller"),
          .block_owner_deletion = flag(v, "blockOwnerDeletion")};
}

struct OwnerReferenceHash {
  std::size_t operator()(const OwnerReference& reference) const {
    const auto number = [](const std::optional<bool>& flag) {
      return static_cast<std::uint64_t>(flag ? 1 + static_cast<int>(*flag) : 0);
    };
    std::uint64_t hash = hash64(reference.uid);
    for (const std::string_view text : {reference.name, reference.kind, reference.api_version})
      hash = hash_combine(hash, hash64(text));
    hash = hash_combine(hash, number(reference.controller));
    return hash_combine(hash, number(reference.block_owner_deletion));
  }
};

bool is_text(const Value& v) { return v.is_string() && v.size() != 0; }

bool is_text_map(const Value& v) {
  return v.is_object() && v.size() != 0 &&
         std::ranges::all_of(v.members(), [](const Member& m) { return m.value.is_string(); });
}

// Whether reading the metadata by its shape would leave it as it is, seen at a glance: the few
// fields that people write, with something in them. False says nothing.
bool is_plainly_canonical(const Value& metadata) {
  return metadata.is_object() && std::ranges::all_of(metadata.members(), [](const Member& m) {
           switch (m.key.empty() ? '\0' : m.key[0]) {
             case 'a': return m.key == "annotations" && is_text_map(m.value);
             case 'g': return m.key == "generateName" && is_text(m.value);
             case 'l': return m.key == "labels" && is_text_map(m.value);
             case 'n': return (m.key == "name" || m.key == "namespace") && is_text(m.value);
             case 'r': return m.key == "resourceVersion" && is_text(m.value);
             case 'u': return m.key == "uid" && is_text(m.value);
             default: return false;
           }
         });
}

}  // namespace

constinit const Shape kObjectMetaShape{Shape::Kind::kStruct, "v1.ObjectMeta", kObjectMetaFields};

std::string_view ObjectMeta::text(std::string_view key) const {
  return v_ != nullptr ? text_of(*v_, key) : std::string_view();
}

std::int64_t ObjectMeta::generation() const {
  const Value* v = find("generation");
  return v != nullptr && v->type() == value::Type::kInt ? v->as_int() : 0;
}

std::optional<std::int64_t> ObjectMeta::deletion_grace_period_seconds() const {
  const Value* v = find("deletionGracePeriodSeconds");
  if (v == nullptr || v->type() != value::Type::kInt) return std::nullopt;
  return v->as_int();
}

std::string_view ObjectMeta::label(std::string_view key) const {
  const Value* all = labels();
  return all != nullptr ? text_of(*all, key) : std::string_view();
}

std::string_view ObjectMeta::annotation(std::string_view key) const {
  const Value* all = annotations();
  return all != nullptr ? text_of(*all, key) : std::string_view();
}

std::vector<OwnerReference> ObjectMeta::owner_references() const {
  std::vector<OwnerReference> out;
  const Value* list = owner_reference_list();
  if (list == nullptr || !list->is_array()) return out;
  out.reserve(list->size());
  for (const Value& item : list->items()) out.push_back(owner_reference(item));
  return out;
}

std::vector<std::string_view> ObjectMeta::finalizers() const {
  std::vector<std::string_view> out;
  const Value* list = finalizer_list();
  if (list == nullptr || !list->is_array()) return out;
  out.reserve(list->size());
  for (const Value& item : list->items()) out.push_back(value::text_of(item));
  return out;
}

bool ObjectMeta::has_finalizer(std::string_view name) const {
  const auto all = finalizers();
  return std::find(all.begin(), all.end(), name) != all.end();
}

Result<> coerce_object_meta(Value& metadata, Arena& arena, const CoerceOptions& options) {
  if (is_plainly_canonical(metadata)) return {};
  if (options.drop_malformed && !metadata.is_object() && !metadata.is_null()) {
    return fail(Code::kBadRequest, "invalid metadata: expected object, got {}", go_type(metadata));
  }
  return read_shape(metadata, kObjectMetaShape, arena,
                    {.drop_malformed = options.drop_malformed,
                     .unknown = options.unknown,
                     .prefix = options.prefix});
}

std::vector<std::string> finalizer_warnings(const ObjectMeta& metadata, const ObjectMeta& old) {
  std::vector<std::string> out;
  const auto before = old.finalizers();
  const std::unordered_set<std::string_view> known(before.begin(), before.end());
  for (const std::string_view name : metadata.finalizers()) {
    if (name == "orphan" || name == "foregroundDeletion" || name == "kubernetes" ||
        known.contains(name))
      continue;
    if (name.find('/') != std::string_view::npos) continue;
    const bool has_domain = name.find('.') != std::string_view::npos;
    out.push_back(fmt::format(
        "metadata.finalizers: \"{}\": prefer a {} to avoid accidental conflicts with other "
        "finalizer writers",
        name,
        has_domain ? "finalizer name including a path (/)" : "domain-qualified finalizer name"));
  }
  return out;
}

std::optional<std::string> dedupe_owner_references(Value& metadata, bool after_admission) {
  Value* list = metadata.find("ownerReferences");
  if (list == nullptr || !list->is_array()) return std::nullopt;
  std::unordered_set<OwnerReference, OwnerReferenceHash> seen;
  std::vector<std::string_view> repeated;
  auto items = list->mutable_items();
  std::size_t kept = 0;
  for (Value& item : items) {
    const OwnerReference reference = owner_reference(item);
    if (!seen.insert(reference).second) {
      repeated.push_back(reference.uid);
      continue;
    }
    items[kept++] = item;
  }
  if (repeated.empty()) return std::nullopt;
  list->truncate(kept);
  return fmt::format(
      ".metadata.ownerReferences contains duplicate entries{}; API server dedups owner references "
      "in 1.20+, and may "
      "reject such requests as early as 1.24; please fix your requests; duplicate UID(s) observed: "
      "{}",
      after_admission ? " after mutating admission happens" : "", fmt::join(repeated, ", "));
}

}  // namespace strake::meta
