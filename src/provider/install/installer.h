#pragma once
// What a driver has done to the inside of a cluster: the namespace of its ingress controller, the
// controller itself, and manifests of the driver's own. Everything is an "ensure": what is so
// already is not sent, what is absent is deleted. Calls block.
//
//   STRAKE_TRY(Installer installer, Installer::connect(kubeconfig, {}, calls));
//   STRAKE_CHECK(installer.ensure_ingress_namespace(call, cluster));
//   STRAKE_CHECK(installer.ensure_ingress_account(call, cluster, annotations));
//   STRAKE_CHECK(installer.install_ingress(call, cluster, {.edit = edit}));
#include <chrono>
#include <map>
#include <string>
#include <string_view>

#include "base/secret.h"
#include "kube/client.h"
#include "provider/external.h"
#include "provider/install/ingress_values.h"

namespace strake::provider {

struct InstallerOptions {
  // Something in the cluster runs Deployments. Without it they never become ready, and are not
  // waited for.
  bool runs_workloads = true;
  std::chrono::nanoseconds ready_within = std::chrono::minutes(5);
  std::chrono::nanoseconds gone_within = std::chrono::minutes(5);
  std::string field_manager = "kompoxops";
};

struct IngressInstall {
  EditIngress edit = {};
  bool force = false;  // sends what is so already too
};

struct IngressState {
  bool installed = false;  // its namespace and its Service are there
  std::string ip;          // of the first entry of its load balancer; empty when not known
  std::string hostname;
};

class Installer {
 public:
  // Asks nobody yet. Fails with kValidation for a kubeconfig that cannot be used, and with
  // kNotImplemented for one whose credentials come from a program.
  static Outcome<Installer> connect(const Secret& kubeconfig, InstallerOptions options,
                                    ExternalCalls& calls);
  // `calls` must outlive it.
  Installer(kube::Client cluster, InstallerOptions options, ExternalCalls& calls);

  Outcome<> ensure_ingress_namespace(const Call& call, const Cluster& cluster);
  // Of the controller's pods, with these annotations added to what it has.
  Outcome<> ensure_ingress_account(const Call& call, const Cluster& cluster,
                                   const std::map<std::string, std::string>& annotations);
  // A YAML stream. Objects without a namespace go to this one.
  Outcome<> apply_yaml(const Call& call, std::string_view yaml, const std::string& namespace_name);
  // Waits until it is gone with all that is in it.
  Outcome<> delete_ingress_namespace(const Call& call, const Cluster& cluster);

  // Waits until it is ready. When that fails, it puts back what was there before; not when the call
  // is over (kCanceled, kTimeout), where the next one goes on from there.
  Outcome<> install_ingress(const Call& call, const Cluster& cluster, const IngressInstall& how);
  // Deletes what it can, and fails with what it could not.
  Outcome<> uninstall_ingress(const Call& call, const Cluster& cluster);
  // An API that does not answer, or does not let us in, is told as not installed.
  Outcome<IngressState> ingress_state(const Call& call, const Cluster& cluster);

 private:
  kube::Client cluster_;
  InstallerOptions options_;
  ExternalCalls* calls_;
};

}  // namespace strake::provider
