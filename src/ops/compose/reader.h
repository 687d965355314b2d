#pragma once
// Reads a Compose document: YAML 1.1 as Docker Compose reads it (yes, no, on and off are strings),
// anchors and merge keys, then variables, then the keys of services. What is not understood fails
// with the place of the first fault; what has no effect here is a warning.
#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.h"
#include "ops/compose/interpolate.h"
#include "ops/compose/project.h"
#include "value/read_options.h"

namespace strake::ops::compose {

inline constexpr std::size_t kMaxComposeBytes = std::size_t{2} << 20;
inline constexpr std::size_t kMaxServices = 256;
// Of the YAML below: small enough for the walks over it, which recurse.
value::Limits compose_limits();

// `source_name` is for messages. Fails with kParse, kInvalid or kLimit, the place included.
Result<Project> read_project(std::string_view text, const std::string& source_name,
                             const Environment& environment);

// The document as it was understood: variables replaced, anchors and merge keys written out, short
// forms made long, keys sorted, services of profiles left out. Reading it again gives the same
// project, whatever the environment, but for configs and secrets that are taken from it.
std::string normalized_compose(const Project& project);

}  // namespace strake::ops::compose
