#pragma once
// What both versions of HTTP ask of a response's body. Internal to http.
#include <cstddef>
#include <vector>

#include "http/message.h"
#include "http/server.h"

namespace strake::http {

std::size_t total_size(const std::vector<Piece>& pieces);

// 1xx, 204 and 304 have no body, whatever the handler says.
bool status_allows_body(int status);

// Headers that are the connection's business: a handler's own are left out.
bool is_hop_header(std::string_view name);

// Whether this response goes compressed to a client that takes gzip. Streams without an end never
// do: a watcher wants each event when it happens.
bool is_worth_gzip(const Response& response, std::size_t size, const ServerOptions& options);

// For a handler that failed, against its contract.
Response internal_error();
Response plain_text(int status, std::string text);

}  // namespace strake::http
