#pragma once
// Coroutines that go on at the same time, such as those whose writes were committed together: each
// loop gets one message for all of its own. One for each would have the loop and whoever wakes it
// contend for the loop's queue. Belongs to one thread.
#include <functional>
#include <utility>
#include <vector>

#include "async/task.h"

namespace strake::async {

class Resumptions {
 public:
  Resumptions() = default;
  ~Resumptions() { post(); }
  Resumptions(const Resumptions&) = delete;
  Resumptions& operator=(const Resumptions&) = delete;

  // `resume` is called on the executor, after those that were added before for the same one.
  void add(const Executor& executor, std::move_only_function<void()> resume);
  void post();

 private:
  using Functions = std::vector<std::move_only_function<void()>>;
  std::vector<std::pair<Executor, Functions>> by_executor_;  // as many as there are loops
};

}  // namespace strake::async
