#include "async/loops.h"

#include <atomic>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <optional>
#include <thread>

#include "base/assert.h"

namespace strake::async {
namespace {

thread_local const void* current_loops = nullptr;
thread_local std::size_t current_index = 0;

}  // namespace

struct Loops::Impl {
  struct Loop {
    // One thread a loop: Asio may leave out its locks on scheduling from within.
    boost::asio::io_context context{1};
    std::optional<boost::asio::executor_work_guard<boost::asio::io_context::executor_type>> work;
    std::thread thread;
  };
  std::vector<std::unique_ptr<Loop>> loops;
  std::atomic<std::size_t> turn{0};
};

Loops::Loops(std::size_t threads) : impl_(std::make_unique<Impl>()) {
  STRAKE_ASSERT(threads > 0);
  for (std::size_t i = 0; i < threads; ++i) {
    auto loop = std::make_unique<Impl::Loop>();
    loop->work.emplace(loop->context.get_executor());
    loop->thread = std::thread([this, i, &context = loop->context] {
      current_loops = this;
      current_index = i;
      context.run();
    });
    impl_->loops.push_back(std::move(loop));
  }
}

Loops::~Loops() { stop(); }

std::size_t Loops::size() const { return impl_->loops.size(); }

Executor Loops::at(std::size_t index) const { return impl_->loops[index]->context.get_executor(); }

Executor Loops::next() { return at(impl_->turn.fetch_add(1, std::memory_order_relaxed) % size()); }

std::size_t Loops::current() const { return current_loops == this ? current_index : size(); }

// All loops are released before the first is joined, since work on one may wait for another.
void Loops::stop() {
  for (const auto& loop : impl_->loops) loop->work.reset();
  for (const auto& loop : impl_->loops) {
    if (loop->thread.joinable()) loop->thread.join();
  }
}

}  // namespace strake::async
