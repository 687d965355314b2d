#pragma once
// The part of apply that takes away what a manager applied before and no longer applies.
#include "base/arena.h"
#include "base/result.h"
#include "patch/ownership.h"
#include "value/value.h"

namespace strake::patch {

// The merged object without what `last` owned, unless an owner has it now: the applier among them,
// with what it applies this time. What `last` did not own stays whatever it is.
Result<value::Value> prune_applied(const value::Value& merged, const Owners& owners,
                                   const Owner& last, const Scope& scope, Arena& arena);

}  // namespace strake::patch
