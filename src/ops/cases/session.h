#pragma once
// What every use case works with: the declared objects, the drivers, and the way to a cluster's
// API. A session keeps nothing between calls: a driver is made for each, so any thread may run any
// use case. All of them block, hear the call's cancellation, tell what they do through its journal,
// and with call.dry_run change nothing ("plan" is told for what would be done, "skip" for what is
// so already). Each may be killed anywhere and run again.
#include <optional>
#include <string>
#include <string_view>

#include "kube/client.h"
#include "ops/kom/store.h"
#include "provider/external.h"
#include "provider/names/kube_names.h"
#include "provider/registry.h"

namespace strake::ops {

// What it refers to must outlive it. The store may be one that a controller filled for one object.
struct Session {
  const Store& store;
  const provider::Registry& drivers;
  // Its variables are also those of Compose documents.
  const provider::DriverEnvironment& environment;
  // Requests that the use cases themselves make pass here; drivers have a seam of their own.
  provider::ExternalCalls& calls = provider::direct_calls();
  std::optional<kube::RateLimit> rate =
      kube::kOperatorRate;  // of these requests; nothing: no limit
};

// A cluster with all that is declared above it, and a driver for one call.
struct ClusterScope {
  const provider::Workspace* workspace = nullptr;  // null: not declared, or it could not be found
  const provider::ProviderEntity& provider;
  const provider::Cluster& cluster;
  provider::Driver driver;

  // A role that the provider lacks fails with kNotImplemented: "<method> is not implemented for
  // <driver> provider".
  provider::Outcome<provider::ClusterDriver*> clusters(std::string_view method) const;
  provider::Outcome<provider::DnsDriver*> dns(std::string_view method) const;
  provider::Outcome<provider::VolumeDriver*> volumes(std::string_view method) const;
  provider::Outcome<provider::NodePoolDriver*> node_pools(std::string_view method) const;
};

// Fails with `failed to get provider <id>: ...`, `unknown provider driver: ...` or `failed to
// create driver <driver>: ...`.
provider::Outcome<ClusterScope> open_cluster(const Session& session,
                                             const provider::Cluster& cluster);

struct AppScope {
  const provider::App& app;
  ClusterScope in;

  // Names of a component in Kubernetes. Fails with kValidation.
  provider::Outcome<provider::KubeNames> names(
      std::string_view component = provider::kAppComponent) const;
};

// Also fails with kNotFound: `failed to get cluster <id>: ...`.
provider::Outcome<AppScope> open_app(const Session& session, const provider::App& app);

// The volume of that name. Fails with kValidation for a name that none may have (`validate volume
// name: ...`), and with kNotFound: `volume not defined: <name>`.
provider::Outcome<const provider::AppVolume*> find_volume(const provider::App& app,
                                                          std::string_view name);

// The API of a cluster, for this call: requests hear its cancellation and pass session.calls. Asks
// the driver for the kubeconfig, and the API for nothing yet.
provider::Outcome<kube::Client> connect(const Session& session, const provider::Call& call,
                                        const ClusterScope& scope);

// In a dry run step("plan", "<verb> <what>"), else step(verb, what).
void tell(const provider::Call& call, std::string_view verb, std::string_view what,
          const provider::Journal::Fields& fields = {});

inline constexpr std::string_view kFieldManager = "kompoxops";

}  // namespace strake::ops
