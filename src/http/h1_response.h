#pragma once
// The head of an HTTP/1.1 response as text. Internal to http.
#include <cstdint>
#include <string>
#include <string_view>

#include "http/h1_parser.h"
#include "http/message.h"

namespace strake::http {

// "Not Found"; empty for codes that have no name.
std::string_view reason_phrase(int status);

struct ResponseFraming {
  enum class Length : std::uint8_t { kNone, kKnown, kChunked, kUntilClose };
  Length length = Length::kNone;
  std::uint64_t size = 0;  // for kKnown
  bool gzip = false;
  bool close = false;
  bool say_keep_alive = false;  // a client of HTTP/1.0 wants to hear it
  std::string_view upgrade;     // the protocol that follows
};

void write_head(std::string& out, const Response& response, const ResponseFraming& framing,
                std::string_view date);

// The end of a chunked body.
std::string last_chunk(const Headers& trailers);

// A whole response to a request that never reached the handler.
std::string refusal_text(const Refusal& refusal, std::string_view date);

}  // namespace strake::http
