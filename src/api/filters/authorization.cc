#include "api/filters/authorization.h"

#include "api/request/forbidden.h"
#include "api/verbs/respond.h"

namespace strake::api {
Passage AuthorizationStage::enter(Call& call) {
  const std::optional<RequestInfo> narrowed = request_for_one(call);
  const RequestInfo& asked = narrowed ? *narrowed : call.info;
  const Authorizer::Decision decision = authorizer_.authorize(*call.user, asked);
  if (decision.open) return wait(call, asked);
  return judge(call, asked, decision);
}

boost::asio::awaitable<Passage::Outcome> AuthorizationStage::wait(Call& call, RequestInfo asked) {
  const WaitCancel cancel(call);
  const Authorizer::Decision decision = co_await authorizer_.ask(*call.user, asked, cancel.token());
  Passage passage = judge(call, asked, decision);
  auto end = passage.take_end();
  if (!end) co_return std::nullopt;
  if (!*end) co_return refuse(std::move(*end).error());
  co_return **std::move(end);
}

Passage AuthorizationStage::judge(Call& call, const RequestInfo& asked,
                                  const Authorizer::Decision& decision) {
  if (!decision.allowed && !decision.error.empty()) {
    if (call.audit)
      call.audit_annotations.emplace_back("authorization.k8s.io/reason", "internal error");
    return internal_error_page(call, decision.error);
  }
  if (call.audit) {
    call.audit_annotations.emplace_back("authorization.k8s.io/decision",
                                        decision.allowed ? "allow" : "forbid");
    call.audit_annotations.emplace_back("authorization.k8s.io/reason", decision.reason);
  }
  if (decision.allowed) return {};
  return refuse(forbidden(*call.user, asked, decision.reason));
}

}  // namespace strake::api
