#pragma once
// Several who decide about rights, asked in order: the first who allows or denies has decided, and
// what nobody allows is refused with the reasons of all. Members of system:masters may do
// everything, whoever else is asked.
#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "api/request/roles.h"
#include "async/loops.h"
#include "auth/authorization/configuration.h"
#include "auth/authorization/webhook_authorizer.h"
#include "base/time.h"

namespace strake::auth {

class AuthorizerChain final : public api::Authorizer {
 public:
  // All must outlive it. Nobody is allowed anything before use().
  AuthorizerChain(const api::Authorizer& roles, const async::Loops& loops, const Clock& clock);

  // From now on these decide. What was asked before is finished as it was begun. Fails when the
  // files that webhooks are described by cannot be used; then nothing changes. Blocks.
  Result<> use(const AuthorizationConfiguration& configuration);
  // Nobody is called any more: before the loops end. From any thread.
  void close() { client_.store(nullptr); }

  Decision authorize(const api::User& user, const api::RequestInfo& request) const override;
  boost::asio::awaitable<Decision> ask(api::User user, api::RequestInfo request,
                                       CancelToken cancel) const override;
  Rules rules_of(const api::User& user, std::string_view namespace_name) const override;

  // For tests: pauses before webhooks are asked again, of those that use() makes.
  void set_backoff(kube::WebhookConnection::Backoff backoff) { backoff_ = backoff; }

 private:
  struct Link {
    AuthorizationConfiguration::Type type;
    std::unique_ptr<const WebhookAuthorizer> webhook;  // null for other types
  };
  struct Links {
    AllowedPaths open_paths;
    std::vector<Link> in_order;
    // What is decided whoever is asked.
    bool are_passed(const api::User& user, const api::RequestInfo& request) const;
  };
  // What a link says without waiting; nothing when it must be waited for.
  std::optional<Decision> at_once(const Link& link, const api::User& user,
                                  const api::RequestInfo& request) const;

  const api::Authorizer& roles_;
  const Clock& clock_;
  kube::WebhookConnection::Backoff backoff_;
  std::atomic<std::shared_ptr<http::Client>> client_;
  std::atomic<std::shared_ptr<const Links>> links_;
};

}  // namespace strake::auth
