#include "auth/authorization/chain.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "policy/evaluation.h"

namespace strake::auth {
namespace {

using Decision = api::Authorizer::Decision;
using Type = AuthorizationConfiguration::Type;

// What those who decided nothing had to say.
class NobodyDecided {
 public:
  void add(Decision decision) {
    if (!decision.reason.empty()) reasons_.push_back(std::move(decision.reason));
    if (!decision.error.empty()) errors_.push_back(std::move(decision.error));
  }
  Decision take() const {
    Decision out{.reason = fmt::format("{}", fmt::join(reasons_, "\n"))};
    if (!errors_.empty()) out.error = policy::join_errors(errors_);
    return out;
  }

 private:
  std::vector<std::string> reasons_;
  std::vector<std::string> errors_;
};

}  // namespace

AuthorizerChain::AuthorizerChain(const api::Authorizer& roles, const async::Loops& loops,
                                 const Clock& clock)
    : roles_(roles),
      clock_(clock),
      client_(std::make_shared<http::Client>(loops, http::ClientOptions())),
      links_(std::make_shared<const Links>()) {}

bool AuthorizerChain::Links::are_passed(const api::User& user,
                                        const api::RequestInfo& request) const {
  return user.in_group("system:masters") || open_paths.allow(request);
}

Result<> AuthorizerChain::use(const AuthorizationConfiguration& configuration) {
  auto links = std::make_shared<Links>();
  links->open_paths = configuration.open_paths;
  for (const auto& one : configuration.authorizers) {
    Link link{.type = one.type, .webhook = nullptr};
    if (one.webhook) {
      STRAKE_TRY(auto made, WebhookAuthorizer::make(one.name, *one.webhook, clock_));
      made->set_backoff(backoff_);
      link.webhook = std::move(made);
    }
    links->in_order.push_back(std::move(link));
  }
  links_.store(std::move(links));
  return {};
}

std::optional<Decision> AuthorizerChain::at_once(const Link& link, const api::User& user,
                                                 const api::RequestInfo& request) const {
  switch (link.type) {
    case Type::kAlwaysAllow: return Decision{.allowed = true};
    // As in kube-apiserver 1.36, it has no opinion rather than a denial.
    case Type::kAlwaysDeny: return Decision{.reason = "Everything is forbidden."};
    case Type::kRbac: return roles_.authorize(user, request);
    case Type::kWebhook: break;
  }
  return link.webhook->at_once(user, request);
}

Decision AuthorizerChain::authorize(const api::User& user, const api::RequestInfo& request) const {
  const std::shared_ptr<const Links> links = links_.load();
  if (links->are_passed(user, request)) return {.allowed = true};
  NobodyDecided rest;
  for (const Link& link : links->in_order) {
    std::optional<Decision> decision = at_once(link, user, request);
    if (!decision) return {.open = true};
    if (decision->allowed || decision->denied) return *std::move(decision);
    rest.add(*std::move(decision));
  }
  return rest.take();
}

boost::asio::awaitable<Decision> AuthorizerChain::ask(api::User user, api::RequestInfo request,
                                                      CancelToken cancel) const {
  const std::shared_ptr<const Links> links = links_.load();
  if (links->are_passed(user, request)) co_return Decision{.allowed = true};
  NobodyDecided rest;
  for (const Link& link : links->in_order) {
    std::optional<Decision> decision = at_once(link, user, request);
    if (!decision) decision = co_await link.webhook->ask(user, request, client_.load(), cancel);
    if (decision->allowed || decision->denied) co_return *std::move(decision);
    rest.add(*std::move(decision));
  }
  co_return rest.take();
}

api::Authorizer::Rules AuthorizerChain::rules_of(const api::User& user,
                                                 std::string_view namespace_name) const {
  Rules out;
  std::vector<std::string> errors;
  const std::shared_ptr<const Links> links = links_.load();
  for (const Link& link : links->in_order) {
    switch (link.type) {
      case Type::kAlwaysDeny: break;
      case Type::kAlwaysAllow:
        out.resource_rules.push_back({.verbs = {"*"}, .api_groups = {"*"}, .resources = {"*"}});
        out.non_resource_rules.push_back({.verbs = {"*"}, .non_resource_urls = {"*"}});
        break;
      case Type::kWebhook:
        out.incomplete = true;
        errors.emplace_back("webhook authorizer does not support user rule resolution");
        break;
      case Type::kRbac: {
        Rules roles = roles_.rules_of(user, namespace_name);
        std::ranges::move(roles.resource_rules, std::back_inserter(out.resource_rules));
        std::ranges::move(roles.non_resource_rules, std::back_inserter(out.non_resource_rules));
        out.incomplete = out.incomplete || roles.incomplete;
        if (!roles.error.empty()) errors.push_back(std::move(roles.error));
        break;
      }
    }
  }
  if (!errors.empty()) out.error = policy::join_errors(errors);
  return out;
}

}  // namespace strake::auth
