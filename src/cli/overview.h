#pragma once
// The texts that list commands, made from the command table.
#include <string>
#include <string_view>

namespace strake::cli {

// The list of commands by job. Fits a screen of 80 by 24.
std::string help_overview(bool color);
// The commands that begin with this word ("crd": lint, diff); empty when there are none.
std::string help_family(std::string_view word);

}  // namespace strake::cli
