#pragma once
// What every verb works with. Made once by the server; outlives all requests.
#include "api/cache/hub.h"
#include "api/request/admission.h"
#include "api/request/converter.h"
#include "api/request/exposure.h"
#include "api/request/namespace_informer.h"
#include "api/request/registry.h"
#include "api/request/roles.h"
#include "api/request/service_allocator.h"
#include "api/request/stream_budget.h"
#include "api/request/tokens.h"
#include "async/workers.h"
#include "base/cancel.h"
#include "base/time.h"
#include "resource/rule_runner.h"

namespace strake::api {

class Connections;
class ServiceProxy;

struct Core {
  Hub& hub;
  Registry& registry;
  NamespaceInformer& namespaces;
  const Clock& clock;
  const resource::RuleRunner& rules;
  async::Workers& workers;
  const Authenticator& authenticator;
  const Authorizer& authorizer;
  StreamBudget& streams;
  // Null where there are no such tokens.
  const TokenReviewer* token_reviewer = nullptr;
  const TokenIssuer* token_issuer = nullptr;
  // To pods and nodes; null where they are not served.
  Connections* connections = nullptr;
  // What callers are shown, where that is not everything.
  const Exposure* exposure = nullptr;
  // The server's own, which it sets; they outlive all requests.
  const Admission* admission = nullptr;
  const Converter* converter = nullptr;
  ServiceAllocator* services = nullptr;
  ServiceProxy* proxy = nullptr;
  CancelToken stopping = {};  // requests that are still under way have had their time
};

}  // namespace strake::api
