#pragma once
// JSON Merge Patch (RFC 7386) as kube-apiserver applies it: null removes a member, objects merge,
// everything else replaces. One thing it does beyond the RFC: nulls in objects inside an array go
// too, unless the array replaces an object.
#include "base/arena.h"
#include "value/value.h"

namespace strake::patch {

// The patched document, in the arena; parts that did not change are shared with `document`, nothing
// is shared with `patch`. Neither this nor the next takes native stack for nesting.
value::Value apply_merge_patch(const value::Value& document, const value::Value& patch,
                               Arena& arena);
// The smallest merge patch that leads from one document to the other, in the arena, sharing parts
// with `to`. Nulls in `to` cannot be reached by a merge patch and are lost.
value::Value make_merge_patch(const value::Value& from, const value::Value& to, Arena& arena);

}  // namespace strake::patch
