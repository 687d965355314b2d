#include "api/filters/authorization.h"

#include "api/request/forbidden.h"

namespace strake::api {

Passage AuthorizationStage::enter(Call& call) {
  const std::optional<RequestInfo> narrowed = request_for_one(call);
  const RequestInfo& asked = narrowed ? *narrowed : call.info;
  const Authorizer::Decision decision = authorizer_.authorize(*call.user, asked);
  if (call.audit) {
    call.audit_annotations.emplace_back("authorization.k8s.io/decision",
                                        decision.allowed ? "allow" : "forbid");
    call.audit_annotations.emplace_back("authorization.k8s.io/reason", decision.reason);
  }
  if (decision.allowed) return {};
  return refuse(forbidden(*call.user, asked, decision.reason));
}

}  // namespace strake::api
