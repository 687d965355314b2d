#pragma once
// The documentation of a kind or of one of its fields, laid out as `kubectl explain` (1.32) prints
// it.
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "crd/crd.h"

namespace strake::crd {

struct ExplainOptions {
  bool recursive = false;  // all fields below, without their descriptions
};

// Appends to `out`. `path` leads through properties; lists and maps are passed without a step.
// Fails with kNotFound, `field "x" does not exist`, with the heading already in `out`.
Result<> explain(const Crd& crd, const Version& version, std::span<const std::string> path,
                 const ExplainOptions& options, std::string& out);

// The version that the API prefers: the most stable and newest of those that are served. Null when
// none is.
const Version* preferred_version(const Crd& crd);

}  // namespace strake::crd
