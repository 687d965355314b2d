#pragma once
// The driver contract, by roles. A driver owns what is the provider's alone; what is spoken to the
// Kubernetes API goes through provider/install and kube. It keeps no state: each value is asked of
// the provider or computed from declared names (provider/names). Every change is an "ensure": a
// second run finds it done and writes nothing, an object that is there already is no error, and a
// delete of what is not there succeeds. Calls block, and hear cancellation at every external call.
//
// Dry runs (call.dry_run) tell what would be done by call.step("plan", ...), and change nothing.
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/secret.h"
#include "provider/call.h"
#include "provider/model/cluster.h"
#include "provider/model/dns.h"
#include "provider/model/node_pool.h"
#include "provider/model/volume.h"

namespace strake::provider {

struct ProvisionOptions {
  bool force = false;  // does the work again even when it is done
};
struct InstallOptions {
  bool force = false;
};

class ClusterDriver {
 public:
  virtual ~ClusterDriver() = default;
  // The provider's side alone. Settings that are missing are told before anything is done.
  virtual Outcome<> provision(const Call& call, const Cluster& cluster,
                              const ProvisionOptions& options) = 0;
  virtual Outcome<> deprovision(const Call& call, const Cluster& cluster,
                                const ProvisionOptions& options) = 0;
  // A Kubernetes API that cannot be reached, or does not let us in, means `installed == false`. Any
  // other failure of the provider is a failure, not "not provisioned".
  virtual Outcome<ClusterStatus> status(const Call& call, const Cluster& cluster) = 0;
  virtual Outcome<> install(const Call& call, const Cluster& cluster,
                            const InstallOptions& options) = 0;
  virtual Outcome<> uninstall(const Call& call, const Cluster& cluster,
                              const InstallOptions& options) = 0;
  // The text of an administrator's kubeconfig. Never written to a file by a driver.
  virtual Outcome<Secret> kubeconfig(const Call& call, const Cluster& cluster) = 0;
};

struct DnsApplyOptions {
  std::string zone_hint;  // id or name of the zone
  bool strict = false;    // failed writes fail the call; otherwise they are warnings
  bool dry_run = false;
};

class DnsDriver {
 public:
  virtual ~DnsDriver() = default;
  // Input that makes no sense, and cancellation, fail it whatever the options say.
  virtual Outcome<> apply(const Call& call, const Cluster& cluster, const DnsRecordSet& records,
                          const DnsApplyOptions& options) = 0;
};

struct DiskCreateOptions {
  bool force = false;
  std::string zone;
  OptionMap options;  // over those of the volume
};
struct VolumeOptions {
  bool force = false;
};

// Whose volume it is.
struct VolumeOf {
  const Cluster& cluster;
  const App& app;
  const AppVolume& volume;
};

class VolumeDriver {
 public:
  virtual ~VolumeDriver() = default;
  // Newest first, then by name; none when there is nothing yet.
  virtual Outcome<std::vector<Disk>> list_disks(const Call& call, const VolumeOf& of) = 0;
  // `name` empty: a compact ID. The first disk of a volume is assigned, later ones are not; other
  // disks stay as they are. `source` is "[disk:|snapshot:]name" or the provider's own id; empty: a
  // blank disk. Fails with kConflict when there is one of that name.
  virtual Outcome<Disk> create_disk(const Call& call, const VolumeOf& of, std::string name,
                                    std::string source, const DiskCreateOptions& options) = 0;
  virtual Outcome<> delete_disk(const Call& call, const VolumeOf& of, const std::string& name,
                                const VolumeOptions& options) = 0;
  // That one, and no other. Fails with kNotFound.
  virtual Outcome<> assign_disk(const Call& call, const VolumeOf& of, const std::string& name,
                                const VolumeOptions& options) = 0;

  virtual Outcome<std::vector<Snapshot>> list_snapshots(const Call& call, const VolumeOf& of) = 0;
  // `source` empty: the assigned disk.
  virtual Outcome<Snapshot> create_snapshot(const Call& call, const VolumeOf& of, std::string name,
                                            std::string source, const VolumeOptions& options) = 0;
  virtual Outcome<> delete_snapshot(const Call& call, const VolumeOf& of, const std::string& name,
                                    const VolumeOptions& options) = 0;

  // Asks nobody: it follows from what is declared.
  virtual Outcome<VolumeClass> volume_class(const VolumeOf& of) = 0;
};

struct NodePoolOptions {
  bool force = false;
};

class NodePoolDriver {
 public:
  virtual ~NodePoolDriver() = default;
  // By name; all when `name` is empty.
  virtual Outcome<std::vector<NodePool>> list(const Call& call, const Cluster& cluster,
                                              const std::string& name) = 0;
  // As it is then.
  virtual Outcome<NodePool> create(const Call& call, const Cluster& cluster, const NodePool& pool,
                                   const NodePoolOptions& options) = 0;
  // Only what is set is applied. Fails with kValidation when that cannot be changed.
  virtual Outcome<NodePool> update(const Call& call, const Cluster& cluster, const NodePool& pool,
                                   const NodePoolOptions& options) = 0;
  virtual Outcome<> remove(const Call& call, const Cluster& cluster, const std::string& name,
                           const NodePoolOptions& options) = 0;
};

// A role that is null is one that the provider does not offer.
struct Driver {
  std::string id;              // "local"
  std::string workspace_name;  // "(nil)" without a workspace
  std::string provider_name;
  std::unique_ptr<ClusterDriver> clusters;
  std::unique_ptr<DnsDriver> dns;
  std::unique_ptr<VolumeDriver> volumes;
  std::unique_ptr<NodePoolDriver> node_pools;
};

}  // namespace strake::provider
