#pragma once
// Orderly shutdown: work passes through the gate while it is open; closing lets no new work in and
// waits for the rest. May be used from any thread.
#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

#include "async/one_shot.h"
#include "async/task.h"

namespace strake::async {

class Gate {
 public:
  // Held by whoever is inside. Must not outlive the gate.
  class [[nodiscard]] Pass {
   public:
    Pass() = default;
    Pass(Pass&& other) noexcept : gate_(std::exchange(other.gate_, nullptr)) {}
    Pass& operator=(Pass&& other) noexcept {
      std::swap(gate_, other.gate_);
      return *this;
    }
    ~Pass() {
      if (gate_ != nullptr) gate_->leave();
    }
    explicit operator bool() const { return gate_ != nullptr; }

   private:
    friend class Gate;
    explicit Pass(Gate* gate) : gate_(gate) {}
    Gate* gate_ = nullptr;
  };

  // An empty pass once the gate is closed.
  Pass enter();
  bool closed() const;
  std::size_t inside() const;
  // Lets no one in any more, and returns when all have left. May be called more than once.
  Task<> close();
  // Lets no one in any more, without waiting.
  void shut();

 private:
  void leave();

  mutable std::mutex mu_;
  bool closed_ = false;             // guarded by mu_
  std::size_t inside_ = 0;          // guarded by mu_
  std::vector<OneShot<>> waiting_;  // guarded by mu_
};

}  // namespace strake::async
