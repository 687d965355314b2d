#pragma once
// The difference of two texts, line by line, in the unified form that patch and people read.
#include <string>
#include <string_view>

namespace strake::cli {

// Empty when the texts are equal. Three lines of context. The fewest changes up to 256 of them;
// texts with more are divided at lines that stand once in both, and parts that still have more are
// shown as one block replaced. So the time is that of sorting the lines, whatever the texts are.
std::string unified_diff(std::string_view before, std::string_view after, std::string_view name);

}  // namespace strake::cli
