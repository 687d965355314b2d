#pragma once
// "host:port" as Go's net.SplitHostPort takes it.
#include <string_view>

namespace strake::kinds {

// A host with a colon in it must stand in brackets; neither part is looked at further.
bool is_host_port(std::string_view text);

}  // namespace strake::kinds
