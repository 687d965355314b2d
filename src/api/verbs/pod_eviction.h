#pragma once
// The subresource "eviction" of pods: a deletion that asks the disruption budgets first.
#include "api/request/answer.h"
#include "api/request/call.h"
#include "api/request/core.h"
#include "http/message.h"

namespace strake::api {

// `evictions` is the body_endpoint() of kinds::eviction_resource().
AnswerTask<http::Response> evict_pod(Core& core, Call& call, EndpointPtr evictions);

}  // namespace strake::api
