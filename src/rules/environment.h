#pragma once
// The environments that rules compile in: one for texts that are new, which must be understood one
// Kubernetes version back, and one for texts that are stored already.
#include "cel/env/env.h"

namespace strake::rules {

// Made on first use, kept for good, shared by all threads.
const cel::Environment& new_rule_environment();
const cel::Environment& stored_rule_environment();
// The same with jsonpatch.escapeKey, which only the mutations of admission policies see.
const cel::Environment& new_patch_environment();
const cel::Environment& stored_patch_environment();

}  // namespace strake::rules
