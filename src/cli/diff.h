#pragma once
// The difference of two texts, line by line, in the unified form that patch and people read.
#include <string>
#include <string_view>

namespace strake::cli {

// Empty when the texts are equal. Three lines of context. The fewest changes, except that texts
// which differ nearly everywhere are shown as one block replaced: the time is bounded.
std::string unified_diff(std::string_view before, std::string_view after, std::string_view name);

}  // namespace strake::cli
