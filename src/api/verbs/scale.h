#pragma once
// The scale subresource: one number of an object, shown and changed as a Scale of autoscaling/v1.
#include "api/request/answer.h"
#include "api/request/call.h"
#include "api/request/core.h"
#include "http/message.h"

namespace strake::api {

AnswerTask<http::Response> get_scale(Core& core, Call& call);
AnswerTask<http::Response> update_scale(Core& core, Call& call);
AnswerTask<http::Response> patch_scale(Core& core, Call& call);

}  // namespace strake::api
