#pragma once
// The kinds of patches that a request may carry, read and applied.
#include <cstdint>
#include <optional>

#include "api/request/answer.h"
#include "api/request/call.h"
#include "value/document.h"

namespace strake::api {

enum class PatchType : std::uint8_t { kJson, kMerge, kStrategic, kApply };

// Nothing when the endpoint does not take patches of that type.
std::optional<PatchType> patch_type_of(const Call& call);

// The body as a patch: 400 when it is none. Not for kApply.
Answer<value::Document> read_patch(const Call& call, PatchType type);

// The patched object, in the arena, sharing parts with the present one.
Answer<value::Value> apply_patch(const Call& call, PatchType type, const value::Value& current,
                                 const value::Value& patch, Arena& arena);

// What the client is told when a patch cannot be applied: no more than this.
meta::Status patch_rejected();

}  // namespace strake::api
