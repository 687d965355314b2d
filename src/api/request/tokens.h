#pragma once
// Bearer tokens beyond letting a request in: whose a token is, which TokenReview asks, and new ones
// for service accounts. Implemented by those who authenticate.
#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/request/roles.h"
#include "base/cancel.h"
#include "base/result.h"
#include "base/secret.h"
#include "base/time.h"

namespace strake::api {

class TokenReviewer {
 public:
  struct Review {
    UserPtr user = {};                        // null when the token is no good
    std::vector<std::string> audiences = {};  // those of the asked ones that it is meant for
    std::string error = {};                   // why it is no good
  };
  virtual ~TokenReviewer() = default;
  // For one of these audiences; for the server itself when there are none. Others may be asked:
  // nobody waits for them any longer once `cancel` is cancelled.
  virtual boost::asio::awaitable<Review> review(Secret token, std::vector<std::string> audiences,
                                                CancelToken cancel) const = 0;
};

class TokenIssuer {
 public:
  struct Reference {
    std::string name = {};
    std::string uid = {};
  };
  // What a token is to say.
  struct Order {
    std::string namespace_name = {};
    Reference account = {};
    // What the token is bound to: good as long as that is there.
    std::optional<Reference> pod = {};
    std::optional<Reference> node = {};
    std::optional<Reference> secret = {};
    std::vector<std::string> audiences = {};
    WallTime now = {};
    std::chrono::seconds life{0};
    std::chrono::seconds warn_after{0};  // zero for tokens that nobody is to be warned of
    std::string id = {};
  };
  virtual ~TokenIssuer() = default;
  // Whom tokens are meant for unless their request says.
  virtual const std::vector<std::string>& audiences() const = 0;
  // Requests for more get this; zero when there is no such limit.
  virtual std::chrono::seconds longest_life() const = 0;
  // May take milliseconds: a worker's work.
  virtual Result<std::string> issue(const Order& order) const = 0;
  // What others need to verify tokens: the keys as a JSON Web Key Set, and the discovery document
  // of OpenID that points there. Empty when the issuer is no https URL, since nobody would ask.
  virtual std::string keys_document() const = 0;
  virtual std::string discovery_document() const = 0;
};

}  // namespace strake::api
