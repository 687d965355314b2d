#include "http/body.h"

namespace strake::http {

std::size_t total_size(const std::vector<Piece>& pieces) {
  std::size_t total = 0;
  for (const Piece& piece : pieces) total += piece.view().size();
  return total;
}

bool status_allows_body(int status) { return status >= 200 && status != 204 && status != 304; }

bool is_hop_header(std::string_view name) {
  switch (name.size()) {
    case 4: return equals_ignoring_case(name, "date");
    case 7: return equals_ignoring_case(name, "upgrade");
    case 10:
      return equals_ignoring_case(name, "connection") || equals_ignoring_case(name, "keep-alive");
    case 14: return equals_ignoring_case(name, "content-length");
    case 16: return equals_ignoring_case(name, "proxy-connection");
    case 17: return equals_ignoring_case(name, "transfer-encoding");
    default: return false;
  }
}

bool is_worth_gzip(const Response& response, std::size_t size, const ServerOptions& options) {
  if (options.gzip_from == 0 || response.headers.has("Content-Encoding")) return false;
  if (response.stream) return response.stream->may_compress();  // those are long
  return size >= options.gzip_from;
}

Response plain_text(int status, std::string text) {
  Response response;
  response.status = status;
  response.headers.add("Content-Type", std::string_view("text/plain; charset=utf-8"));
  response.body.emplace_back(std::move(text));
  return response;
}

Response internal_error() { return plain_text(500, "Internal Server Error\n"); }

}  // namespace strake::http
