#pragma once
// The controllers of a server: started, stopped and watched together.
#include <memory>
#include <string>

#include "api/controllers/crd_controller.h"
#include "api/controllers/enabled_controllers.h"
#include "api/controllers/flow_controller.h"
#include "api/controllers/garbage_collector.h"
#include "api/controllers/namespace_controller.h"
#include "api/controllers/storage_version_migrator.h"
#include "api/request/core.h"
#include "async/gate.h"
#include "kinds/custom_resource_strategy.h"

namespace strake::api {

class Controllers {
 public:
  // The flow schemas and priority levels, which must outlive the controllers; null when nobody
  // keeps them.
  struct FlowObjects {
    FlowInformer* objects = nullptr;
    bool tells_dangling = true;
  };
  // `root_ca` is the certificate that clients inside namespaces trust. The core must outlive the
  // controllers.
  Controllers(Core& core, std::string root_ca, EnabledControllers enabled, MigrationPace pace,
              FlowObjects flow);

  // Starts the controllers, and returns when the
  // definitions that were there before are served.
  // The namespaces that are always there; before start().
  async::Task<> make_namespaces();
  async::Task<> start();
  async::Task<> stop();
  // Fail until the controller has begun, and while it is down. One that is turned off is fine.
  Result<> definitions_health() const;
  Result<> namespaces_health() const;

  // Returns when every definition written so far is served, or after a short while.
  boost::asio::awaitable<void> wait_until_served();
  // Whether there is a definition of the resource, served or not.
  bool is_defined(std::string_view group, std::string_view plural) const;

 private:
  boost::asio::awaitable<void> run(Controller& controller);
  boost::asio::awaitable<void> collect_garbage();

  Core& core_;
  std::string root_ca_;
  EnabledControllers enabled_;
  const MigrationPace pace_;
  FlowObjects flow_objects_;
  kinds::CustomResourceStrategy custom_resources_;
  DefinitionInformer definitions_;
  std::unique_ptr<CrdController> crds_;
  std::unique_ptr<NamespaceController> namespaces_;
  std::unique_ptr<FlowController> flow_;
  std::unique_ptr<GarbageCollector> garbage_;
  MigrationInformer migrations_;
  std::unique_ptr<StorageVersionMigrator> migrator_;
  async::Gate running_;
};

}  // namespace strake::api
