#pragma once
// The ValidatingWebhookConfiguration that tells a cluster to ask the webhook.
#include <string>

#include "cli/webhook/webhook_judge.h"
#include "cli/webhook/webhook_options.h"

namespace strake::cli {

// Where the webhook takes reviews.
inline constexpr std::string_view kReviewPath = "/validate";

// As YAML: with rules for exactly the kinds that there are schemas for, and those of the policies.
// Code::kUsage when the options do not say how the cluster reaches it.
Result<std::string> webhook_configuration(const WebhookOptions& options, const WebhookJudge& judge,
                                          std::string_view ca_pem);

}  // namespace strake::cli
