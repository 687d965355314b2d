#pragma once
// Apps: checked, deployed, looked at (component.h) and taken away.
#include <chrono>
#include <string>
#include <vector>

#include "ops/cases/component.h"
#include "ops/cases/disk_cases.h"
#include "ops/cases/dns_cases.h"
#include "ops/compose/review.h"

namespace strake::ops {

// Everything that stands in the way of a deploy, the normalised Compose document and the manifest.
// Fails only when it could not find out; whether the app is valid is Review::check_valid().
provider::Outcome<compose::Review> validate_app(
    const Session& session, const provider::Call& call, const provider::App& app,
    std::string_view component = provider::kAppComponent);

struct DeployOptions {
  bool bootstrap_disks = false;
  bool update_dns = false;
  // How long to wait for the Deployment, where something in the cluster runs Deployments. 0: not at
  // all.
  std::chrono::nanoseconds ready_within = std::chrono::minutes(5);
};

struct DeployReport {
  std::vector<compose::Issue> issues;
  std::vector<provider::Disk> disks;  // that were made
  std::vector<DnsResult> dns;
  std::size_t created = 0;  // objects in the cluster
  std::size_t updated = 0;
  std::size_t unchanged = 0;
  std::size_t pruned = 0;
};
// Disks when asked for; then the app is reviewed, and refused on any warning or error (each is told
// as a warning); then all objects are applied in order, headless Services that nobody wants any
// more are deleted, the hash of what the pods refer to is set, and DNS is updated when asked for.
// In a dry run of an app whose disks are still to be made, what would be applied is told without
// them.
provider::Outcome<DeployReport> deploy_app(const Session& session, const provider::Call& call,
                                           const provider::App& app,
                                           const DeployOptions& options = {});

struct DestroyOptions {
  bool delete_namespace = false;  // and waits until it is gone
  bool update_dns = false;        // before all else, from the hosts that are there
};
struct DestroyReport {
  std::vector<DnsResult> dns;
  std::size_t deleted = 0;
};
// Everything in the cluster that carries the labels of this app in this cluster, boxes included:
// Ingresses, Services, Deployments, claims, PersistentVolumes, and all else but the namespace.
// Disks are the provider's, and stay. Goes on after a failure to delete, and fails with the first
// in the end. Nothing to do where the cluster is not provisioned.
provider::Outcome<DestroyReport> destroy_app(const Session& session, const provider::Call& call,
                                             const provider::App& app,
                                             const DestroyOptions& options = {});

}  // namespace strake::ops
