#pragma once
// Bytes that arrive while they are read: bodies, and connections after an upgrade. Whoever reads
// sets the pace; the other side is kept waiting. Used on the loop that gave them.
#include <cstddef>
#include <string>

#include "http/failure.h"

namespace strake::http {

class Headers;

// A body of the other side. Destroyed before its end, it tells the other side to stop.
class BodyReader {
 public:
  virtual ~BodyReader() = default;
  // The next part; empty at the end, and from then on. One call at a time. A failure is final.
  virtual Exchange<std::string> next() = 0;
  // What the other side added at the end. Complete once next() has given nothing.
  virtual const Headers& trailers() const = 0;
};

// The rest of the body in one piece; kTooLarge past the limit.
Exchange<std::string> read_all(BodyReader& body, std::size_t max_bytes);

// A connection that is no longer HTTP. One read and one write may wait at the same time.
class RawStream {
 public:
  virtual ~RawStream() = default;  // closes
  // What has come; empty at the end.
  virtual Exchange<std::string> read() = 0;
  // Returns when the other side's machine, or ours, has taken all of it.
  virtual Exchange<> write(std::string bytes) = 0;
  // Nothing more will be written; reading goes on.
  virtual void finish_writing() = 0;
  // At once; whoever waits hears of it.
  virtual void close() = 0;
};

}  // namespace strake::http
