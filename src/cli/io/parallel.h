#pragma once
// The same work for many things, on several threads.
#include <cstddef>
#include <functional>

namespace strake::cli {

// Calls work(i) once for every i below count, on up to `threads` threads, and returns when all are
// done; the calling thread is one of them. A thread goes through a stretch of neighbours before it
// helps others with theirs. `on_progress` is called on the calling thread, with how many more are
// done since the last call.
void for_each_index(std::size_t count, std::size_t threads,
                    const std::function<void(std::size_t)>& work,
                    const std::function<void(std::size_t)>& on_progress);

// As many as the machine can run at once.
std::size_t all_cores();

}  // namespace strake::cli
