#pragma once
// Which build this is.
#include <string_view>

namespace strake::cli {

std::string_view version_number();    // "0.1.0"
std::string_view version_text();      // "0.1.0 (1a2b3c4)": with the commit, when the build knew it
std::string_view linked_libraries();  // "OpenSSL 3.0.19, SQLite 3.40.1, ..."

}  // namespace strake::cli
