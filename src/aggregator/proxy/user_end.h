#pragma once
// What goes on for as long as its client wants ends with the rights of its user, as a watch of this
// server's own does: another server does not learn that somebody is revoked here.
#include <functional>
#include <memory>
#include <string_view>

#include "api/request/stream_budget.h"
#include "async/signal.h"
#include "async/task.h"
#include "base/cancel.h"
#include "http/message.h"

namespace strake::aggregator {

// Of one loop.
class UserEnd : public std::enable_shared_from_this<UserEnd> {
 public:
  // The budget must outlive it.
  UserEnd(api::StreamBudget& budget, std::string_view user, std::string_view connection,
          const async::Executor& executor, const CancelToken& parent);

  // Cancelled when the parent is, and when the user's rights end.
  CancelToken token() const { return cancel_.token(); }
  bool has_come() const { return claim_.is_asked_to_end(); }
  // Calls `end`, which may be null, when they do.
  void watch(std::function<void()> end);
  // Nobody needs to know any more.
  void stop();

 private:
  static boost::asio::awaitable<void> wait(std::shared_ptr<UserEnd> self);

  const async::Executor executor_;
  async::Signal signal_;
  CancelSource cancel_;
  api::StreamBudget::Claim claim_;
  std::function<void()> end_;
  bool stopped_ = false;
};

// The body, which then ends as one that came to its end.
std::unique_ptr<http::BodyStream> until(std::shared_ptr<UserEnd> end,
                                        std::unique_ptr<http::BodyStream> body);
// The connection, which is then closed.
http::Upgrade until(std::shared_ptr<UserEnd> end, std::shared_ptr<http::RawStream> other);

}  // namespace strake::aggregator
