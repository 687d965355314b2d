#pragma once
// One request and its response in an HTTP/2 connection. Internal to http.
#include <boost/asio/cancellation_signal.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "http/body_queue.h"
#include "http/gzip.h"
#include "http/message.h"
#include "http/wakeup.h"

namespace strake::http {

// The bytes of a response's body, taken as the client has room for them.
class H2Body {
 public:
  void set(std::vector<Piece> pieces, bool is_last);
  void compress() { gzip_ = std::make_unique<GzipWriter>(); }

  // Fills `to`; less than `size` only when nothing more is there now.
  std::size_t read(char* to, std::size_t size);
  bool is_empty() const;  // nothing is there now
  bool is_last() const { return is_last_; }
  void end() { is_last_ = true; }

 private:
  std::size_t read_plain(char* to, std::size_t size);
  std::size_t read_packed(char* to, std::size_t size);

  std::vector<Piece> pieces_;
  std::size_t piece_ = 0;  // the first that is not all read
  std::size_t at_ = 0;     // in that one
  bool is_last_ = false;
  std::unique_ptr<GzipWriter> gzip_;
  bool gzip_finished_ = false;
  std::string packed_;
  std::size_t packed_at_ = 0;
};

struct H2Stream {
  std::int32_t id = 0;
  std::size_t index = 0;    // in the connection's list
  std::uint64_t since = 0;  // the tick when it began, or last made progress

  // ---- The request, while it arrives
  Request request;
  std::size_t header_bytes = 0;
  bool header_too_large = false;
  bool receiving = true;
  std::size_t body_limit = 0;
  bool takes_gzip = false;
  // A body that the handler reads while it arrives.
  std::shared_ptr<BodyQueue> arriving;
  Headers trailers;  // of the request
  bool is_head = false;

  // ---- The response
  bool handling = false;    // the coroutine runs
  bool responding = false;  // the head was submitted
  bool deferred = false;    // waits for more of the body
  bool gone = false;        // closed, by whomever
  bool cancelled = false;
  CancelSource client_gone;
  const BodyStream* source = nullptr;  // that is being sent
  boost::asio::cancellation_signal cancel;
  H2Body body;
  Headers last_headers;  // behind the body
  Wakeup drained;        // the client has room, and nothing is left
};

}  // namespace strake::http
