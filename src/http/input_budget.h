#pragma once
// How much memory the requests that are arriving may hold, over all connections of a server.
// Unauthenticated clients share a small part of their own, so that they cannot take the room of
// those who are known. Safe from any thread.
#include <atomic>
#include <cstddef>
#include <utility>

namespace strake::http {

class InputBudget {
  struct Pool {
    std::size_t limit = 0;
    std::atomic<std::size_t> held{0};
  };

 public:
  InputBudget(std::size_t authenticated_bytes, std::size_t unauthenticated_bytes)
      : pools_{{.limit = unauthenticated_bytes}, {.limit = authenticated_bytes}} {}

  // Bytes taken from one of the two parts until the claim ends. One connection's, on its loop.
  class Claim {
   public:
    Claim() = default;
    Claim(InputBudget& budget, bool authenticated) : pool_(&budget.pools_[authenticated ? 1 : 0]) {}
    Claim(Claim&& other) noexcept { *this = std::move(other); }
    Claim& operator=(Claim&& other) noexcept {
      release();
      pool_ = std::exchange(other.pool_, nullptr);
      bytes_ = std::exchange(other.bytes_, 0);
      return *this;
    }
    ~Claim() { release(); }

    // Holds so many bytes from now on; false, and nothing changes, when there is no room for more.
    bool resize_to(std::size_t bytes);
    void release();
    bool is_open() const { return pool_ != nullptr; }

   private:
    Pool* pool_ = nullptr;
    std::size_t bytes_ = 0;
  };

  std::size_t held_bytes() const {
    return pools_[0].held.load(std::memory_order_relaxed) +
           pools_[1].held.load(std::memory_order_relaxed);
  }

 private:
  Pool pools_[2];
};

}  // namespace strake::http
