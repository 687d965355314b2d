#pragma once
// What every verb works with. Made once by the server; outlives all requests.
#include "api/hub.h"
#include "api/registry.h"
#include "api/roles.h"
#include "async/workers.h"
#include "base/time.h"
#include "resource/rule_runner.h"

namespace strake::api {

struct Core {
  Hub& hub;
  Registry& registry;
  const Clock& clock;
  const resource::RuleRunner& rules;
  async::Workers& workers;
  const Authenticator& authenticator;
  const Authorizer& authorizer;
};

}  // namespace strake::api
