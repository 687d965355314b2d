#pragma once
// Lets so many through at a time; the others wait for their turn. On one executor.
#include <cstddef>
#include <deque>
#include <utility>

#include "async/one_shot.h"

namespace strake::aggregator {

class Slots {
 public:
  // Must not outlive its Slots.
  class [[nodiscard]] Held {
   public:
    explicit Held(Slots* slots) : slots_(slots) {}
    Held(Held&& other) noexcept : slots_(std::exchange(other.slots_, nullptr)) {}
    Held& operator=(Held&&) = delete;
    ~Held() {
      if (slots_ != nullptr) slots_->give_back();
    }

   private:
    Slots* slots_;
  };

  explicit Slots(std::size_t count) : free_(count) {}

  boost::asio::awaitable<Held> take() {
    if (free_ > 0) {
      --free_;
    } else {
      async::OneShot<> turn;
      waiting_.push_back(turn);
      // Whoever gives a slot back hands it on.
      static_cast<void>(co_await turn.wait());
    }
    co_return Held(this);
  }

 private:
  void give_back() {
    if (waiting_.empty()) {
      ++free_;
      return;
    }
    waiting_.front().set({});
    waiting_.pop_front();
  }

  std::size_t free_;
  std::deque<async::OneShot<>> waiting_;
};

}  // namespace strake::aggregator
