#pragma once
// How long the end of a server may take. Work that is asked to end gets until the deadline, then a
// moment to notice that it was cancelled; after that nobody waits for it.
#include <chrono>
#include <cstdint>
#include <functional>
#include <future>
#include <optional>

#include "async/task.h"
#include "base/cancel.h"

namespace strake::server {

enum class Ending : std::uint8_t {
  kOrderly,    // within its time
  kCancelled,  // soon after it was told that its time is over
  kGivenUp,    // still busy
};

struct EndingTimes {
  std::chrono::milliseconds drain{30'000};
  std::chrono::milliseconds grace{2'000};
};

// Waits for the task; calls `cancel` when its time is over.
Ending wait_for_end(const std::future<Result<>>& task, EndingTimes times,
                    const std::function<void()>& cancel);

// Runs the task on the executor, whose loop runs elsewhere, and waits for its outcome. When `stop`
// is cancelled first, calls `cancel` and waits for so long; nothing when the task did not end then.
std::optional<Result<>> run_until_stopped(const async::Executor& executor, async::Task<> task,
                                          const CancelToken& stop, std::chrono::milliseconds grace,
                                          const std::function<void()>& cancel);

// Runs the task on the executor, whose loop runs elsewhere. Nobody need wait for it.
std::future<Result<>> launch(const async::Executor& executor, async::Task<> task);

}  // namespace strake::server
