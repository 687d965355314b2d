#include "api/filters/authorization.h"

#include <fmt/format.h>

#include "api/request/forbidden.h"
#include "base/quote.h"

namespace strake::api {
namespace {

// What net/http answers with when an authorizer could not decide: no Status.
http::Response internal_error(const Call& call, std::string_view why) {
  const std::string uri = call.request.query.empty()
                              ? call.request.path
                              : fmt::format("{}?{}", call.request.path, call.request.query);
  http::Response out;
  out.status = 500;
  out.headers.add("Content-Type", "text/plain; charset=utf-8");
  out.headers.add("X-Content-Type-Options", "nosniff");
  out.body.emplace_back(
      html_escaped(fmt::format("Internal Server Error: {}: {}", quote(uri), why)) + "\n");
  return out;
}

}  // namespace

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
    return internal_error(call, decision.error);
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
