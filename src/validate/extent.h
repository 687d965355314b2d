#pragma once
// How far what begins at a place in a JSON or YAML text reaches.
#include <cstdint>
#include <string_view>

namespace strake::validate {

// Bytes from the offset to the end of the key or scalar, or of the whole object or array when one
// begins there. A text with several lines and without quotes counts with its first.
std::uint64_t extent_at(std::string_view text, std::uint64_t offset, bool container);
// The same in a piece of JSON text, which need not begin where a document does.
std::uint64_t json_extent_at(std::string_view text, std::uint64_t offset);

}  // namespace strake::validate
