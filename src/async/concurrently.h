#pragma once
// Several waits at a time, on one thread.
#include <cstddef>
#include <functional>

#include "async/task.h"

namespace strake::async {

// Calls work(i) for every i below count, in order, up to `width` of them under way at a time, and
// comes back when all have ended. Everything runs on the executor of the caller, so that what they
// share needs no lock where that executor has one thread. Others get their turn on the executor
// after each.
boost::asio::awaitable<void> for_each_concurrently(
    std::size_t count, std::size_t width,
    std::function<boost::asio::awaitable<void>(std::size_t)> work);

}  // namespace strake::async
