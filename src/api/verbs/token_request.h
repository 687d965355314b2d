#pragma once
// The subresource "token" of service accounts: a TokenRequest is answered with a new token, and
// nothing is stored.
#include "api/request/answer.h"
#include "api/request/call.h"
#include "api/request/core.h"
#include "http/message.h"

namespace strake::api {

// `requests` is the body_endpoint() of kinds::token_request_resource().
AnswerTask<http::Response> create_token(Core& core, Call& call, EndpointPtr requests);

}  // namespace strake::api
