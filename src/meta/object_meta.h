#pragma once
// The metadata of an object: read as the API server reads it, put into canonical form in place, and
// judged by the server's rules for creating and updating.
//
//   STRAKE_CHECK(coerce_object_meta(*object.find("metadata"), arena));
//   FieldErrors errors = validate_object_meta(ObjectMeta(object.find("metadata")), true,
//   name_is_dns_subdomain,
//                                             FieldPath() / "metadata");
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "base/field_path.h"
#include "base/result.h"
#include "meta/names.h"
#include "meta/shape.h"
#include "value/field_error.h"
#include "value/value.h"

namespace strake::meta {

struct OwnerReference {
  std::string_view api_version;
  std::string_view kind;
  std::string_view name;
  std::string_view uid;
  std::optional<bool> controller;
  std::optional<bool> block_owner_deletion;
  friend bool operator==(const OwnerReference&, const OwnerReference&) = default;
};

// A view of canonical metadata: as cheap as a pointer, valid as long as the value. Absent fields
// are empty or zero.
class ObjectMeta {
 public:
  // Null stands for metadata that is not there at all.
  explicit ObjectMeta(const value::Value* metadata) : v_(metadata) {}
  // The metadata of a whole object.
  static ObjectMeta of(const value::Value& object) { return ObjectMeta(object.find("metadata")); }

  std::string_view name() const { return text("name"); }
  std::string_view generate_name() const { return text("generateName"); }
  std::string_view namespace_name() const { return text("namespace"); }
  std::string_view self_link() const { return text("selfLink"); }
  std::string_view uid() const { return text("uid"); }
  std::string_view resource_version() const { return text("resourceVersion"); }
  std::int64_t generation() const;
  std::string_view creation_timestamp() const {
    return text("creationTimestamp");
  }  // RFC 3339, whole seconds
  std::string_view deletion_timestamp() const { return text("deletionTimestamp"); }
  bool is_being_deleted() const { return find("deletionTimestamp") != nullptr; }
  std::optional<std::int64_t> deletion_grace_period_seconds() const;
  // Null when there are none.
  const value::Value* labels() const { return find("labels"); }
  const value::Value* annotations() const { return find("annotations"); }
  const value::Value* owner_reference_list() const { return find("ownerReferences"); }
  const value::Value* finalizer_list() const { return find("finalizers"); }
  const value::Value* managed_fields() const { return find("managedFields"); }

  std::string_view label(std::string_view key) const;
  std::string_view annotation(std::string_view key) const;
  std::vector<OwnerReference> owner_references() const;
  std::vector<std::string_view> finalizers() const;
  bool has_finalizer(std::string_view name) const;

 private:
  const value::Value* find(std::string_view key) const { return v_ ? v_->find(key) : nullptr; }
  std::string_view text(std::string_view key) const;

  const value::Value* v_;
};

extern const Shape kObjectMetaShape;

struct CoerceOptions {
  bool drop_malformed = false;  // as when an object is read from the store
  std::vector<std::string>* unknown =
      nullptr;  // paths of unknown fields are appended: metadata.ownerReferences[0].x
  std::string_view prefix = "metadata";  // what those paths start with
};

// Puts metadata into canonical form, in place. Fails with kBadRequest and the decoder's words; with
// drop_malformed only when the value is no object at all ("invalid metadata: expected object, got
// string").
Result<> coerce_object_meta(value::Value& metadata, Arena& arena,
                            const CoerceOptions& options = {});

// The rules for an object that is created. Both checks expect canonical metadata and find faults in
// the server's order.
value::FieldErrors validate_object_meta(const ObjectMeta& metadata, bool namespaced,
                                        const NameCheck& name_check, const FieldPath& at);
// The rules for an object that replaces `old`.
value::FieldErrors validate_object_meta_update(const ObjectMeta& metadata, const ObjectMeta& old,
                                               const FieldPath& at);

// Finalizers that the server advises against, each as the text of a warning; those that `old` has
// already are passed over.
std::vector<std::string> finalizer_warnings(const ObjectMeta& metadata, const ObjectMeta& old);

// Drops owner references that repeat an earlier one. The text of the warning, or nothing when none
// did; it differs when mutating admission has run.
std::optional<std::string> dedupe_owner_references(value::Value& metadata,
                                                   bool after_admission = false);

}  // namespace strake::meta
