#pragma once
// The scale subresource: one number of an object, shown and changed as a Scale of autoscaling/v1.
#include "api/answer.h"
#include "api/call.h"
#include "api/core.h"
#include "http/message.h"

namespace strake::api {

AnswerTask<http::Response> get_scale(Core& core, Call& call);
AnswerTask<http::Response> update_scale(Core& core, Call& call);
AnswerTask<http::Response> patch_scale(Core& core, Call& call);

}  // namespace strake::api
