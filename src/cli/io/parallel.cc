#include "cli/io/parallel.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace strake::cli {
namespace {

// Small enough that nobody waits long for the last one, large enough that the lock costs nothing.
constexpr std::size_t kLargestBatch = 8;
constexpr std::size_t kBatchesPerThread = 64;

struct Range {
  std::size_t first = 0;
  std::size_t last = 0;
  std::size_t size() const { return last - first; }
};

class Share {
 public:
  Share(std::size_t count, std::size_t threads)
      : batch_(std::clamp(count / (threads * kBatchesPerThread), std::size_t{1}, kLargestBatch)),
        ranges_(threads),
        left_(count) {
    for (std::size_t t = 0; t < threads; ++t)
      ranges_[t] = {count * t / threads, count * (t + 1) / threads};
  }

  // The next few for this thread; empty when there is nothing left to begin.
  Range take(std::size_t thread, std::size_t done) {
    const std::lock_guard lock(mutex_);
    report(done);
    Range& own = ranges_[thread];
    if (own.size() == 0) {
      const auto largest =
          std::max_element(ranges_.begin(), ranges_.end(),
                           [](const Range& a, const Range& b) { return a.size() < b.size(); });
      const std::size_t middle = largest->first + largest->size() / 2;
      own = {middle, largest->last};
      if (&own != &*largest) largest->last = middle;
    }
    const Range batch{own.first, std::min(own.first + batch_, own.last)};
    own.first = batch.last;
    return batch;
  }

  // How many more are done since it was last asked.
  std::size_t news() {
    const std::lock_guard lock(mutex_);
    return std::exchange(done_, 0);
  }
  // The same, once there are any; nothing when all were told.
  std::size_t wait() {
    std::unique_lock lock(mutex_);
    waiting_ = true;
    changed_.wait(lock, [this] { return done_ > 0 || left_ == 0; });
    return std::exchange(done_, 0);
  }

 private:
  void report(std::size_t done) {
    if (done == 0) return;
    done_ += done;
    left_ -= done;
    if (waiting_) changed_.notify_one();
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  const std::size_t batch_;
  std::vector<Range> ranges_;  // guarded by mutex_
  std::size_t done_ = 0;       // guarded by mutex_: since the last wait
  std::size_t left_;           // guarded by mutex_
  bool waiting_ = false;       // guarded by mutex_: the caller has nothing left to do itself
};

}  // namespace

void for_each_index(std::size_t count, std::size_t threads,
                    const std::function<void(std::size_t)>& work,
                    const std::function<void(std::size_t)>& on_progress) {
  threads = std::min(threads, count);
  if (threads <= 1) {
    for (std::size_t i = 0; i < count; ++i) {
      work(i);
      on_progress(1);
    }
    return;
  }
  Share share(count, threads);
  const auto take_part = [&share, &work](std::size_t thread, const auto& after_batch) {
    std::size_t done = 0;
    while (true) {
      const Range batch = share.take(thread, done);
      if (batch.size() == 0) return;
      for (std::size_t i = batch.first; i < batch.last; ++i) work(i);
      done = batch.size();
      after_batch();
    }
  };
  std::vector<std::jthread> workers;
  workers.reserve(threads - 1);
  for (std::size_t t = 1; t < threads; ++t) {
    // Fewer threads do the same work: each takes from the others when its own is done.
    try {
      workers.emplace_back([&take_part, t] { take_part(t, [] {}); });
    } catch (const std::system_error&) {
      break;
    }
  }
  take_part(0, [&] {
    if (const std::size_t done = share.news()) on_progress(done);
  });
  while (const std::size_t done = share.wait()) on_progress(done);
}

std::size_t all_cores() { return std::max(1u, std::thread::hardware_concurrency()); }

}  // namespace strake::cli
