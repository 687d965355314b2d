#pragma once
// When the server's own certificates run out, for /metrics.
#include <string_view>

#include "server/data_dir.h"

namespace strake::server {

// `serving_pem` is what clients are shown.
void note_certificates(const Identity& identity, std::string_view serving_pem);

}  // namespace strake::server
