#pragma once
// The rules that the data of ConfigMaps and Secrets share.
#include <cstddef>
#include <string_view>

#include "meta/names.h"

namespace strake::kinds {

inline constexpr std::size_t kMaxDataBytes = 1024 * 1024;
inline constexpr std::string_view kImmutableDetail = "field is immutable when `immutable` is set";

// Letters, digits, '-', '_' and '.', at most 253, and neither "." nor "..".
meta::Messages check_data_key(std::string_view key);

// How many bytes a canonical base64 text stands for.
std::size_t base64_bytes(std::string_view text);

}  // namespace strake::kinds
