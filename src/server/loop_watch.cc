#include "server/loop_watch.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "async/one_shot.h"

namespace strake::server {

LoopWatch::LoopWatch(const async::Loops& loops, std::chrono::nanoseconds period,
                     std::function<void()> alive)
    : loops_(loops), period_(period), alive_(std::move(alive)), stop_(loops.at(0)) {}

LoopWatch::~LoopWatch() = default;

void LoopWatch::start() { boost::asio::co_spawn(loops_.at(0), run(), boost::asio::detached); }

boost::asio::awaitable<void> LoopWatch::visit_all() {
  // One after the other: what counts is that each gets to it.
  for (std::size_t i = 0; i < loops_.size(); ++i) {
    async::OneShot<> visited;
    boost::asio::post(loops_.at(i), [visited]() mutable { visited.set({}); });
    static_cast<void>(co_await visited.wait());
  }
}

boost::asio::awaitable<void> LoopWatch::run() {
  const async::Gate::Pass pass = running_.enter();
  if (!pass) co_return;
  while (true) {
    co_await visit_all();
    alive_();
    const Result<bool> stopped = co_await stop_.wait(Deadline::after(period_));
    if (!stopped || *stopped) co_return;
  }
}

async::Task<> LoopWatch::stop() {
  stop_.notify();
  co_return co_await running_.close();
}

}  // namespace strake::server
