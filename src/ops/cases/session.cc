#include "ops/cases/session.h"

#include <fmt/format.h>

#include <algorithm>

#include "provider/install/api_call.h"
#include "provider/names/name_checks.h"

namespace strake::ops {

using provider::FailureClass;
using provider::Outcome;

namespace {

constexpr std::string_view kUserAgent = "kompoxops/kube";

template <typename Role>
Outcome<Role*> role(const std::unique_ptr<Role>& of, std::string_view method,
                    const provider::Driver& driver) {
  if (of == nullptr) return provider::not_implemented(method, driver.id);
  return of.get();
}

}  // namespace

Outcome<provider::ClusterDriver*> ClusterScope::clusters(std::string_view method) const {
  return role(driver.clusters, method, driver);
}

Outcome<provider::DnsDriver*> ClusterScope::dns(std::string_view method) const {
  return role(driver.dns, method, driver);
}

Outcome<provider::VolumeDriver*> ClusterScope::volumes(std::string_view method) const {
  return role(driver.volumes, method, driver);
}

Outcome<provider::NodePoolDriver*> ClusterScope::node_pools(std::string_view method) const {
  return role(driver.node_pools, method, driver);
}

Outcome<ClusterScope> open_cluster(const Session& session, const provider::Cluster& cluster) {
  const provider::ProviderEntity* of = session.store.provider_by_id(cluster.provider_id);
  if (of == nullptr)
    return provider::refuse(FailureClass::kNotFound,
                            "failed to get provider {}: provider not found", cluster.provider_id);
  // A workspace that cannot be found is as one that is not named.
  const provider::Workspace* workspace =
      of->workspace_id.empty() ? nullptr : session.store.workspace_by_id(of->workspace_id);
  STRAKE_TRY(provider::Driver driver, session.drivers.make(workspace, *of, session.environment));
  return ClusterScope{
      .workspace = workspace, .provider = *of, .cluster = cluster, .driver = std::move(driver)};
}

Outcome<AppScope> open_app(const Session& session, const provider::App& app) {
  const provider::Cluster* cluster = session.store.cluster_by_id(app.cluster_id);
  if (cluster == nullptr)
    return provider::refuse(FailureClass::kNotFound, "failed to get cluster {}: cluster not found",
                            app.cluster_id);
  STRAKE_TRY(ClusterScope in, open_cluster(session, *cluster));
  return AppScope{.app = app, .in = std::move(in)};
}

Outcome<provider::KubeNames> AppScope::names(std::string_view component) const {
  return provider::KubeNames::of(
      {.workspace = std::string(in.workspace == nullptr ? provider::kNoWorkspace
                                                        : std::string_view(in.workspace->name)),
       .provider = in.provider.name,
       .cluster = in.cluster.name,
       .app = app.name},
      component);
}

Outcome<const provider::AppVolume*> find_volume(const provider::App& app, std::string_view name) {
  STRAKE_CHECK(provider::in_context("validate volume name", provider::check_volume_name(name)));
  const auto found = std::ranges::find(app.volumes, name, &provider::AppVolume::name);
  if (found == app.volumes.end())
    return provider::refuse(FailureClass::kNotFound, "volume not defined: {}", name);
  return &*found;
}

Outcome<kube::Client> connect(const Session& session, const provider::Call& call,
                              const ClusterScope& scope) {
  STRAKE_CHECK(call.check());
  STRAKE_TRY(provider::ClusterDriver * clusters, scope.clusters("ClusterKubeconfig"));
  STRAKE_TRY(const Secret kubeconfig, clusters->kubeconfig(call, scope.cluster));
  STRAKE_TRY(kube::Access access, kube::access_of_kubeconfig(kubeconfig, {.allow_plugins = false}));
  const kube::Client client(std::move(access),
                            {.user_agent = std::string(kUserAgent), .rate = session.rate});
  return provider::client_for(client, call, session.calls);
}

void tell(const provider::Call& call, std::string_view verb, std::string_view what,
          const provider::Journal::Fields& fields) {
  if (call.dry_run) {
    call.step("plan", fmt::format("{} {}", verb, what), fields);
  } else {
    call.step(verb, what, fields);
  }
}

}  // namespace strake::ops
