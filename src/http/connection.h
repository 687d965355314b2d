#pragma once
// One connection from its first byte to its last, whichever protocol it turns out to speak.
// Internal to http.
#include <memory>

#include "http/server.h"
#include "http/transport.h"

namespace strake::http {

// The options and the handler outlive it.
boost::asio::awaitable<void> serve_connection(std::shared_ptr<Transport> transport,
                                              const ServerOptions& options, Handler& handler);

}  // namespace strake::http
