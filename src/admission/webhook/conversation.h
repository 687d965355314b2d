#pragma once
// One question to one webhook, from the request to what the webhook said. Shared by both phases.
#include <expected>
#include <string>
#include <string_view>

#include "admission/match/versioned.h"
#include "admission/webhook/caller.h"
#include "admission/webhook/review.h"
#include "api/request/admission.h"
#include "api/request/core.h"

namespace strake::admission {

struct Question {
  HookPtr hook;
  const kinds::ServedVersion& version;  // in which the request matched
  VersionedObjects::Seen objects;       // in that version
};

// The error of the inner kind is why there is no answer, to be judged by the failure policy; that
// of the outer kind ends the request. Everything given lives until it is done.
using Said = std::expected<ReviewAnswer, std::string>;
api::AnswerTask<Said> ask(api::Core& core, const Caller& caller, const api::Call& call,
                          const api::AdmissionRequest& request, Question question);

// What a webhook that could not be asked means for the request: a refusal, or nothing when it is to
// be ignored.
api::Answer<> judge_failure(const Hook& hook, std::string_view why);

// Warnings and audit annotations of an answer, for the client and the log.
void note_answer(api::Call& call, const Hook& hook, const ReviewAnswer& answer);
// The first of a key stays, as in kube-apiserver 1.36; keys that are no qualified names are left
// out.
void add_audit_annotation(api::Call& call, std::string key, std::string text);

}  // namespace strake::admission
