#pragma once
// The defaults of a loose schema, filled in top down and only where the parent object exists.
#include "base/arena.h"
#include "base/result.h"
#include "schema/loose/options.h"
#include "schema/loose/schema.h"
#include "value/value.h"

namespace strake::schema::loose {

// References and allOf always count; of anyOf every branch that the value matches; of oneOf the one
// that it matches: of several the first, and none when Options::ambiguity makes that an error; then
// or else by the value as it was sent. The first default of a member wins. A null takes a default
// where the type does not admit null. A dynamic reference counts as the reference that it is
// without its scope. Fails with kLimit when defaults bring in ever more defaults. The schema must
// outlive the value.
Result<> apply_defaults(value::Value& v, const Schema& schema, const Node& root,
                        const Options& options, Arena& arena);

}  // namespace strake::schema::loose
