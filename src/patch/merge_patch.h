#pragma once
// JSON Merge Patch (RFC 7386): null removes a member, objects merge, everything else replaces.
#include "base/arena.h"
#include "value/document.h"
#include "value/value.h"

namespace strake::patch {

// The patched document, in the arena; parts that did not change are shared with `document`.
value::Value apply_merge_patch(const value::Value& document, const value::Value& patch,
                               Arena& arena);
// The smallest merge patch that leads from one document to the other, in the arena.
value::Value make_merge_patch(const value::Value& from, const value::Value& to, Arena& arena);

}  // namespace strake::patch
