#pragma once
// Takes apart what the server compressed.
#include <string>
#include <string_view>

namespace strake::http::testing {

// Empty when it is not whole.
std::string gunzip(std::string_view bytes);

}  // namespace strake::http::testing
