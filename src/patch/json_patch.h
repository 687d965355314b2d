#pragma once
// JSON Patch (RFC 6902) as kube-apiserver applies it. Where its library strays from the RFC, so
// does this: `replace` also sets a member that is not there, a negative index counts from the end,
// and `test` finds 1 and 1.0 to differ.
#include <cstddef>

#include "base/arena.h"
#include "base/result.h"
#include "value/value.h"

namespace strake::patch {

struct JsonPatchLimits {
  std::size_t operations = 10'000;
  std::size_t copied_bytes = 3 * 1024 * 1024;  // by all copy operations together, as JSON text
};

// The patched document, in the arena; parts that did not change are shared with `document`, nothing
// is shared with `operations`. Fails with kBadRequest when the patch is no array of operations
// ("json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp"), with
// kRequestTooLarge past the limit of operations, and with kInvalid when an operation cannot be
// done: the message names it, though the API server keeps that to itself. Nesting takes no native
// stack.
Result<value::Value> apply_json_patch(const value::Value& document, const value::Value& operations,
                                      Arena& arena, const JsonPatchLimits& limits = {});

}  // namespace strake::patch
