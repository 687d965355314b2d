#include "ops/cases/cluster_cases.h"

#include "base/quote.h"
#include "kube/pods/logs.h"
#include "ops/cases/pod_choice.h"
#include "ops/protection.h"
#include "provider/install/api_call.h"

namespace strake::ops {

using provider::Call;
using provider::Cluster;
using provider::ClusterStatus;
using provider::FailureClass;
using provider::Outcome;

namespace {

constexpr std::string_view kProvisioning = "provisioning";
constexpr std::string_view kInstallation = "installation";

bool skips_existing(const Call& call, const Cluster& cluster, bool force, std::string_view what) {
  if (!cluster.existing || force) return false;
  call.step("skip", what,
            {{"cluster", cluster.name}, {"reason", "it exists: somebody else has made it"}});
  return true;
}

ClusterOperation change_of(bool there) {
  return there ? ClusterOperation::kUpdate : ClusterOperation::kCreate;
}

}  // namespace

Outcome<ClusterStatus> status_of(const Call& call, const ClusterScope& scope) {
  STRAKE_CHECK(call.check());
  STRAKE_TRY(provider::ClusterDriver * clusters, scope.clusters("ClusterStatus"));
  Outcome<ClusterStatus> status = clusters->status(call, scope.cluster);
  if (status) return status;
  // Nothing else is a first creation: a provider that does not let us in may well have the cluster.
  if (status.error().error_class() != FailureClass::kNotFound)
    return std::unexpected(
        std::move(status).error().prefixed("failed to get the status of the cluster"));
  ClusterStatus nothing;
  nothing.existing = scope.cluster.existing;
  return nothing;
}

Outcome<> provision_cluster(const Session& session, const Call& call, const Cluster& cluster,
                            const provider::ProvisionOptions& options) {
  if (skips_existing(call, cluster, options.force, "provision cluster")) return {};
  STRAKE_TRY(const ClusterScope scope, open_cluster(session, cluster));
  STRAKE_TRY(provider::ClusterDriver * clusters, scope.clusters("ClusterProvision"));
  STRAKE_TRY(const ClusterStatus status, status_of(call, scope));
  STRAKE_CHECK(check_protection(kProvisioning, cluster.protection.provisioning,
                                change_of(status.provisioned)));
  return clusters->provision(call, cluster, options);
}

Outcome<> deprovision_cluster(const Session& session, const Call& call, const Cluster& cluster,
                              const provider::ProvisionOptions& options) {
  if (skips_existing(call, cluster, options.force, "deprovision cluster")) return {};
  STRAKE_CHECK(
      check_protection(kProvisioning, cluster.protection.provisioning, ClusterOperation::kDelete));
  STRAKE_TRY(const ClusterScope scope, open_cluster(session, cluster));
  STRAKE_TRY(provider::ClusterDriver * clusters, scope.clusters("ClusterDeprovision"));
  STRAKE_TRY(const ClusterStatus status, status_of(call, scope));
  if (status.installed)
    return provider::refuse(FailureClass::kConflict,
                            "cluster {} is installed: uninstall it before it is deprovisioned",
                            quote(cluster.name));
  // Also when nothing is provisioned: what was half made is still to be deleted.
  return clusters->deprovision(call, cluster, options);
}

Outcome<> install_cluster(const Session& session, const Call& call, const Cluster& cluster,
                          const provider::InstallOptions& options) {
  STRAKE_TRY(const ClusterScope scope, open_cluster(session, cluster));
  STRAKE_TRY(provider::ClusterDriver * clusters, scope.clusters("ClusterInstall"));
  STRAKE_TRY(const ClusterStatus status, status_of(call, scope));
  STRAKE_CHECK(check_protection(kInstallation, cluster.protection.installation,
                                change_of(status.installed)));
  if (!status.provisioned)
    return provider::refuse(FailureClass::kConflict,
                            "cluster {} is not provisioned: provision it before it is installed",
                            quote(cluster.name));
  return clusters->install(call, cluster, options);
}

Outcome<> uninstall_cluster(const Session& session, const Call& call, const Cluster& cluster,
                            const provider::InstallOptions& options) {
  STRAKE_CHECK(
      check_protection(kInstallation, cluster.protection.installation, ClusterOperation::kDelete));
  STRAKE_TRY(const ClusterScope scope, open_cluster(session, cluster));
  STRAKE_TRY(provider::ClusterDriver * clusters, scope.clusters("ClusterUninstall"));
  STRAKE_TRY(const ClusterStatus status, status_of(call, scope));
  if (!status.provisioned) {
    call.step("skip", "uninstall cluster",
              {{"cluster", cluster.name}, {"reason", "it is not provisioned"}});
    return {};
  }
  // Also when it is not installed: what was half made is still to be deleted.
  return clusters->uninstall(call, cluster, options);
}

Outcome<ClusterStatus> cluster_status(const Session& session, const Call& call,
                                      const Cluster& cluster) {
  STRAKE_TRY(const ClusterScope scope, open_cluster(session, cluster));
  return status_of(call, scope);
}

Outcome<Secret> cluster_kubeconfig(const Session& session, const Call& call,
                                   const Cluster& cluster) {
  STRAKE_CHECK(call.check());
  STRAKE_TRY(const ClusterScope scope, open_cluster(session, cluster));
  STRAKE_TRY(provider::ClusterDriver * clusters, scope.clusters("ClusterKubeconfig"));
  return clusters->kubeconfig(call, cluster);
}

Outcome<> ingress_logs(const Session& session, const Call& call, const Cluster& cluster,
                       const LogOptions& options, kube::OutputStream& out) {
  STRAKE_TRY(const ClusterScope scope, open_cluster(session, cluster));
  STRAKE_TRY(const kube::Client client, connect(session, call, scope));
  kube::Objects objects(client);
  STRAKE_TRY(const ChosenPod pod, choose_pod(objects, provider::ingress_namespace(cluster),
                                             "app.kubernetes.io/name=traefik", options.container));
  return provider::of_api(kube::read_log(client, log_request(pod, options), out));
}

}  // namespace strake::ops
