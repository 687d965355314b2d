#pragma once
// The subresource "binding" of pods, and the resource "bindings": a Binding gives a pod to a node.
#include "api/request/answer.h"
#include "api/request/call.h"
#include "api/request/core.h"
#include "http/message.h"

namespace strake::api {

// `bindings` is the body_endpoint() of kinds::binding_resource().
AnswerTask<http::Response> bind_pod(Core& core, Call& call, EndpointPtr bindings);

}  // namespace strake::api
