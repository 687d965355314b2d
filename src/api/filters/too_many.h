#pragma once
// What is answered to a request for which there is no room.
#include <cstdint>

#include "api/request/call.h"
#include "api/request/registry.h"
#include "http/message.h"

namespace strake::api {

// 429, to come again after so many seconds. The call is counted with the labels of what it asked
// for.
http::Response too_many_requests(Call& call, const Registry& registry, std::int64_t after);

// Whether requests of the method count as writes.
bool counts_as_write(std::string_view method);

}  // namespace strake::api
