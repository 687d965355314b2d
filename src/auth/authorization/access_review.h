#pragma once
// SubjectAccessReview as authorization webhooks see it: the question that they are sent, what match
// conditions see of it, and what their answer says. As kube-apiserver 1.36 writes and reads them.
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

#include "api/request/roles.h"
#include "base/arena.h"
#include "value/value.h"

namespace strake::auth {

enum class AccessReviewVersion : std::uint8_t { kV1, kV1beta1 };

// The spec, which answers are cached by, and the whole review around it.
std::string write_access_spec(const api::User& user, const api::RequestInfo& request,
                              AccessReviewVersion version);
std::string write_access_review(std::string_view spec, AccessReviewVersion version);

// The variable `request` of match conditions: of version v1, with all its texts.
value::Value access_variable(const api::User& user, const api::RequestInfo& request, Arena& arena);

struct AccessReviewStatus {
  bool allowed = false;
  bool denied = false;
  std::string reason = {};
};
// The error is a message.
std::expected<AccessReviewStatus, std::string> read_access_review(std::string_view text,
                                                                  AccessReviewVersion version);

}  // namespace strake::auth
