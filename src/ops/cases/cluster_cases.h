#pragma once
// Clusters: made, given their ingress controller, looked at, and taken away again.
#include <cstdint>
#include <optional>
#include <string>

#include "base/secret.h"
#include "kube/pods/streams.h"
#include "ops/cases/session.h"

namespace strake::ops {

// Each change first asks for the status, so that the cluster's protection is held against what it
// really is: a creation, a change or a deletion. A status that fails is handed up, unless it says
// that there is nothing (kNotFound). Protection fails with kProtected, whatever is forced.

// A cluster with `existing: true` is skipped unless it is forced.
provider::Outcome<> provision_cluster(const Session& session, const provider::Call& call,
                                      const provider::Cluster& cluster,
                                      const provider::ProvisionOptions& options = {});
// Likewise. Fails with kConflict while the ingress controller is installed, forced or not.
provider::Outcome<> deprovision_cluster(const Session& session, const provider::Call& call,
                                        const provider::Cluster& cluster,
                                        const provider::ProvisionOptions& options = {});
// Fails with kConflict while the cluster is not provisioned.
provider::Outcome<> install_cluster(const Session& session, const provider::Call& call,
                                    const provider::Cluster& cluster,
                                    const provider::InstallOptions& options = {});
// There is nothing to do where the cluster is not provisioned.
provider::Outcome<> uninstall_cluster(const Session& session, const provider::Call& call,
                                      const provider::Cluster& cluster,
                                      const provider::InstallOptions& options = {});

// A provider that has nothing of the cluster (kNotFound) means not provisioned.
provider::Outcome<provider::ClusterStatus> cluster_status(const Session& session,
                                                          const provider::Call& call,
                                                          const provider::Cluster& cluster);

provider::Outcome<Secret> cluster_kubeconfig(const Session& session, const provider::Call& call,
                                             const provider::Cluster& cluster);

struct LogOptions {
  bool follow = false;
  std::int64_t tail = 200;     // lines; 0: all
  std::string container = {};  // empty: the first
};

// Of the pod of the ingress controller.
provider::Outcome<> ingress_logs(const Session& session, const provider::Call& call,
                                 const provider::Cluster& cluster, const LogOptions& options,
                                 kube::OutputStream& out);

}  // namespace strake::ops
