#pragma once
// Sends a review to a webhook and waits for what it says, within its time and that of the request.
// A webhook that is slow or gone holds up nobody but who waits for it.
#include <atomic>
#include <chrono>
#include <expected>
#include <memory>
#include <string>

#include "admission/webhook/hook.h"
#include "async/loops.h"
#include "base/cancel.h"
#include "base/time.h"
#include "http/client.h"

namespace strake::admission {

class Caller {
 public:
  // Both must outlive it.
  Caller(const async::Loops& loops, const Clock& clock);

  struct Failed {
    std::string message;
  };
  // The text of the answer. `time` is what is left for it. The target must live as long.
  boost::asio::awaitable<std::expected<std::string, Failed>> post(const Target& target,
                                                                  std::string review,
                                                                  std::chrono::nanoseconds time,
                                                                  CancelToken cancel) const;
  // The same for an admission webhook, whose failures say so.
  boost::asio::awaitable<std::expected<std::string, Failed>> call(HookPtr hook, std::string review,
                                                                  std::chrono::nanoseconds time,
                                                                  CancelToken cancel) const;
  // Nobody is called any more, and connections that were kept are let go: loops that are to end
  // would wait for them. From any thread.
  void close() { client_.store(nullptr); }

 private:
  const Clock& clock_;
  std::atomic<std::shared_ptr<http::Client>> client_;
};

}  // namespace strake::admission
