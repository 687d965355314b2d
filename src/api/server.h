#pragma once
// The API over HTTP: assembles the stages, the routes and the controllers. It has no logic of its
// own.
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "api/controllers/controllers.h"
#include "api/filters/pipeline.h"
#include "api/filters/request_log.h"
#include "api/flow_control/flow_control.h"
#include "api/request/core.h"
#include "api/request/deadlines.h"
#include "api/request/in_flight.h"
#include "api/request/remote_documents.h"
#include "api/request/schema_converter.h"
#include "api/request/service_allocator.h"
#include "api/routes/health.h"
#include "api/routes/route.h"
#include "api/verbs/namespace_lifecycle.h"
#include "api/verbs/service_proxy.h"
#include "async/progress.h"
#include "http/server.h"

namespace strake::api {

struct ApiOptions {
  // With fair use the sum is the number of seats that requests share; without it, each is a limit
  // of its own.
  std::size_t max_reads_in_flight = 400;
  std::size_t max_writes_in_flight = 200;
  bool fair_use = true;
  // The default flow schemas and priority levels are kept.
  bool keeps_flow_objects = true;
  std::chrono::seconds request_timeout{60};
  std::string root_ca_pem;  // for clients inside namespaces
  EnabledControllers controllers = {};
  MigrationPace migrations = {};
  // HOST:PORT at which clients reach the server, as /api tells it; empty for where they did.
  std::string advertised_address = {};
  std::string version = "v0.1.0";
  bool anonymous = true;  // requests without credentials are those of system:anonymous
  // Refusals are logged always; what else, if given, which must outlive the server.
  const RequestLogSettings* request_log = nullptr;
  // Asked after the server's own, in this order; they must outlive the server.
  std::vector<const Admission*> admission = {};
  Auditor* auditor = nullptr;  // who keeps the audit log, if anyone; must outlive the server
  // The kinds that run programs are served too, without controllers (kinds/workloads).
  bool workloads = false;
  // What services get their addresses and ports from.
  kinds::ServiceRanges service_ranges = kinds::default_service_ranges();
  // Where endpoints of services are really reached; for tests.
  ServiceProxy::Detour detour = {};
  // What other servers serve beside this one, if any; must outlive the server.
  RemoteDocuments* remote_documents = nullptr;
  // In place of conversion by schemas alone; must outlive the server.
  const Converter* converter = nullptr;
  // Reaches 1 when the default roles are there; null when they are before the first request. Must
  // outlive the server.
  async::Progress* rights = nullptr;
  // Entered before the server's own stages, in this order; they must outlive the server.
  std::vector<Stage*> stages = {};
  // Asked before the server's own routes, in this order; they must outlive the server.
  std::vector<Route*> routes = {};
  // Further checks of /healthz, /livez and /readyz.
  std::vector<Health::Check> health = {};
  // Further families of /metrics, each with HELP and TYPE.
  std::vector<std::function<void(std::string&)>> metrics = {};
};

class ApiServer final : public http::Handler {
 public:
  // Everything given must outlive it.
  ApiServer(Core core, ApiOptions options);

  // Fills the registry and makes the namespaces that are always there: objects of built-in kinds
  // can be made from then on.
  async::Task<> serve();
  // Starts the controllers.
  async::Task<> start();
  // Ends the controllers. Requests have been drained before.
  async::Task<> stop();

  boost::asio::awaitable<http::Response> handle(http::Request request) override;
  bool is_authenticated(const http::Request& head) const override;
  bool wants_stream(const http::Request& head) const override;

  Core& core() { return core_; }
  Deadlines& deadlines() { return deadlines_; }
  FlowControl* flow_control() { return flow_.get(); }  // null without fair use

 private:
  const std::vector<Route*> given_routes_;
  const bool workloads_;
  SchemaConverter converter_;
  NamespaceLifecycle namespaces_;
  AdmissionChain admission_;
  ServiceAllocator services_;
  ServiceProxy proxy_;
  Core core_;
  FlowInformer flow_objects_;
  Controllers controllers_;
  Health health_;
  InFlightCounts in_flight_;
  Deadlines deadlines_;
  std::unique_ptr<FlowControl> flow_;  // null without fair use
  Pipeline pipeline_;
};

}  // namespace strake::api
