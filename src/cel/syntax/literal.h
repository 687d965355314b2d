#pragma once
// The values that literal tokens stand for.
#include <optional>
#include <string>
#include <string_view>

#include "base/arena.h"
#include "cel/value/value.h"

namespace strake::cel {

std::optional<Value> parse_int_literal(std::string_view text);     // "-12", "0x1F"
std::optional<Value> parse_uint_literal(std::string_view text);    // "12u"
std::optional<Value> parse_double_literal(std::string_view text);  // "1.5e3"
// Of a whole token with its quotes and prefix. Nothing when an escape makes no valid text.
std::optional<Value> parse_string_literal(std::string_view token, Arena& arena);
std::optional<Value> parse_bytes_literal(std::string_view token, Arena& arena);

}  // namespace strake::cel
