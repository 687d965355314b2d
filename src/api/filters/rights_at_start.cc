#include "api/filters/rights_at_start.h"

#include <algorithm>

namespace strake::api {
namespace {

bool needs_no_roles(const Call& call) {
  if (!call.user->in_group("system:masters")) return false;
  constexpr std::string_view kAsAnother = "impersonate-";
  const auto as_another = [&](const http::Header& one) {
    return http::equals_ignoring_case(std::string_view(one.name).substr(0, kAsAnother.size()),
                                      kAsAnother);
  };
  if (std::ranges::any_of(call.request.headers.all(), as_another)) return false;
  if (!call.info.is_resource) return false;
  return call.info.group != "rbac.authorization.k8s.io" &&
         call.info.group != "authorization.k8s.io";
}

}  // namespace

Passage RightsAtStartStage::enter(Call& call) {
  if (made_.reached() > 0 || needs_no_roles(call)) return {};
  return wait(call);
}

boost::asio::awaitable<Passage::Outcome> RightsAtStartStage::wait(Call& call) {
  const WaitCancel cancel(call);
  const Result<bool> made = co_await made_.wait_for(1, Deadline::never(), cancel.token());
  if (made && *made) co_return std::nullopt;
  co_return refuse(made ? meta::Status::service_unavailable("the server is starting")
                        : Call::cancelled());
}

}  // namespace strake::api
