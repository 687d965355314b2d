#pragma once
// Who is asking, and whether they may: what the pipeline needs of those who know.
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "api/request/request_info.h"
#include "base/result.h"
#include "http/message.h"

namespace strake::api {

struct User {
  std::string name;
  std::string uid;
  std::vector<std::string> groups;
  std::map<std::string, std::vector<std::string>> extra;
  bool in_group(std::string_view group) const;
};
using UserPtr = std::shared_ptr<const User>;

class Authenticator {
 public:
  virtual ~Authenticator() = default;
  // Null when the request carries no credentials at all; kUnauthorized when it carries bad ones.
  virtual Result<UserPtr> authenticate(const http::Request& request) const = 0;
};

class Authorizer {
 public:
  struct Decision {
    bool allowed = false;
    std::string reason;  // appended to the refusal
  };
  virtual ~Authorizer() = default;
  virtual Decision authorize(const User& user, const RequestInfo& request) const = 0;
};

}  // namespace strake::api
