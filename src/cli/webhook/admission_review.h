#pragma once
// AdmissionReview v1 as a webhook gets and answers it.
#include <string>
#include <string_view>

#include "base/result.h"
#include "cli/webhook/webhook_judge.h"

namespace strake::cli {

struct ReviewAnswer {
  std::string json;  // the AdmissionReview that is sent back
  bool allowed = false;
};

// Fails with kBadRequest when the text is no such review. Never called with more than the server
// reads of a body.
Result<ReviewAnswer> answer_review(std::string_view text, const WebhookJudge& judge);

}  // namespace strake::cli
