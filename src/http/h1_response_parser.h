#pragma once
// Reads the head of an HTTP/1.1 response, strictly: what two readers could take for two different
// things is refused. Pure: bytes in, parts out. The body behind it is ChunkDecoder's, or as long as
// it says, or all there is.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "http/h1_parser.h"
#include "http/message.h"

namespace strake::http {

struct ResponseHead {
  int status = 0;
  int version = 11;  // 10 or 11
  Headers headers;
  // As the head alone tells it: kUntilClose when it says nothing.
  Framing framing = Framing::kUntilClose;
  std::uint64_t length = 0;
  bool keep_alive = true;

  // No body for HEAD, 1xx, 204 and 304, whatever the head says.
  Framing framing_for(std::string_view method) const;
};

class ResponseHeadParser {
 public:
  ResponseHeadParser(std::size_t max_bytes, std::size_t max_headers)
      : end_(max_bytes), max_headers_(max_headers) {}

  // `bytes` starts with the response and is what came so far. At kDone `size()` of them were the
  // head, and `head` is filled; the parser is ready for the next. A refusal has status 431 for what
  // is too large, else 400.
  Progress parse(std::string_view bytes, ResponseHead& head);
  std::size_t size() const { return size_; }
  const Refusal& refusal() const { return refusal_; }

 private:
  Progress refuse(int status, std::string_view reason);

  HeadEnd end_;
  std::size_t max_headers_;
  std::size_t size_ = 0;
  Refusal refusal_;
};

}  // namespace strake::http
