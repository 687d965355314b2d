#pragma once
// Lists on their way out. What can be sent as it lies is; what must be made (YAML, tables, bare
// metadata) is made by workers, and when it is long then in parts, each when the client has taken
// the one before.
#include <memory>
#include <vector>

#include "api/request/answer.h"
#include "api/request/call.h"
#include "api/request/core.h"
#include "api/verbs/respond.h"

namespace strake::api {

// Objects that are looked at, or sent as they lie, where the request is handled, and those that
// must be parsed for it. More of them are a worker's business.
inline constexpr std::size_t kAtOnce = 1'000;
inline constexpr std::size_t kParsedAtOnce = 32;
// A list that must be made is sent whole up to here.
inline constexpr std::size_t kWholeObjects = 200;
inline constexpr std::size_t kWholeBytes = 128 * 1024;

AnswerTask<http::Response> send_list(Core& core, std::shared_ptr<Call> call,
                                     std::vector<ObjectPtr> objects, ListMeta meta);

}  // namespace strake::api
