#pragma once
// Settings that are lists in one text.
#include <string>
#include <string_view>
#include <vector>

namespace strake::provider {

// The words between commas, spaces, tabs and line ends.
std::vector<std::string> split_setting_list(std::string_view text);

}  // namespace strake::provider
