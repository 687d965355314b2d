#include "http/client_wait.h"

#include <boost/asio/post.hpp>

namespace strake::http {

ClientWait::ClientWait(const async::Executor& executor, Deadline deadline,
                       const CancelToken& cancel)
    : state_(std::make_shared<State>(executor)),
      deadline_(deadline),
      registration_(cancel.on_cancel([executor, weak = std::weak_ptr(state_)] {
        boost::asio::post(executor, [weak] {
          if (const auto state = weak.lock()) {
            state->cancelled = true;
            state->signal.notify();
          }
        });
      })) {}

Exchange<> ClientWait::wait() {
  if (state_->cancelled) co_return failed(Fault::kCancelled, "cancelled");
  const std::shared_ptr<State> state = state_;
  const Result<bool> notified = co_await state->signal.wait(deadline_);
  if (!notified || state->cancelled) co_return failed(Fault::kCancelled, "cancelled");
  if (!*notified) co_return failed(Fault::kTimeout, "no answer in time");
  co_return Outcome<>();
}

}  // namespace strake::http
