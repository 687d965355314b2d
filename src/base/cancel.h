#pragma once
// A way to tell running work to stop. Whoever started it keeps the CancelSource; the work gets
// CancelTokens, which are cheap to copy and to ask (one atomic load). All of it may be used from
// any thread. Cancelling happens once and is not taken back. A source made from a token is its
// child: it is cancelled along with its parent, not the other way round.
//
//   CancelSource request(server_token);
//   work(request.token());
//   request.cancel();
#include <functional>
#include <memory>
#include <stop_token>
#include <utility>

#include "base/deadline.h"
#include "base/result.h"

namespace strake {

// Keeps a callback for as long as it lives. Its end waits for a callback that runs on another
// thread.
class [[nodiscard]] CancelRegistration {
 public:
  CancelRegistration() = default;

 private:
  friend class CancelToken;
  friend class CancelSource;
  using Callback = std::stop_callback<std::function<void()>>;
  explicit CancelRegistration(std::unique_ptr<Callback> callback)
      : callback_(std::move(callback)) {}
  std::unique_ptr<Callback> callback_;
};

class CancelToken {
 public:
  CancelToken() = default;  // never cancelled

  bool cancelled() const { return token_.stop_requested(); }

  // Runs once: on the thread that cancels, or here and now when that has happened. It must not
  // throw, and should be short, since cancel() waits for it.
  CancelRegistration on_cancel(std::function<void()> callback) const;

 private:
  friend class CancelSource;
  explicit CancelToken(std::stop_token token) : token_(std::move(token)) {}
  std::stop_token token_;
};

class CancelSource {
 public:
  CancelSource() = default;
  explicit CancelSource(const CancelToken& parent);
  CancelSource(CancelSource&&) = default;
  CancelSource& operator=(CancelSource&&) = default;

  CancelToken token() const { return CancelToken(source_.get_token()); }
  bool cancelled() const { return source_.stop_requested(); }
  // True for the one call that did it.
  bool cancel() { return source_.request_stop(); }

 private:
  std::stop_source source_;
  CancelRegistration from_parent_;
};

// Fails with kCancelled or kTimeout once the work should stop. For loops: ask every so often.
Result<> check(const CancelToken& token, const Deadline& deadline = Deadline::never(),
               const Clock& clock = system_clock());

}  // namespace strake
