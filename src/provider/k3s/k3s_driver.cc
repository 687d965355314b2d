#include "provider/k3s/k3s_driver.h"

#include <filesystem>

#include "base/input_file.h"
#include "base/quote.h"
#include "provider/names/dns_names.h"

namespace strake::provider::k3s {
namespace {

constexpr std::string_view kDefaultKubeconfig = "/etc/rancher/k3s/k3s.yaml";
constexpr std::uint64_t kMostKubeconfigBytes = 1 << 20;

std::unexpected<Failure> lacks(std::string_view method) { return not_implemented(method, "k3s"); }

// Node pools are refused in words of their own.
std::unexpected<Failure> lacks_node_pools() {
  return refuse(FailureClass::kNotImplemented, "operation not supported");
}

class K3sClusters final : public ClusterDriver {
 public:
  K3sClusters(std::string kubeconfig, ExternalCalls& calls, InstallerOptions installs)
      : kubeconfig_(std::move(kubeconfig)), calls_(calls), installs_(std::move(installs)) {}

  Outcome<> provision(const Call& call, const Cluster& cluster,
                      const ProvisionOptions& /*options*/) override {
    if (!cluster.existing) return lacks("ClusterProvision");
    STRAKE_TRY([[maybe_unused]] const Secret there, kubeconfig(call, cluster));
    call.step("skip", "provision cluster", {{"cluster", cluster.name}});
    return {};
  }

  Outcome<> deprovision(const Call& /*call*/, const Cluster& /*cluster*/,
                        const ProvisionOptions& /*options*/) override {
    return lacks("ClusterDeprovision");
  }

  Outcome<ClusterStatus> status(const Call& call, const Cluster& cluster) override {
    ClusterStatus out;
    out.existing = cluster.existing;
    const Outcome<Secret> there = kubeconfig(call, cluster);
    if (!there && there.error().error_class() == FailureClass::kNotFound) return out;
    if (!there) return std::unexpected(there.error());
    out.provisioned = true;
    STRAKE_TRY(Installer installer, Installer::connect(*there, installs_, calls_));
    STRAKE_TRY(const IngressState ingress, installer.ingress_state(call, cluster));
    out.installed = ingress.installed;
    out.ingress_global_ip = ingress.ip;
    out.ingress_fqdn = ingress.hostname;
    return out;
  }

  Outcome<> install(const Call& call, const Cluster& cluster,
                    const InstallOptions& options) override {
    STRAKE_TRY(Installer installer, connect(call, cluster));
    STRAKE_CHECK(installer.ensure_ingress_namespace(call, cluster));
    STRAKE_CHECK(installer.ensure_ingress_account(call, cluster, {}));
    return installer.install_ingress(call, cluster, {.edit = {}, .force = options.force});
  }

  Outcome<> uninstall(const Call& call, const Cluster& cluster,
                      const InstallOptions& /*options*/) override {
    STRAKE_TRY(Installer installer, connect(call, cluster));
    STRAKE_CHECK(installer.uninstall_ingress(call, cluster));
    return installer.delete_ingress_namespace(call, cluster);
  }

  Outcome<Secret> kubeconfig(const Call& call, const Cluster& cluster) override {
    const auto set = cluster.settings.find("K3S_KUBECONFIG");
    const std::string& path =
        set == cluster.settings.end() || set->second.empty() ? kubeconfig_ : set->second;
    return external(calls_, call, {"read", path}, [&]() -> Outcome<Secret> {
      // Of whichever kind: k3s leaves a link there on some systems.
      const auto file = InputFile::open(path, Pipes::kRefused);
      auto text = file ? file->read_all(kMostKubeconfigBytes)
                       : Result<std::string>(std::unexpected(file.error()));
      if (!text) {
        const bool absent = text.error().code() == Code::kNotFound;
        return refuse(absent ? FailureClass::kNotFound : FailureClass::kInternal,
                      "cannot read the kubeconfig {} of cluster {} (setting K3S_KUBECONFIG): {}",
                      path, quote(cluster.name), text.error().message());
      }
      return Secret(*std::move(text));
    });
  }

 private:
  Outcome<Installer> connect(const Call& call, const Cluster& cluster) {
    STRAKE_TRY(const Secret text, kubeconfig(call, cluster));
    return Installer::connect(text, installs_, calls_);
  }

  std::string kubeconfig_;
  ExternalCalls& calls_;
  InstallerOptions installs_;
};

// There is no zone to write to. Records that make no sense are told all the same.
class K3sDns final : public DnsDriver {
 public:
  Outcome<> apply(const Call& call, const Cluster& /*cluster*/, const DnsRecordSet& records,
                  const DnsApplyOptions& /*options*/) override {
    static const DnsSupport all{.types = {"A", "AAAA", "CNAME", "TXT", "MX", "NS", "SRV", "CAA"}};
    STRAKE_CHECK(call.check());
    STRAKE_TRY(const DnsRecordSet good, normalize_records(records, all));
    call.step("skip", "DNS records", {{"fqdn", good.fqdn}, {"type", good.type}});
    return {};
  }
};

class K3sVolumes final : public VolumeDriver {
 public:
  Outcome<std::vector<Disk>> list_disks(const Call&, const VolumeOf&) override {
    return lacks("VolumeDiskList");
  }
  Outcome<Disk> create_disk(const Call&, const VolumeOf&, std::string, std::string,
                            const DiskCreateOptions&) override {
    return lacks("VolumeDiskCreate");
  }
  Outcome<> delete_disk(const Call&, const VolumeOf&, const std::string&,
                        const VolumeOptions&) override {
    return lacks("VolumeDiskDelete");
  }
  Outcome<> assign_disk(const Call&, const VolumeOf&, const std::string&,
                        const VolumeOptions&) override {
    return lacks("VolumeDiskAssign");
  }
  Outcome<std::vector<Snapshot>> list_snapshots(const Call&, const VolumeOf&) override {
    return lacks("VolumeSnapshotList");
  }
  Outcome<Snapshot> create_snapshot(const Call&, const VolumeOf&, std::string, std::string,
                                    const VolumeOptions&) override {
    return lacks("VolumeSnapshotCreate");
  }
  Outcome<> delete_snapshot(const Call&, const VolumeOf&, const std::string&,
                            const VolumeOptions&) override {
    return lacks("VolumeSnapshotDelete");
  }

  // Of the provisioner that every k3s has, on the disk of the node where the pod is; it knows no
  // volumes for several nodes.
  Outcome<VolumeClass> volume_class(const VolumeOf& of) override {
    VolumeClass out;
    if (of.volume.type != VolumeType::kDisk) return out;
    out.storage_class_name = "local-path";
    out.csi_driver = "rancher.io/local-path";
    out.access_modes = {"ReadWriteOnce"};
    return out;
  }
};

class K3sNodePools final : public NodePoolDriver {
 public:
  Outcome<std::vector<NodePool>> list(const Call&, const Cluster&, const std::string&) override {
    return lacks_node_pools();
  }
  Outcome<NodePool> create(const Call&, const Cluster&, const NodePool&,
                           const NodePoolOptions&) override {
    return lacks_node_pools();
  }
  Outcome<NodePool> update(const Call&, const Cluster&, const NodePool&,
                           const NodePoolOptions&) override {
    return lacks_node_pools();
  }
  Outcome<> remove(const Call&, const Cluster&, const std::string&,
                   const NodePoolOptions&) override {
    return lacks_node_pools();
  }
};

Outcome<Driver> make_registered(const Workspace* workspace, const ProviderEntity& provider,
                                const DriverEnvironment& from) {
  return make_driver(workspace, provider, from);
}

}  // namespace

Outcome<Driver> make_driver(const Workspace* workspace, const ProviderEntity& provider,
                            const DriverEnvironment& /*from*/, ExternalCalls& calls,
                            InstallerOptions installs) {
  const auto disabled = provider.settings.find("disabled");
  if (disabled != provider.settings.end() && disabled->second == "true")
    return refuse(FailureClass::kValidation, "k3s provider disabled by settings");
  const auto set = provider.settings.find("K3S_KUBECONFIG");
  std::string kubeconfig(set == provider.settings.end() || set->second.empty()
                             ? kDefaultKubeconfig
                             : std::string_view(set->second));
  if (!std::filesystem::path(kubeconfig).is_absolute()) {
    return refuse(FailureClass::kValidation,
                  "setting K3S_KUBECONFIG must be an absolute path, got {}", quote(kubeconfig));
  }
  Driver out;
  out.id = "k3s";
  out.workspace_name = workspace == nullptr ? kNoWorkspace : workspace->name;
  out.provider_name = provider.name;
  out.clusters = std::make_unique<K3sClusters>(std::move(kubeconfig), calls, std::move(installs));
  out.dns = std::make_unique<K3sDns>();
  out.volumes = std::make_unique<K3sVolumes>();
  out.node_pools = std::make_unique<K3sNodePools>();
  return out;
}

Outcome<Driver> make_driver(const Workspace* workspace, const ProviderEntity& provider,
                            const DriverEnvironment& from) {
  return make_driver(workspace, provider, from, direct_calls(), {});
}

}  // namespace strake::provider::k3s

STRAKE_REGISTER_DRIVER(k3s, k3s::make_registered)
