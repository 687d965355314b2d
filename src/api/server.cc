#include "api/server.h"

#include <algorithm>

#include "api/controllers/crd_strategy.h"
#include "api/filters/audit.h"
#include "api/filters/audit_events.h"
#include "api/filters/authentication.h"
#include "api/filters/authorization.h"
#include "api/filters/cache_control.h"
#include "api/filters/deadline.h"
#include "api/filters/exposure.h"
#include "api/filters/fairness.h"
#include "api/filters/impersonation.h"
#include "api/filters/in_flight.h"
#include "api/filters/request_info.h"
#include "api/filters/rights_at_start.h"
#include "api/filters/warnings.h"
#include "api/routes/documents_route.h"
#include "api/routes/flow_dumps.h"
#include "api/routes/issuer_documents.h"
#include "api/routes/operators.h"
#include "api/routes/resources.h"
#include "api/routes/stored_versions.h"
#include "api/verbs/forward.h"
#include "kinds/workloads/workload_resources.h"

namespace strake::api {
namespace {

// One that belongs to somebody else.
class GivenStage final : public Stage {
 public:
  explicit GivenStage(Stage& stage) : stage_(stage) {}
  Passage enter(Call& call) override { return stage_.enter(call); }
  void reword(Call& call, meta::Status& status) override { stage_.reword(call, status); }
  void leave(Call& call, http::Response& response) override { stage_.leave(call, response); }

 private:
  Stage& stage_;
};

// A response passes them from the last to the first, so that what stands first sees every response.
std::vector<std::unique_ptr<Stage>> make_stages(Core& core, const ApiOptions& options,
                                                InFlightCounts& in_flight, Deadlines& deadlines,
                                                FlowControl* flow) {
  static const RequestLogSettings kRefusalsOnly;
  std::vector<std::unique_ptr<Stage>> out;
  for (Stage* stage : options.stages) out.push_back(std::make_unique<GivenStage>(*stage));
  out.push_back(std::make_unique<AuditStage>(options.request_log != nullptr ? *options.request_log
                                                                            : kRefusalsOnly));
  out.push_back(std::make_unique<CacheControlStage>());
  out.push_back(std::make_unique<WarningStage>());
  out.push_back(std::make_unique<RequestInfoStage>());
  out.push_back(std::make_unique<DeadlineStage>(options.request_timeout, deadlines, core.clock));
  if (options.auditor != nullptr) out.push_back(std::make_unique<AuditEndStage>(*options.auditor));
  out.push_back(std::make_unique<AuthenticationStage>(core.authenticator, options.anonymous));
  if (options.auditor != nullptr)
    out.push_back(std::make_unique<AuditBeginStage>(*options.auditor, core));
  if (options.rights != nullptr)
    out.push_back(std::make_unique<RightsAtStartStage>(*options.rights));
  out.push_back(std::make_unique<ImpersonationStage>(core.authorizer));
  if (flow != nullptr) {
    out.push_back(std::make_unique<FairnessStage>(*flow, in_flight, core.registry));
  } else {
    out.push_back(std::make_unique<InFlightStage>(
        InFlightStage::Limits{.reads = options.max_reads_in_flight,
                              .writes = options.max_writes_in_flight},
        in_flight, core.registry));
  }
  out.push_back(std::make_unique<AuthorizationStage>(core.authorizer));
  if (core.exposure != nullptr) out.push_back(std::make_unique<ExposureStage>(*core.exposure));
  return out;
}

// One that belongs to somebody else.
class GivenRoute final : public Route {
 public:
  explicit GivenRoute(Route& route) : route_(route) {}
  bool takes(const Call& call) const override { return route_.takes(call); }
  AnswerTask<http::Response> answer(std::shared_ptr<Call> call) override {
    return route_.answer(std::move(call));
  }

 private:
  Route& route_;
};

std::vector<std::unique_ptr<Route>> make_routes(Core& core, const ApiOptions& options,
                                                Controllers& controllers, const Health& health,
                                                const InFlightCounts& in_flight,
                                                const FlowControl* flow) {
  std::vector<std::unique_ptr<Route>> out;
  std::vector<OperatorsRoute::WriteMetrics> metrics = options.metrics;
  if (flow != nullptr) {
    metrics.emplace_back([flow](std::string& page) { flow->write_metrics(page); });
    out.push_back(std::make_unique<FlowDumpsRoute>(*flow));
  }
  for (Route* route : options.routes) out.push_back(std::make_unique<GivenRoute>(*route));
  out.push_back(std::make_unique<ResourcesRoute>(core, controllers, options.workloads));
  out.push_back(std::make_unique<OperatorsRoute>(core, health, in_flight, options.version,
                                                 std::move(metrics)));
  out.push_back(std::make_unique<StoredVersionsRoute>(core));
  out.push_back(std::make_unique<IssuerDocumentsRoute>(core.token_issuer));
  if (core.exposure != nullptr) {
    out.push_back(
        std::make_unique<DocumentsRoute>(core, options.advertised_address, nullptr, core.exposure));
  }
  out.push_back(
      std::make_unique<DocumentsRoute>(core, options.advertised_address, options.remote_documents));
  return out;
}

std::vector<const Admission*> in_order(std::vector<const Admission*> own,
                                       const std::vector<const Admission*>& others) {
  own.insert(own.end(), others.begin(), others.end());
  return own;
}

std::unique_ptr<FlowControl> make_flow(const Core& core, FlowInformer& objects,
                                       Deadlines& deadlines, const ApiOptions& options) {
  if (!options.fair_use) return nullptr;
  const std::size_t seats = options.max_reads_in_flight + options.max_writes_in_flight;
  return std::make_unique<FlowControl>(objects, core.registry, core.clock, deadlines,
                                       static_cast<int>(seats), options.request_timeout);
}

Core complete(Core core, const Admission& admission, const Converter& converter,
              ServiceAllocator& services, ServiceProxy& proxy) {
  core.admission = &admission;
  core.converter = &converter;
  core.services = &services;
  core.proxy = &proxy;
  return core;
}

}  // namespace

ApiServer::ApiServer(Core core, ApiOptions options)
    : given_routes_(options.routes),
      workloads_(options.workloads),
      namespaces_(core.namespaces),
      admission_(in_order({&namespaces_}, options.admission)),
      services_(core.hub, options.service_ranges),
      proxy_(core.hub, options.detour),
      core_(complete(core, admission_,
                     options.converter != nullptr ? *options.converter : converter_, services_,
                     proxy_)),
      flow_objects_(core_.hub),
      controllers_(core_, options.root_ca_pem, options.controllers, options.migrations,
                   {.objects = options.keeps_flow_objects ? &flow_objects_ : nullptr,
                    .tells_dangling = options.fair_use}),
      deadlines_(core_.clock),
      flow_(make_flow(core_, flow_objects_, deadlines_, options)),
      pipeline_(make_stages(core_, options, in_flight_, deadlines_, flow_control()),
                make_routes(core_, options, controllers_, health_, in_flight_, flow_control())) {
  health_.add({"ping", [] { return Result<>(); }});
  health_.add({"log", [] { return Result<>(); }});
  health_.add({"etcd", [this]() -> Result<> {
                 STRAKE_CHECK(core_.hub.store().health());
                 return core_.hub.health();
               }});
  health_.add(
      {"poststarthook/crd-informer-synced", [this] { return controllers_.definitions_health(); }});
  health_.add({"poststarthook/start-namespace-controller",
               [this] { return controllers_.namespaces_health(); }});
  for (Health::Check& check : options.health) health_.add(std::move(check));
}

async::Task<> ApiServer::serve() {
  std::vector<EndpointPtr> endpoints;
  const auto serve = [&](const std::vector<kinds::ResourcePtr>& resources) {
    for (const kinds::ResourcePtr& resource : resources) {
      const kinds::Strategy& strategy = resource->strategy ? *resource->strategy : crd_strategy();
      endpoints.push_back(std::make_shared<const Endpoint>(
          resource, strategy, *core_.converter, core_.hub.cache(resource->storage_prefix), 0, 0));
    }
  };
  serve(kinds::builtin_resources());
  if (workloads_) serve(kinds::workload_resources());
  core_.registry.put_all(std::move(endpoints));
  co_return co_await controllers_.make_namespaces();
}

async::Task<> ApiServer::start() {
  deadlines_.start(co_await boost::asio::this_coro::executor);
  if (flow_) flow_->start(co_await boost::asio::this_coro::executor);
  co_return co_await controllers_.start();
}

async::Task<> ApiServer::stop() {
  if (flow_) flow_->stop();
  deadlines_.stop();
  proxy_.close();
  co_return co_await controllers_.stop();
}

bool ApiServer::is_authenticated(const http::Request& head) const {
  return has_good_credentials(core_.authenticator, head);
}

bool ApiServer::wants_stream(const http::Request& head) const {
  return may_be_proxied(head) || std::ranges::any_of(given_routes_, [&](const Route* route) {
           return route->wants_stream(head);
         });
}

boost::asio::awaitable<http::Response> ApiServer::handle(http::Request request) {
  auto call = std::make_shared<Call>();
  call->request = std::move(request);
  call->now = core_.clock.now();
  call->stopping = core_.stopping;
  return pipeline_.run(std::move(call));
}

}  // namespace strake::api
