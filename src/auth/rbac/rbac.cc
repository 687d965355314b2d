#include "auth/rbac/rbac.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include "auth/rbac/default_roles.h"

namespace strake::auth {

Rbac::Rbac(api::Hub& hub) : roles_(hub), cluster_roles_(hub) {}

async::Task<> Rbac::start(api::Core& core, bool aggregates) {
  escalation_.compare_on(core.workers);
  STRAKE_CO_CHECK(co_await reconcile_default_roles(core));
  if (!aggregates) co_return Result<>();
  const async::Executor executor = co_await boost::asio::this_coro::executor;
  aggregation_ = std::make_unique<RoleAggregation>(core, cluster_roles_, executor);
  boost::asio::co_spawn(executor, aggregate(), boost::asio::detached);
  // admin, edit and view have their rules before the first request.
  static_cast<void>(co_await aggregation_->wait_until_caught_up(Deadline::never(), core.stopping));
  co_return Result<>();
}

boost::asio::awaitable<void> Rbac::aggregate() {
  const async::Gate::Pass pass = running_.enter();
  if (pass) co_await aggregation_->run();
}

async::Task<> Rbac::stop() {
  if (aggregation_) aggregation_->stop();
  co_return co_await running_.close();
}

}  // namespace strake::auth
