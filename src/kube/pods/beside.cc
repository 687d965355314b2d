#include "kube/pods/beside.h"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>

#include "async/signal.h"

namespace strake::kube {

namespace asio = boost::asio;

struct Beside::State {
  explicit State(const async::Executor& executor) : ended(executor) {}
  asio::cancellation_signal cancel;
  async::Signal ended;
  bool has_ended = false;
};

Beside::Beside(const async::Executor& executor, asio::awaitable<void> work)
    : state_(std::make_shared<State>(executor)) {
  asio::co_spawn(executor, std::move(work),
                 asio::bind_cancellation_slot(state_->cancel.slot(),
                                              [state = state_](const std::exception_ptr&) {
                                                state->has_ended = true;
                                                state->ended.notify();
                                              }));
}

Beside::~Beside() = default;

asio::awaitable<void> Beside::stop() {
  const std::shared_ptr<State> state = state_;
  if (!state->has_ended) state->cancel.emit(asio::cancellation_type::terminal);
  while (!state->has_ended) {
    if (!co_await state->ended.wait(Deadline::never())) co_return;
  }
}

}  // namespace strake::kube
