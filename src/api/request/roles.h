#pragma once
// Who is asking, and whether they may: what the pipeline needs of those who know.
#include <boost/asio/awaitable.hpp>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "api/request/request_info.h"
#include "async/task.h"
#include "base/cancel.h"
#include "base/result.h"
#include "http/message.h"
#include "value/value.h"

namespace strake::api {

// What is to be said of the way in which a user came in.
struct LoginNotes {
  std::vector<std::string> warnings = {};                             // for the client
  std::vector<std::pair<std::string, std::string>> annotations = {};  // for the audit log, by key
};

struct User {
  std::string name;
  std::string uid;
  std::vector<std::string> groups;
  std::map<std::string, std::vector<std::string>> extra;
  std::shared_ptr<const LoginNotes> notes = {};  // null for nothing
  bool in_group(std::string_view group) const;
};
using UserPtr = std::shared_ptr<const User>;

class Authenticator {
 public:
  virtual ~Authenticator() = default;
  // Null when the request carries no credentials at all; kUnauthorized when it carries bad ones, or
  // such as only others know of.
  virtual Result<UserPtr> authenticate(const http::Request& request) const = 0;
  // The wait for those who may know of credentials that authenticate() refused; nothing when there
  // is nobody to ask. The request must outlive it.
  virtual std::optional<async::Task<UserPtr>> look_up(const http::Request& request) const {
    (void)request;
    return std::nullopt;
  }
  // Whether the user who was found for this request is still believed. Asked of what outlasts a
  // request, once those who end such things can find it: who was let in just before is not missed.
  virtual bool still_accepts(const User& user, const http::Request& request) const {
    (void)user;
    (void)request;
    return true;
  }
  // Whether requests to that path may come without credentials.
  virtual bool allows_anonymous(std::string_view path) const {
    (void)path;
    return true;
  }
};

// What a role allows, as RBAC and SelfSubjectRulesReview write it.
struct PolicyRule {
  std::vector<std::string> verbs = {};
  std::vector<std::string> api_groups = {};
  std::vector<std::string> resources = {};  // "*", "pods", "pods/log", "*/scale"
  std::vector<std::string> resource_names = {};
  std::vector<std::string> non_resource_urls = {};
  friend bool operator==(const PolicyRule&, const PolicyRule&) = default;
};

// As roles and reviews write them: without the lists that are empty.
value::Value write_rules(std::span<const PolicyRule> rules, Arena& arena);

class Authorizer {
 public:
  struct Decision {
    bool allowed = false;
    bool denied = false;      // refused, rather than allowed by nobody
    bool open = false;        // somebody else must be asked first, which ask() does
    std::string reason = {};  // why it is so; of a refusal, appended to it
    std::string error = {};   // why somebody who was asked could not decide
  };
  struct Rules {
    std::vector<PolicyRule> resource_rules = {};
    std::vector<PolicyRule> non_resource_rules = {};
    std::string error = {};   // what could not be found out
    bool incomplete = false;  // there may be more rules
  };
  virtual ~Authorizer() = default;
  // At once, as far as that can be decided.
  virtual Decision authorize(const User& user, const RequestInfo& request) const = 0;
  // What authorize() leaves open. Never open itself.
  virtual boost::asio::awaitable<Decision> ask(User user, RequestInfo request,
                                               CancelToken cancel) const;
  // All that the user may do in the namespace.
  virtual Rules rules_of(const User& user, std::string_view namespace_name) const = 0;
};

}  // namespace strake::api
