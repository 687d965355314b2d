#pragma once
// Numbers in base 36, digits before small letters, as hashes and compact IDs are written.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace strake::provider {

inline constexpr std::string_view kBase36Digits = "0123456789abcdefghijklmnopqrstuvwxyz";

// With zeros in front up to `width`.
std::string to_base36(std::uint64_t number, std::size_t width);
// Nothing when a character is no digit. At most 12 digits, which fit.
std::optional<std::uint64_t> from_base36(std::string_view text);

}  // namespace strake::provider
