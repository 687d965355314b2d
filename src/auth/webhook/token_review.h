#pragma once
// The TokenReview that a webhook is sent, and what it says in its answer. Pure, from any thread.
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/request/roles.h"
#include "base/result.h"
#include "base/secret.h"

namespace strake::auth {

// `version` is v1 or v1beta1.
Secret write_review(std::string_view version, const Secret& token,
                    std::span<const std::string> audiences);

struct ReviewAnswer {
  bool authenticated = false;
  api::User user = {};
  std::vector<std::string> audiences = {};
  std::string error = {};
};
// Fails with kParse when the text is no TokenReview, or has values of other types. No message holds
// anything of it.
Result<ReviewAnswer> read_review(std::string_view text);

}  // namespace strake::auth
