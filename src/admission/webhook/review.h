#pragma once
// AdmissionReview: the question that a webhook is sent, and what its answer says. Both as
// kube-apiserver 1.36 writes and reads them.
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "admission/match/versioned.h"
#include "admission/webhook/hook.h"
#include "api/request/admission.h"

namespace strake::admission {

// What a request is, as reviews and expressions see it: everything but its objects. `version` is
// the one in which it is looked at.
value::Value describe_request(const api::Call& call, const api::AdmissionRequest& request,
                              const kinds::ServedVersion& version, Arena& arena);

struct ReviewQuestion {
  std::string_view uid;
  ReviewVersion version = ReviewVersion::kV1;
  value::Value request;  // as describe_request() gives it
  VersionedObjects::Seen objects;
};
std::string write_review(ReviewQuestion question, Arena& arena);

struct ReviewAnswer {
  bool allowed = false;
  std::string patch;  // the text of a JSON patch; empty for none
  std::string patch_type;
  std::optional<meta::Status> status;  // as it was given
  std::vector<std::string> warnings;
  std::vector<std::pair<std::string, std::string>> audit_annotations;
};
// The error is a message: "failed to call webhook: ..." for what cannot be read, "received invalid
// webhook response: ..." for what makes no sense.
std::expected<ReviewAnswer, std::string> read_review(std::string_view text, std::string_view uid,
                                                     ReviewVersion version, bool mutating);

// Where the client of admission and conversion webhooks in kube-apiserver 1.36 looks for kinds.
inline constexpr std::string_view kWebhookScheme = "k8s.io/apiserver/pkg/util/webhook/client.go:93";

// How the client is told that a webhook has denied its request.
meta::Status denial(std::string_view webhook, const std::optional<meta::Status>& given);

}  // namespace strake::admission
