#pragma once
// The I/O threads: each runs one event loop of its own, and what is started on a loop stays there.
// So connections need no locks, and a loop's private state is touched by one thread.
#include <cstddef>
#include <memory>
#include <vector>

#include "async/task.h"

namespace strake::async {

class Loops {
 public:
  // Starts the threads; at least one.
  explicit Loops(std::size_t threads);
  ~Loops();  // stop()
  Loops(const Loops&) = delete;
  Loops& operator=(const Loops&) = delete;

  std::size_t size() const;
  Executor at(std::size_t index) const;
  // Loops in turn. From any thread.
  Executor next();
  // The index of the loop that calls, or size() on any other thread.
  std::size_t current() const;

  // Lets the loops finish what they have, and joins the threads. Whoever waits for something that
  // never comes must have been told first (Gate, Signal, CancelToken).
  void stop();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace strake::async
