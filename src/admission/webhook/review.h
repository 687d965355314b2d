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

// What a client of Go says of an answer that is of another kind than the review that was sent;
// nothing when it is one, or says nothing about it. A Status that says Failure is that message.
struct ReviewKind {
  std::string_view group;
  std::string_view kind;
  std::string_view version;
};
std::optional<std::string> review_kind_fault(const value::Value& root, const ReviewKind& wanted);

// The message of a Status that says Failure; nothing for any other text.
std::optional<std::string> failure_message(std::string_view text);

// How the client is told that a webhook has denied its request.
meta::Status denial(std::string_view webhook, const std::optional<meta::Status>& given);

}  // namespace strake::admission
