#pragma once
// Compressed files, told by their first bytes rather than their name.
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace strake::validate {

bool is_gzip(std::string_view bytes);

// All members of the file, one after the other. Code::kParse when it is damaged or cut off,
// Code::kLimit when more than `limit` bytes would come out; no more than that is ever held.
Result<std::string> gunzip(std::string_view bytes, std::uint64_t limit);

}  // namespace strake::validate
