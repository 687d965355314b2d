#pragma once
// Server-side apply as kube-apiserver v1.36 does it: a manager says what it wants of an object, the
// rest stays; what it wanted before and no longer does goes, unless someone else owns it; what
// others own and would change is a conflict.
#include <expected>
#include <string_view>

#include "base/arena.h"
#include "meta/status.h"
#include "patch/managed_fields.h"
#include "schema/node.h"
#include "value/value.h"

namespace strake::patch {

struct ApplyContext {
  WriteContext write;     // whose manager must be named
  std::string_view kind;  // of the endpoint
  bool force = false;     // conflicts are won
};

struct Applied {
  // With its managedFields, sharing parts with the live object; nothing is shared with the
  // configuration. Not yet defaulted: the caller settles it as any object that was sent. Where the
  // last of a list or map was removed, null may stand.
  value::Value object;
  // Whether anything but the managedFields is another than before.
  bool changed = false;
};

// Applies a configuration to the live object, null when there is none. Both are at the version of
// the context; a null schema stands for a kind without one. Fails with the Status to answer: 400
// when the configuration is of another type or has managedFields, 409 with the conflicts, 500 when
// an object does not fit the schema.
std::expected<Applied, meta::Status> apply(const value::Value* live, const value::Value& config,
                                           const schema::Node* schema, const ApplyContext& context,
                                           Arena& arena);

}  // namespace strake::patch
