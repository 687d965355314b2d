#pragma once
// SHA-512 (FIPS 180-4), by which the API names what a document holds.
#include <array>
#include <cstdint>
#include <string_view>

namespace strake::publish {

std::array<std::uint8_t, 64> sha512(std::string_view bytes);

}  // namespace strake::publish
