#pragma once
// What is shown of a source text beside a finding.
#include <cstdint>
#include <string>
#include <string_view>

namespace strake::validate {

// The line that the offset is in, without its end.
std::string_view line_at(std::string_view text, std::uint64_t offset);

// The first line of what stands there, at most 80 code points.
std::string fragment_at(std::string_view text, std::uint64_t offset, std::uint64_t length);

}  // namespace strake::validate
