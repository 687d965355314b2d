#pragma once
// Work that may take more than a millisecond is a worker's: the loop goes on meanwhile, and hears
// when the client is gone.
#include <type_traits>

#include "api/request/answer.h"
#include "api/request/core.h"

namespace strake::api {

// What `work` refers to must live until it is done.
template <typename Work>
boost::asio::awaitable<std::invoke_result_t<Work&>> by_worker(Core& core, Work work) {
  using Outcome = std::invoke_result_t<Work&>;
  STRAKE_CO_TRY(Outcome outcome,
                answer(co_await core.workers.run([&work] { return Result<Outcome>(work()); })));
  co_return outcome;
}

}  // namespace strake::api
