#pragma once
// The validating phase: all webhooks that a request matches are asked at the same time, and all
// answers waited for. Of several refusals the client gets that of the first webhook in their order.
#include <vector>

#include "admission/webhook/conversation.h"

namespace strake::admission {

struct Invocation {
  HookPtr hook;
  const kinds::ServedVersion* version = nullptr;  // in which the request matched
};

api::AnswerTask<> validate(api::Core& core, const Caller& caller, api::Call& call,
                           api::AdmissionRequest request, std::vector<Invocation> matched);

}  // namespace strake::admission
