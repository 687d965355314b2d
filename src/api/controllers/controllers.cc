#include "api/controllers/controllers.h"

#include <fmt/format.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include "kinds/nodes/resources.h"

namespace strake::api {
namespace {

constexpr std::chrono::seconds kServedWithin{2};

}  // namespace

Controllers::Controllers(Core& core, std::string root_ca, EnabledControllers enabled,
                         MigrationPace pace, FlowObjects flow)
    : core_(core),
      root_ca_(enabled.has(kRootCaPublisher) ? std::move(root_ca) : std::string()),
      enabled_(std::move(enabled)),
      pace_(pace),
      flow_objects_(flow),
      custom_resources_(&core.rules),
      definitions_(core.hub),
      migrations_(core.hub) {}

async::Task<> Controllers::make_namespaces() {
  std::vector<std::string_view> namespaces = {"default", "kube-system", "kube-public"};
  if (core_.registry.find("", "nodes")) namespaces.push_back("kube-node-lease");
  for (const std::string_view name : namespaces) {
    co_await ensure_object(
        core_, "", "namespaces", "",
        fmt::format(R"({{"apiVersion":"v1","kind":"Namespace","metadata":{{"name":"{}"}}}})",
                    name));
  }
  co_return Result<>();
}

async::Task<> Controllers::start() {
  for (std::string& one : kinds::system_priority_classes())
    co_await ensure_object(core_, "scheduling.k8s.io", "priorityclasses", "", std::move(one));
  const async::Executor executor = co_await boost::asio::this_coro::executor;
  crds_ = std::make_unique<CrdController>(core_, definitions_, custom_resources_, executor);
  namespaces_ = std::make_unique<NamespaceController>(
      core_,
      NamespaceController::Duties{.default_account = enabled_.has(kServiceAccountController),
                                  .root_ca = root_ca_,
                                  .empties = enabled_.has(kNamespaceController)},
      executor);
  if (flow_objects_.objects != nullptr) {
    flow_ = std::make_unique<FlowController>(core_, *flow_objects_.objects,
                                             flow_objects_.tells_dangling, executor);
    co_await flow_->restore_all();
    boost::asio::co_spawn(executor, run(*flow_), boost::asio::detached);
  }
  boost::asio::co_spawn(executor, run(*crds_), boost::asio::detached);
  // Definitions that were there before are served from the first request on. Whoever empties
  // namespaces, or collects what lost its owners, must know all resources that there are.
  static_cast<void>(co_await crds_->wait_until_caught_up(Deadline::never(), core_.stopping));
  boost::asio::co_spawn(executor, run(*namespaces_), boost::asio::detached);
  if (enabled_.has(kGarbageCollector)) {
    garbage_ = std::make_unique<GarbageCollector>(core_, executor);
    boost::asio::co_spawn(executor, collect_garbage(), boost::asio::detached);
  }
  if (enabled_.has(kStorageVersionMigrator)) {
    migrator_ = std::make_unique<StorageVersionMigrator>(core_, migrations_, pace_, executor);
    boost::asio::co_spawn(executor, run(*migrator_), boost::asio::detached);
  }
  co_return Result<>();
}

async::Task<> Controllers::stop() {
  if (garbage_) garbage_->stop();
  if (crds_) crds_->stop();
  if (namespaces_) namespaces_->stop();
  if (migrator_) migrator_->stop();
  if (flow_) flow_->stop();
  co_return co_await running_.close();
}

Result<> Controllers::definitions_health() const {
  if (!crds_ || !crds_->has_begun()) return fail(Code::kServiceUnavailable, "not finished");
  return crds_->health();
}

Result<> Controllers::namespaces_health() const {
  if (!namespaces_) return fail(Code::kServiceUnavailable, "not finished");
  return namespaces_->health();
}

boost::asio::awaitable<void> Controllers::wait_until_served() {
  if (crds_)
    static_cast<void>(co_await crds_->wait_until_caught_up(Deadline::after(kServedWithin)));
}

bool Controllers::is_defined(std::string_view group, std::string_view plural) const {
  const std::string& prefix = definitions_.prefixes().front();
  return core_.hub.cache(prefix).get(fmt::format("{}{}.{}", prefix, plural, group)) != nullptr;
}

boost::asio::awaitable<void> Controllers::run(Controller& controller) {
  const async::Gate::Pass pass = running_.enter();
  co_await controller.run();
}

boost::asio::awaitable<void> Controllers::collect_garbage() {
  const async::Gate::Pass pass = running_.enter();
  static_cast<void>(co_await garbage_->run());
}

}  // namespace strake::api
