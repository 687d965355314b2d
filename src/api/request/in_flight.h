#pragma once
// Calls that are under way.
#include <atomic>
#include <cstddef>
#include <utility>

namespace strake::api {

struct InFlightCounts {
  std::atomic<std::size_t> reads{0};
  std::atomic<std::size_t> writes{0};
};

// Counts a call as being under way for as long as it lives.
class InFlightPass {
 public:
  InFlightPass() = default;
  // The counter must outlive the pass.
  explicit InFlightPass(std::atomic<std::size_t>& counter)
      : counter_(&counter), count_(counter.fetch_add(1, std::memory_order_relaxed) + 1) {}
  InFlightPass(InFlightPass&& other) noexcept
      : counter_(std::exchange(other.counter_, nullptr)), count_(other.count_) {}
  InFlightPass& operator=(InFlightPass&& other) noexcept {
    std::swap(counter_, other.counter_);
    std::swap(count_, other.count_);
    return *this;
  }
  ~InFlightPass() {
    if (counter_ != nullptr) counter_->fetch_sub(1, std::memory_order_relaxed);
  }

  // How many were under way when this one came, itself included.
  std::size_t count() const { return count_; }

 private:
  std::atomic<std::size_t>* counter_ = nullptr;
  std::size_t count_ = 0;
};

}  // namespace strake::api
