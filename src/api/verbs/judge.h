#pragma once
// Judges an object that is about to be written, by the strategy of its kind, and keeps account of
// who set which field.
#include <cstddef>
#include <string_view>
#include <type_traits>
#include <vector>

#include "api/request/answer.h"
#include "api/request/call.h"
#include "api/request/core.h"
#include "api/request/options.h"
#include "value/document.h"

namespace strake::api {

// metadata.managedFields of the new object. `old` is null on a create.
void own_fields(const Call& call, value::Document& document, const value::Value* old,
                std::string_view subresource, std::string_view manager);
// Members that the endpoint resets: no write there owns them.
std::vector<std::string_view> resets_of(const Call& call, std::string_view subresource);
// fieldManager, or the User-Agent.
std::string manager_of(const Call& call, const WriteOptions& options);

// `old` is null on a create. Warnings go to the call.
Answer<> judge(Call& call, const value::Document& document, const value::Value* old,
               std::string_view subresource);

// Work on an object of so many bytes, which may take more than a millisecond, is a worker's: the
// loop goes on meanwhile, and hears when the client is gone. A definition is compiled when it is
// judged, so it counts as large whatever its size.
inline constexpr std::size_t kDoneAtOnce = 32 * 1024;
bool is_large(const Call& call, std::size_t bytes);
// What `work` refers to must live until it is done.
template <typename Work>
boost::asio::awaitable<std::invoke_result_t<Work&>> by_worker(Core& core, Work work) {
  using Outcome = std::invoke_result_t<Work&>;
  STRAKE_CO_TRY(Outcome outcome,
                answer(co_await core.workers.run([&work] { return Result<Outcome>(work()); })));
  co_return outcome;
}

// Objects may only be made in a namespace that exists and is not going away, and of a CRD that is
// not.
Answer<> check_place(Core& core, const Call& call, std::string_view name);

}  // namespace strake::api
