#pragma once
// YAML 1.2 core beside the YAML of servers, which is 1.1: where a document means one thing here and
// another there.
#include <vector>

#include "validate/finding.h"
#include "value/value.h"

namespace strake::validate {

// A warning for each place that differs, up to a hundred, with its path in the first.
std::vector<Fault> core_differences(const value::Value& core, const value::Value& server);

}  // namespace strake::validate
