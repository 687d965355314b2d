#include "extension/settling.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <utility>

namespace strake::extension {

void Settling::wake() {
  if (signal_) signal_->notify();
}

boost::asio::awaitable<void> Settling::start() {
  const async::Executor loop = co_await boost::asio::this_coro::executor;
  signal_ = std::make_shared<async::Signal>(loop);
  boost::asio::co_spawn(loop, run(), boost::asio::detached);
}

boost::asio::awaitable<void> Settling::run() {
  const async::Gate::Pass pass = running_.enter();
  if (!pass) co_return;
  const async::Executor loop = co_await boost::asio::this_coro::executor;
  const CancelRegistration registration = stopping_.token().on_cancel(
      [signal = signal_, loop] { boost::asio::post(loop, [signal] { signal->notify(); }); });
  while (!stopping_.cancelled()) {
    const Deadline next = marked_.empty()
                              ? Deadline::never()
                              : Deadline::after(async::pause_after(failures_, options_.backoff));
    if (!co_await signal_->wait(next)) co_return;
    if (!stopping_.cancelled()) co_await settle_all();
  }
}

boost::asio::awaitable<void> Settling::settle_all() {
  const std::set<std::string> names = std::exchange(marked_, {});
  bool all = true;
  for (const std::string& name : names) {
    if (stopping_.cancelled()) co_return;
    const Result<bool> settled = co_await options_.settle(name);
    if (settled && *settled) continue;
    all = false;
    marked_.insert(name);
    if (!settled && failures_ == 0) options_.failed(name, settled.error());
  }
  failures_ = all ? 0 : failures_ + 1;
}

async::Task<> Settling::stop() {
  stopping_.cancel();
  co_return co_await running_.close();
}

}  // namespace strake::extension
