#pragma once
// The order in which YAML output lists the keys of a mapping: numbers inside keys compare by value
// (a9 before a10), and what is no letter comes before letters.
#include <string_view>

namespace strake::value {

bool yaml_key_less(std::string_view a, std::string_view b);

}  // namespace strake::value
