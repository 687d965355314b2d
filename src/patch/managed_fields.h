#pragma once
// metadata.managedFields: which manager set which fields, kept on every write by comparing the
// object with what stood before, as kube-apiserver v1.36 keeps it. Apply (with its conflicts)
// builds on the same sets.
#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "base/result.h"
#include "patch/other_versions.h"
#include "schema/node.h"
#include "value/value.h"

namespace strake::patch {

struct WriteContext {
  std::string_view manager;      // fieldManager, or the User-Agent up to its first slash
  std::string_view api_version;  // of the endpoint: "example.com/v1"
  std::string_view subresource;  // "" or "status" (for "scale" see scale_fields.h)
  std::string_view time;         // RFC 3339, whole seconds
  // Paths that this endpoint resets and so never owns, all that is below included: {"status"} on
  // the main endpoint of a kind with the status subresource, {"metadata", "spec"} on /status. A dot
  // leads deeper: "metadata.deletionTimestamp".
  std::vector<std::string_view> reset;
  // The other versions of the kind: null when it has none, or when entries written through them are
  // to be left as they are. Entries of a version that is not among them are dropped.
  const OtherVersions* others = nullptr;
};

// Called when an update is decoded and settled, before admission and before it is stored. `object`
// is the new object with canonical metadata, whose managedFields the client may have sent, cleared
// ([] or [{}]; canonical metadata of custom resources has no [], so there it counts as left out) or
// left out; `old` is the stored one at the same version, null on a create. Writes
// metadata.managedFields of `object` without touching anything it shares with `old`. Texts of the
// context are copied. A null schema stands for a kind without one.
//
// An object whose entries were cleared, or never were, is not tracked again before its first apply.
// When the fields cannot be told (one of the objects does not fit the schema, at its own version or
// that of another entry), all entries go, as in kube-apiserver 1.36.
void update_managed_fields(value::Value& object, const value::Value* old,
                           const schema::Node* schema, const WriteContext& context, Arena& arena);

// Whether two objects differ in nothing but metadata.managedFields[].time and
// metadata.resourceVersion: then the write is none, and the old object stands.
bool same_but_for_times(const value::Value& a, const value::Value& b);

// The name of a manager from a User-Agent: up to the first slash, only what is printable, at most
// 128 bytes; "unknown" when nothing is left.
std::string manager_from_user_agent(std::string_view user_agent);

}  // namespace strake::patch
