#pragma once
// What an operation that waits returns: a coroutine that gives a Result. Straight-line code, no
// callbacks:
//
//   Task<Page> read(Store& store) {
//     STRAKE_CO_TRY(Page page, co_await store.range({.prefix = "/registry/"}));
//     co_return page;
//   }
//
// Parameters of coroutines are values or owners, never references to a caller's temporaries.
#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include "base/result.h"

namespace strake::async {

using Executor = boost::asio::any_io_executor;

template <typename T = void>
using Task = boost::asio::awaitable<Result<T>>;

}  // namespace strake::async
