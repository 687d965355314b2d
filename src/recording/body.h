#pragma once
// Bodies as a recording keeps them.
#include <string_view>

#include "recording/lines.h"
#include "recording/secrets.h"

namespace strake::recording {

// Larger ones are kept as their digest: answers past the first, requests past the second, since
// these are to be sent again. Past the third there is not even a digest.
inline constexpr std::size_t kMostAnswerBytes = 64 << 10;
inline constexpr std::size_t kMostRequestBytes = 1 << 20;
inline constexpr std::size_t kMostDigestedBytes = 8 << 20;

// JSON, YAML and protobuf become JSON, with secrets masked. What is none of them is kept as it is,
// unless it may hold secrets.
Body make_body(std::string_view content, std::string_view content_type, Holds holds,
               std::size_t most_bytes);

}  // namespace strake::recording
