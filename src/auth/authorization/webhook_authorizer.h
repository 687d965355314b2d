#pragma once
// Somebody else decides: a SubjectAccessReview is sent to a service, whose answers are cached, as
// kube-apiserver 1.36 does it. Immutable but for its cache; from any thread.
#include <atomic>
#include <memory>
#include <optional>
#include <string>

#include "api/request/roles.h"
#include "auth/authorization/configuration.h"
#include "auth/authorization/review_cache.h"
#include "base/time.h"
#include "http/client.h"
#include "kube/webhook_connection.h"
#include "policy/access_conditions.h"

namespace strake::auth {

class WebhookAuthorizer {
 public:
  using Decision = api::Authorizer::Decision;

  // Opens the connection's files. The clock must outlive it.
  static Result<std::unique_ptr<WebhookAuthorizer>> make(std::string name,
                                                         const AuthorizationWebhook& options,
                                                         const Clock& clock);

  // What is known without asking; nothing when the service must be asked.
  std::optional<Decision> at_once(const api::User& user, const api::RequestInfo& request) const;
  // What it says. It must live until then.
  boost::asio::awaitable<Decision> ask(const api::User& user, const api::RequestInfo& request,
                                       std::shared_ptr<http::Client> client,
                                       CancelToken cancel) const;

  // For tests, which do not wait that long.
  void set_backoff(kube::WebhookConnection::Backoff backoff) { backoff_ = backoff; }

 private:
  WebhookAuthorizer(std::string name, const AuthorizationWebhook& options, const Clock& clock)
      : name_(std::move(name)), options_(options), clock_(clock) {}
  // What the conditions decide by themselves; nothing when they let the question pass.
  std::optional<Decision> by_conditions(const api::User& user,
                                        const api::RequestInfo& request) const;
  Decision failed(std::string why) const;
  void note(bool works, std::string_view why) const;

  std::string name_;
  AuthorizationWebhook options_;
  const Clock& clock_;
  std::shared_ptr<const kube::WebhookConnection> service_;
  policy::AccessConditions conditions_;
  kube::WebhookConnection::Backoff backoff_;
  mutable ReviewCache cache_;
  mutable std::atomic<bool> failing_{false};
};

}  // namespace strake::auth
