#pragma once
// Values of others in messages: quoted, and cut when they are long.
#include <string>
#include <string_view>

namespace strake::provider {

// The first 64 bytes as Go quotes them, with "..." behind the quotes where there are more.
std::string quote_briefly(std::string_view text);

}  // namespace strake::provider
