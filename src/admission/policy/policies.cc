#include "admission/policy/policies.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

namespace strake::admission {

Policies::Policies(api::Hub& hub, const api::Authorizer& authorizer)
    : namespaces_(hub),
      mutating_(hub, namespaces_, authorizer),
      validating_(hub, namespaces_, authorizer),
      param_rights_(authorizer),
      policies_(hub) {}

async::Task<> Policies::start(api::Core& core) {
  mutating_.attach(core);
  validating_.attach(core);
  param_rights_.attach(core);
  const async::Executor executor = co_await boost::asio::this_coro::executor;
  types_ = std::make_unique<TypeCheckController>(core, policies_, executor);
  boost::asio::co_spawn(executor, check_types(), boost::asio::detached);
  co_return Result<>();
}

boost::asio::awaitable<void> Policies::check_types() {
  const async::Gate::Pass pass = running_.enter();
  if (pass) co_await types_->run();
}

async::Task<> Policies::stop() {
  if (types_) types_->stop();
  co_return co_await running_.close();
}

}  // namespace strake::admission
