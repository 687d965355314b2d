#pragma once
// The writing end of a connection that two coroutines of one loop write to: one takes its turn
// after the other.
#include <string>

#include "async/signal.h"
#include "http/byte_stream.h"

namespace strake::kube {

class Turns {
 public:
  // The stream must outlive it.
  Turns(http::RawStream& stream, const async::Executor& executor)
      : stream_(stream), free_(executor) {}

  http::Exchange<> write(std::string bytes) {
    while (busy_) {
      if (!co_await free_.wait(Deadline::never()))
        co_return http::failed(http::Fault::kCancelled, "cancelled");
    }
    busy_ = true;
    http::Outcome<> written = co_await stream_.write(std::move(bytes));
    busy_ = false;
    free_.notify();
    co_return written;
  }

 private:
  http::RawStream& stream_;
  async::Signal free_;
  bool busy_ = false;
};

}  // namespace strake::kube
