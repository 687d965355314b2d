#pragma once
// metadata.managedFields: which manager set which fields, kept on every write by comparing the
// object with what stood before, as kube-apiserver v1.36 keeps it. Apply (with its conflicts)
// builds on the same sets.
#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "base/result.h"
#include "schema/node.h"
#include "value/value.h"

namespace strake::patch {

struct WriteContext {
  std::string_view manager;      // fieldManager, or the User-Agent up to its first slash
  std::string_view api_version;  // of the endpoint: "example.com/v1"
  std::string_view subresource;  // "" or "status", "scale"
  std::string_view time;         // RFC 3339, whole seconds
  // Paths that this endpoint resets and so never owns: {"status"} on the main endpoint of a kind
  // with the status subresource, {"metadata","spec"} on /status.
  std::vector<std::string_view> reset;
};

// Called after an update was settled and before it is stored. `object` is the new object, whose
// metadata.managedFields the client may have sent, cleared ([] or [{}]) or left out; `old` is the
// stored one, null on a create. Writes metadata.managedFields of `object`. Fields and schemas are
// those of the request's version; entries of other versions are kept as they are. Entries that
// cannot be read are as if not sent.
void update_managed_fields(value::Value& object, const value::Value* old,
                           const schema::Node* schema, const WriteContext& context, Arena& arena);

// Whether two objects differ in anything but metadata.managedFields[].time and
// metadata.resourceVersion: a write that changes nothing else is none.
bool same_but_for_times(const value::Value& a, const value::Value& b);

// The name of a manager from a User-Agent: up to the first slash, only printable, at most 128
// bytes; "unknown" when nothing is left.
std::string manager_from_user_agent(std::string_view user_agent);

}  // namespace strake::patch
