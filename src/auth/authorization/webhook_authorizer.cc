#include "auth/authorization/webhook_authorizer.h"

#include "base/log.h"

namespace strake::auth {
namespace {

using Decision = api::Authorizer::Decision;

// Of what whoever asks has chosen: longer questions are not cached, so that nobody fills the memory
// with them.
constexpr std::size_t kMostCachedText = 10'000;

bool is_cached(const api::RequestInfo& request) {
  return request.namespace_name.size() + request.verb.size() + request.group.size() +
             request.version.size() + request.resource.size() + request.subresource.size() +
             request.name.size() + request.path.size() <
         kMostCachedText;
}

Decision decision_of(const AccessReviewStatus& status) {
  Decision out{.allowed = status.allowed && !status.denied,
               .denied = status.denied,
               .reason = status.reason};
  if (status.allowed && status.denied)
    out.error = "webhook subject access review returned both allow and deny response";
  return out;
}

}  // namespace

Result<std::unique_ptr<WebhookAuthorizer>> WebhookAuthorizer::make(
    std::string name, const AuthorizationWebhook& options, const Clock& clock) {
  std::unique_ptr<WebhookAuthorizer> out(new WebhookAuthorizer(std::move(name), options, clock));
  out->service_ = options.service;
  if (!out->service_) {
    STRAKE_TRY(out->service_, kube::WebhookConnection::open(options.kubeconfig));
  }
  for (const std::string& text : options.conditions) {
    if (const std::string fault = out->conditions_.add(text); !fault.empty())
      return fail(Code::kInvalid, "authorizer {}: {}", out->name_, fault);
  }
  return out;
}

Decision WebhookAuthorizer::failed(std::string why) const {
  return {.denied = options_.denies_on_failure, .error = std::move(why)};
}

std::optional<Decision> WebhookAuthorizer::by_conditions(const api::User& user,
                                                         const api::RequestInfo& request) const {
  if (conditions_.empty()) return std::nullopt;
  Arena arena;
  const auto outcome = conditions_.evaluate(access_variable(user, request, arena), arena);
  if (outcome.matches) return std::nullopt;
  return outcome.error.empty() ? Decision() : failed(outcome.error);
}

std::optional<Decision> WebhookAuthorizer::at_once(const api::User& user,
                                                   const api::RequestInfo& request) const {
  if (auto decided = by_conditions(user, request)) return decided;
  const auto known =
      cache_.find(write_access_spec(user, request, options_.version), clock_.steady_now());
  if (!known) return std::nullopt;
  return decision_of(*known);
}

// Said once, until it works again.
void WebhookAuthorizer::note(bool works, std::string_view why) const {
  if (failing_.exchange(!works) == !works) return;
  const log::Logger log = log::get("auth");
  if (works) {
    log.info("an authorization webhook works again", {{"authorizer", name_}});
  } else {
    log.error("an authorization webhook cannot be asked", {{"authorizer", name_}, {"error", why}});
  }
}

boost::asio::awaitable<Decision> WebhookAuthorizer::ask(const api::User& user,
                                                        const api::RequestInfo& request,
                                                        std::shared_ptr<http::Client> client,
                                                        CancelToken cancel) const {
  if (auto decided = by_conditions(user, request)) co_return *std::move(decided);
  std::string spec = write_access_spec(user, request, options_.version);
  if (const auto known = cache_.find(spec, clock_.steady_now())) co_return decision_of(*known);
  auto reply =
      co_await service_->post(std::move(client), write_access_review(spec, options_.version),
                              {.timeout = options_.timeout, .backoff = backoff_, .cancel = cancel});
  std::expected<AccessReviewStatus, std::string> status =
      reply ? read_access_review(*reply, options_.version)
            : std::unexpected(std::move(reply.error().message));
  if (!status) {
    // Whoever gave up says nothing about the service.
    if (!cancel.cancelled()) note(false, status.error());
    co_return failed(std::move(status).error());
  }
  note(true, {});
  const auto ttl = status->allowed ? options_.authorized_ttl : options_.unauthorized_ttl;
  if (ttl.count() > 0 && is_cached(request))
    cache_.add(std::move(spec), *status,
               clock_.steady_now() + std::chrono::duration_cast<SteadyTime::duration>(ttl));
  co_return decision_of(*status);
}

}  // namespace strake::auth
