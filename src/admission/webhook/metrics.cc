#include "admission/webhook/metrics.h"

#include <algorithm>
#include <string>

#include "base/metrics.h"

namespace strake::admission {
namespace {

HistogramFamily webhook_durations("apiserver_admission_webhook_admission_duration_seconds",
                                  "[STABLE] Admission webhook latency histogram in seconds, "
                                  "identified by name and broken out for "
                                  "each operation and API resource and type (validate or admit).",
                                  {"name", "operation", "rejected", "type"},
                                  {0.005, 0.025, 0.1, 0.5, 1, 2.5, 10, 25});
CounterFamily webhook_rejections(
    "apiserver_admission_webhook_rejection_count",
    "[ALPHA] Admission webhook rejection count, identified by name and broken out for each "
    "admission type (validating or admit) and operation. Additional labels specify an error type "
    "(calling_webhook_error or apiserver_internal_error if an error occurred; no_error otherwise) "
    "and optionally a non-zero rejection code if the webhook rejects the request with an HTTP "
    "status code (honored by the apiserver when the code is greater or equal to 400). Codes "
    "greater "
    "than 600 are truncated to 600, to keep the metrics cardinality bounded.",
    {"error_type", "name", "operation", "rejection_code", "type"});
CounterFamily webhook_open_failures(
    "apiserver_admission_webhook_fail_open_count",
    "[ALPHA] Admission webhook fail open count, identified by name and broken out for each "
    "admission type (validating or admit).",
    {"name", "type"});
CounterFamily webhook_requests(
    "apiserver_admission_webhook_request_total",
    "[ALPHA] Admission webhook request total, identified by name and broken out for each admission "
    "type (validating or mutating) and operation. Additional labels specify whether the request "
    "was rejected or not and an HTTP status code. Codes greater than 600 are truncated to 600, to "
    "keep the metrics cardinality bounded.",
    {"code", "name", "operation", "rejected", "type"});

HistogramFamily conversion_call_durations("apiserver_conversion_webhook_duration_seconds",
                                          "[ALPHA] Conversion webhook request latency",
                                          {"failure_type", "result"},
                                          {0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15,
                                           20, 25, 30, 45, 60});
CounterFamily conversion_calls(
    "apiserver_conversion_webhook_request_total",
    "[ALPHA] Counter for conversion webhook requests with success/failure and failure error type",
    {"failure_type", "result"});
HistogramFamily conversion_durations("apiserver_crd_conversion_webhook_duration_seconds",
                                     "[ALPHA] CRD webhook conversion duration in seconds",
                                     {"crd_name", "from_version", "succeeded", "to_version"},
                                     {0.001, 0.002, 0.004, 0.008, 0.016, 0.032, 0.064, 0.128, 0.256,
                                      0.512, 1.024, 2.048, 4.096, 8.192, 16.384});

double in_seconds(std::chrono::nanoseconds time) {
  return std::chrono::duration<double>(time).count();
}

std::string_view truth(bool value) { return value ? "true" : "false"; }

}  // namespace

void count_webhook_call(const WebhookCall& call, std::chrono::nanoseconds time,
                        WebhookOutcome outcome, int code) {
  constexpr int kHighestCode = 600;
  const std::string_view type =
      call.phase == api::AdmissionRequest::Phase::kMutating ? "admit" : "validating";
  const std::string_view operation = api::to_string(call.operation);
  const bool rejected = outcome == WebhookOutcome::kDenied || outcome == WebhookOutcome::kFailed;
  const std::string shown_code = std::to_string(std::min(code, kHighestCode));
  webhook_durations.observe({call.name, operation, truth(rejected), type}, in_seconds(time));
  webhook_requests
      .at({rejected ? std::string_view(shown_code) : "200", call.name, operation, truth(rejected),
           type})
      .add();
  if (outcome == WebhookOutcome::kFailedOpen) webhook_open_failures.at({call.name, type}).add();
  if (!rejected) return;
  const bool denied = outcome == WebhookOutcome::kDenied;
  webhook_rejections
      .at({denied ? "no_error" : "calling_webhook_error", call.name, operation, shown_code, type})
      .add();
}

void count_conversion_call(std::chrono::nanoseconds time, std::string_view why) {
  const std::string_view result = why.empty() ? "success" : "failure";
  conversion_call_durations.observe({why, result}, in_seconds(time));
  conversion_calls.at({why, result}).add();
}

void count_conversion(std::string_view definition, std::string_view from, std::string_view to,
                      std::chrono::nanoseconds time, bool succeeded) {
  conversion_durations.observe({definition, from, truth(succeeded), to}, in_seconds(time));
}

}  // namespace strake::admission
