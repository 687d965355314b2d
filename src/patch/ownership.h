#pragma once
// Who owns what after a write: the part that updates and server-side apply have in common.
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "base/result.h"
#include "patch/field_type.h"
#include "patch/other_versions.h"
#include "patch/owners.h"
#include "patch/typed_fields.h"
#include "value/value.h"

namespace strake::patch {

// The version of the request, and what is known of others.
struct Scope {
  std::string_view api_version;
  FieldType type;
  const OtherVersions* others = nullptr;  // null: entries of other versions are left alone
  FieldSet reset;                         // fields that this endpoint never owns

  // The type at a version; nothing when it is unknown.
  std::optional<FieldType> type_at(std::string_view version) const;
  // Whether the object is at that version, or all versions count as one.
  bool is_at(const value::Value& object, std::string_view version) const;
  // The object at a version, which must be known. Fails when it cannot be converted, or does not
  // fit the schema there.
  Result<value::Value> at(const value::Value& object, std::string_view version, Arena& arena) const;
};

// A field that someone else owns and this write would change.
struct FieldConflict {
  Owner owner;
  FieldSteps path;
};

// The set of some paths: "status", "metadata.deletionTimestamp".
FieldSet fields_named(std::span<const std::string_view> paths, Arena& arena);

// Brings the owners in line with the schema of their version as it is now, and drops those whose
// version is no more.
void reconcile_owners(Owners& owners, const Scope& scope, Arena& arena);

struct Settled {
  Comparison comparison;                 // at the version of the request
  std::vector<FieldConflict> conflicts;  // when it was not forced; then nothing was changed
};
// Takes from all owners but `writer` what changed between the objects. Without force, what was
// taken from anyone is a conflict. `compared` is the comparison at the version of the request when
// the caller has made it, else null.
Result<Settled> settle_owners(Owners& owners, const Owner* writer, const value::Value& before,
                              const value::Value& after, const Comparison* compared, bool force,
                              const Scope& scope, Arena& arena);

// Without what is never tracked: apiVersion, kind and the metadata that the server keeps.
FieldSet strip_untracked(const FieldSet& set, Arena& arena);

// More than ten update entries become ten: the oldest are merged into "ancient-changes".
void cap_updates(Owners& owners, Arena& arena);

// The object without, or with other, managed fields; all else is shared.
value::Value without_managed_fields(const value::Value& object, Arena& arena);
value::Value with_managed_fields(const value::Value& object, Owners owners, Arena& arena);

}  // namespace strake::patch
