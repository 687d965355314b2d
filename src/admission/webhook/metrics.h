#pragma once
// What was asked of webhooks and what came of it, with the names of kube-apiserver 1.36. Names of
// webhooks are those of configurations, which administrators write.
#include <chrono>
#include <string_view>

#include "api/request/admission.h"

namespace strake::admission {

struct WebhookCall {
  std::string_view name;
  api::AdmissionRequest::Phase phase;
  api::AdmissionRequest::Operation operation;
};

enum class WebhookOutcome { kAllowed, kDenied, kFailed, kFailedOpen };

// `code`: of the refusal; 0 for none.
void count_webhook_call(const WebhookCall& call, std::chrono::nanoseconds time,
                        WebhookOutcome outcome, int code);

// Of a conversion webhook: whether it did what was asked; `why` names the class of failure.
void count_conversion_call(std::chrono::nanoseconds time, std::string_view why);
void count_conversion(std::string_view definition, std::string_view from, std::string_view to,
                      std::chrono::nanoseconds time, bool succeeded);

}  // namespace strake::admission
