#include "async/workers.h"

#include <condition_variable>
#include <deque>
#include <thread>
#include <vector>

namespace strake::async {

struct Workers::Impl {
  std::mutex mu;
  std::condition_variable ready;
  std::deque<std::move_only_function<void()>> queue;  // guarded by mu
  bool stopping = false;                              // guarded by mu
  std::vector<std::thread> threads;

  void work() {
    while (true) {
      std::move_only_function<void()> next;
      {
        std::unique_lock lock(mu);
        ready.wait(lock, [this] { return stopping || !queue.empty(); });
        // Work that was posted before the end is still done.
        if (queue.empty()) return;
        next = std::move(queue.front());
        queue.pop_front();
      }
      next();
    }
  }
};

Workers::Workers(std::size_t threads) : impl_(std::make_unique<Impl>()) {
  for (std::size_t i = 0; i < threads; ++i) impl_->threads.emplace_back([this] { impl_->work(); });
}

Workers::~Workers() {
  {
    const std::lock_guard lock(impl_->mu);
    impl_->stopping = true;
  }
  impl_->ready.notify_all();
  for (std::thread& thread : impl_->threads) thread.join();
}

void Workers::post(std::move_only_function<void()> work) {
  {
    const std::lock_guard lock(impl_->mu);
    impl_->queue.push_back(std::move(work));
  }
  impl_->ready.notify_one();
}

}  // namespace strake::async
