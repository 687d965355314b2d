#pragma once
// Where the data of a claim comes from: its dataSource, and the newer dataSourceRef, which a server
// keeps equal.
#include "base/arena.h"
#include "value/value.h"

namespace strake::kinds {

// Drops what kube-apiserver 1.36 ignores in a spec that is written. `old_spec` is null for a new
// claim.
void drop_ignored_sources(value::Value& spec, const value::Value* old_spec);
// Fills in the one by the other where one of them is missing.
void match_sources(value::Value& spec, Arena& arena);

}  // namespace strake::kinds
