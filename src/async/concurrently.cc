#include "async/concurrently.h"

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <memory>

#include "async/one_shot.h"

namespace strake::async {
namespace {

using Work = std::function<boost::asio::awaitable<void>(std::size_t)>;

struct Shared {
  Work work;
  std::size_t count;
  std::size_t next = 0;
  OneShot<> all_ended;
};

// Tells when the last runner has gone, however it went.
struct Ended {
  explicit Ended(std::shared_ptr<Shared> shared) : shared_(std::move(shared)) {}
  ~Ended() { shared_->all_ended.set({}); }
  Ended(const Ended&) = delete;
  Ended& operator=(const Ended&) = delete;
  std::shared_ptr<Shared> shared_;
};

boost::asio::awaitable<void> take_turns(std::shared_ptr<Ended> ended) {
  Shared& shared = *ended->shared_;
  const auto executor = co_await boost::asio::this_coro::executor;
  while (shared.next < shared.count) {
    co_await shared.work(shared.next++);
    // Work that never waits, as with a store in memory, would keep the loop from all others.
    co_await boost::asio::post(executor, boost::asio::use_awaitable);
  }
}

}  // namespace

// `width` runners take indexes from one counter, so a slow item holds up only its own runner. All
// run on the caller's executor: the counter needs no lock.
boost::asio::awaitable<void> for_each_concurrently(std::size_t count, std::size_t width,
                                                   Work work) {
  if (count == 0) co_return;
  auto shared = std::make_shared<Shared>(std::move(work), count);
  OneShot<> all_ended = shared->all_ended;
  const auto executor = co_await boost::asio::this_coro::executor;
  {
    const auto ended = std::make_shared<Ended>(std::move(shared));
    for (std::size_t i = 0; i < std::clamp<std::size_t>(width, 1, count); ++i)
      boost::asio::co_spawn(executor, take_turns(ended), boost::asio::detached);
  }
  static_cast<void>(co_await all_ended.wait());
}

}  // namespace strake::async
