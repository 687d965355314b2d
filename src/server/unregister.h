#pragma once
// Takes back what an extension server that does not run has registered at its main server.
#include "server/server.h"

namespace strake::server {

// What a server is known by at its main server, from the certificate of its authority.
Result<std::string> registered_id(const std::string& ca_pem);

// Of the data folder's server. Fails with what the main server says. Blocks.
Result<> unregister(const Options& options);

}  // namespace strake::server
