#include "provider/local/local_driver.h"

#include "provider/local/clusters.h"
#include "provider/local/dns.h"
#include "provider/local/node_pools.h"
#include "provider/local/volumes.h"

namespace strake::provider::local {

Outcome<Driver> make_driver(const Workspace* workspace, const ProviderEntity& provider,
                            const DriverEnvironment& from, ExternalCalls& calls) {
  STRAKE_TRY(ProviderSettings settings, read_settings(provider, from));
  const std::string owner(workspace == nullptr ? kNoWorkspace : workspace->name);
  const auto site = std::make_shared<const Site>(Site{.names = Names(owner, provider.name),
                                                      .settings = std::move(settings),
                                                      .files = Files(calls),
                                                      .variables = from.variables});
  Driver out;
  out.id = "local";
  out.workspace_name = owner;
  out.provider_name = provider.name;
  out.clusters = make_clusters(site);
  out.dns = make_dns(site);
  out.volumes = make_volumes(site);
  out.node_pools = make_node_pools(site);
  return out;
}

Outcome<Driver> make_driver(const Workspace* workspace, const ProviderEntity& provider,
                            const DriverEnvironment& from) {
  return make_driver(workspace, provider, from, direct_calls());
}

namespace {

Outcome<Driver> make_registered(const Workspace* workspace, const ProviderEntity& provider,
                                const DriverEnvironment& from) {
  return make_driver(workspace, provider, from);
}

}  // namespace
}  // namespace strake::provider::local

STRAKE_REGISTER_DRIVER(local, local::make_registered)
