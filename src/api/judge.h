#pragma once
// Judges an object that is about to be written, by the strategy of its kind, and keeps account of
// who set which field.
#include <cstddef>
#include <functional>
#include <string_view>
#include <vector>

#include "api/answer.h"
#include "api/call.h"
#include "api/core.h"
#include "api/options.h"
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

// Runs the above: here, or by a worker when the object has so many bytes that rules over it
// may take long. The loop goes on meanwhile, and hears when the client is gone. What `judge` refers
// to must live until it is done.
inline constexpr std::size_t kJudgedAtOnce = 32 * 1024;
AnswerTask<> judge_by_size(Core& core, std::size_t bytes, std::function<Answer<>()> judge);

// Objects may only be made in a namespace that exists and is not going away, and of a CRD that is
// not.
Answer<> check_place(Core& core, const Call& call, std::string_view name);

}  // namespace strake::api
