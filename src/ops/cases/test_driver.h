#pragma once
// For tests of use cases: a provider in memory, whose drivers take each step through ExternalCalls,
// and a declared app on it. Steps of the driver and requests to the cluster are counted by the same
// calls, so a test can fail any of them.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "ops/cases/session.h"
#include "provider/conformance/faults.h"
#include "provider/external.h"

namespace strake::ops::testing {

using provider::Call;
using provider::Outcome;

// What the provider has. Failures that are set are given by every call of that name.
struct FakeProvider {
  bool provisioned = true;
  bool installed = true;
  Secret kubeconfig;
  std::map<std::string, std::vector<provider::Disk>> disks;  // by volume
  std::map<std::string, std::vector<provider::Snapshot>> snapshots;
  std::map<std::string, provider::NodePool> node_pools;
  std::map<std::string, std::string> dns;  // "A www.example.test": "1.2.3.4"
  std::map<std::string, provider::Failure> failures;
  std::vector<std::string> calls;  // "ClusterProvision cls1 force"
  bool lacks_roles = false;
  bool first_disk_is_assigned = true;
  bool has_workspace = false;  // the last driver was made with one
  // Called at each listing of disks.
  std::function<void(FakeProvider&, const std::string& volume)> at_list;

  std::size_t assigned(const std::string& volume) const {
    const auto found = disks.find(volume);
    if (found == disks.end()) return 0;
    return static_cast<std::size_t>(
        std::ranges::count_if(found->second, &provider::Disk::assigned));
  }
};

class FakeRole {
 public:
  FakeRole(FakeProvider& at, provider::ExternalCalls& calls) : at_(at), calls_(calls) {}

 protected:
  template <typename Work>
  Outcome<> step(const Call& call, std::string_view method, const std::string& what,
                 provider::Effect effect, Work work) {
    at_.calls.push_back(fmt::format("{} {}", method, what));
    return provider::external(calls_, call, {method, what, effect}, [&]() -> Outcome<> {
      if (const auto found = at_.failures.find(std::string(method)); found != at_.failures.end())
        return std::unexpected(found->second);
      work();
      return {};
    });
  }
  template <typename Work>
  Outcome<> read(const Call& call, std::string_view method, const std::string& what, Work work) {
    return step(call, method, what, provider::Effect::kRead, std::move(work));
  }
  template <typename Work>
  Outcome<> change(const Call& call, std::string_view method, const std::string& what, Work work) {
    if (call.dry_run) {
      call.step("plan", fmt::format("{} {}", method, what));
      return {};
    }
    return step(call, method, what, provider::Effect::kWrite, std::move(work));
  }

  FakeProvider& at_;
  provider::ExternalCalls& calls_;
};

class FakeClusters final : public provider::ClusterDriver, FakeRole {
 public:
  using FakeRole::FakeRole;
  static std::string shown(const provider::Cluster& cluster, bool force) {
    return cluster.name + (force ? " force" : "");
  }
  Outcome<> provision(const Call& call, const provider::Cluster& cluster,
                      const provider::ProvisionOptions& options) override {
    return change(call, "ClusterProvision", shown(cluster, options.force),
                  [&] { at_.provisioned = true; });
  }
  Outcome<> deprovision(const Call& call, const provider::Cluster& cluster,
                        const provider::ProvisionOptions& options) override {
    return change(call, "ClusterDeprovision", shown(cluster, options.force),
                  [&] { at_.provisioned = false; });
  }
  Outcome<provider::ClusterStatus> status(const Call& call,
                                          const provider::Cluster& cluster) override {
    provider::ClusterStatus out;
    STRAKE_CHECK(read(call, "ClusterStatus", cluster.name, [&] {
      out.existing = cluster.existing;
      out.provisioned = at_.provisioned;
      out.installed = at_.installed;
    }));
    return out;
  }
  Outcome<> install(const Call& call, const provider::Cluster& cluster,
                    const provider::InstallOptions& options) override {
    return change(call, "ClusterInstall", shown(cluster, options.force),
                  [&] { at_.installed = true; });
  }
  Outcome<> uninstall(const Call& call, const provider::Cluster& cluster,
                      const provider::InstallOptions& options) override {
    return change(call, "ClusterUninstall", shown(cluster, options.force),
                  [&] { at_.installed = false; });
  }
  Outcome<Secret> kubeconfig(const Call& call, const provider::Cluster& cluster) override {
    Secret out;
    STRAKE_CHECK(read(call, "ClusterKubeconfig", cluster.name, [&] { out = at_.kubeconfig; }));
    return out;
  }
};

class FakeDns final : public provider::DnsDriver, FakeRole {
 public:
  using FakeRole::FakeRole;
  Outcome<> apply(const Call& call, const provider::Cluster&, const provider::DnsRecordSet& records,
                  const provider::DnsApplyOptions& options) override {
    const std::string key = fmt::format("{} {}", records.type, records.fqdn);
    const auto found = at_.dns.find(key);
    const bool is_so = records.rdata.empty()
                           ? found == at_.dns.end()
                           : found != at_.dns.end() && found->second == records.rdata.front();
    if (is_so && !at_.failures.contains("ClusterDNSApply")) return call.check();
    const Outcome<> done = change(call, "ClusterDNSApply", key, [&] {
      if (records.rdata.empty()) {
        at_.dns.erase(key);
      } else {
        at_.dns[key] = records.rdata.front();
      }
    });
    // Best effort, as the contract has it.
    const bool told = done || options.strict || done.error().stops_everything() ||
                      done.error().error_class() == provider::FailureClass::kValidation;
    return told ? done : Outcome<>();
  }
};

class FakeVolumes final : public provider::VolumeDriver, FakeRole {
 public:
  using FakeRole::FakeRole;
  Outcome<std::vector<provider::Disk>> list_disks(const Call& call,
                                                  const provider::VolumeOf& of) override {
    std::vector<provider::Disk> out;
    if (at_.at_list) at_.at_list(at_, of.volume.name);
    STRAKE_CHECK(
        read(call, "VolumeDiskList", of.volume.name, [&] { out = at_.disks[of.volume.name]; }));
    provider::sort_for_list(out);
    return out;
  }
  Outcome<provider::Disk> create_disk(const Call& call, const provider::VolumeOf& of,
                                      std::string name, std::string source,
                                      const provider::DiskCreateOptions& options) override {
    std::vector<provider::Disk>& all = at_.disks[of.volume.name];
    if (name.empty()) name = fmt::format("d{}", all.size() + 1);
    if (std::ranges::find(all, name, &provider::Disk::name) != all.end())
      return provider::refuse(provider::FailureClass::kConflict, "disk \"{}\" already exists",
                              name);
    provider::Disk disk{.name = name,
                        .volume_name = of.volume.name,
                        .assigned = at_.first_disk_is_assigned && all.empty(),
                        .size = of.volume.size,
                        .zone = options.zone,
                        .options = options.options,
                        .handle = fmt::format("/disks/{}/{}", of.volume.name, name)};
    STRAKE_CHECK(change(call, "VolumeDiskCreate",
                        fmt::format("{} {} '{}'", of.volume.name, name, source),
                        [&] { all.push_back(disk); }));
    return disk;
  }
  Outcome<> delete_disk(const Call& call, const provider::VolumeOf& of, const std::string& name,
                        const provider::VolumeOptions&) override {
    return change(call, "VolumeDiskDelete", fmt::format("{} {}", of.volume.name, name), [&] {
      std::erase_if(at_.disks[of.volume.name],
                    [&](const provider::Disk& one) { return one.name == name; });
    });
  }
  // Two steps: one that is broken off between them leaves none assigned.
  Outcome<> assign_disk(const Call& call, const provider::VolumeOf& of, const std::string& name,
                        const provider::VolumeOptions&) override {
    std::vector<provider::Disk>& all = at_.disks[of.volume.name];
    const auto found = std::ranges::find(all, name, &provider::Disk::name);
    if (found == all.end())
      return provider::refuse(provider::FailureClass::kNotFound, "disk not found: {}", name);
    if (found->assigned && at_.assigned(of.volume.name) == 1) return {};
    STRAKE_CHECK(change(call, "VolumeDiskUnassign", of.volume.name, [&] {
      for (provider::Disk& one : all) one.assigned = false;
    }));
    return change(call, "VolumeDiskAssign", fmt::format("{} {}", of.volume.name, name), [&] {
      for (provider::Disk& one : all) one.assigned = one.name == name;
    });
  }
  Outcome<std::vector<provider::Snapshot>> list_snapshots(const Call& call,
                                                          const provider::VolumeOf& of) override {
    std::vector<provider::Snapshot> out;
    STRAKE_CHECK(read(call, "VolumeSnapshotList", of.volume.name,
                      [&] { out = at_.snapshots[of.volume.name]; }));
    return out;
  }
  Outcome<provider::Snapshot> create_snapshot(const Call& call, const provider::VolumeOf& of,
                                              std::string name, std::string source,
                                              const provider::VolumeOptions&) override {
    provider::Snapshot out{
        .name = name, .volume_name = of.volume.name, .size = of.volume.size, .handle = name};
    STRAKE_CHECK(change(call, "VolumeSnapshotCreate",
                        fmt::format("{} {} '{}'", of.volume.name, name, source),
                        [&] { at_.snapshots[of.volume.name].push_back(out); }));
    return out;
  }
  Outcome<> delete_snapshot(const Call& call, const provider::VolumeOf& of, const std::string& name,
                            const provider::VolumeOptions&) override {
    return change(call, "VolumeSnapshotDelete", fmt::format("{} {}", of.volume.name, name), [&] {
      std::erase_if(at_.snapshots[of.volume.name],
                    [&](const provider::Snapshot& one) { return one.name == name; });
    });
  }
  Outcome<provider::VolumeClass> volume_class(const provider::VolumeOf&) override {
    provider::VolumeClass out;
    out.storage_class_name = "fake";
    out.csi_driver = "disk.fake.test";
    out.access_modes = {"ReadWriteOnce"};
    out.reclaim_policy = "Retain";
    return out;
  }
};

class FakeNodePools final : public provider::NodePoolDriver, FakeRole {
 public:
  using FakeRole::FakeRole;
  Outcome<std::vector<provider::NodePool>> list(const Call& call, const provider::Cluster&,
                                                const std::string& name) override {
    std::vector<provider::NodePool> out;
    STRAKE_CHECK(read(call, "NodePoolList", name, [&] {
      for (const auto& [key, pool] : at_.node_pools) {
        if (name.empty() || key == name) out.push_back(pool);
      }
    }));
    return out;
  }
  Outcome<provider::NodePool> create(const Call& call, const provider::Cluster&,
                                     const provider::NodePool& pool,
                                     const provider::NodePoolOptions&) override {
    STRAKE_CHECK(change(call, "NodePoolCreate", *pool.name,
                        [&] { at_.node_pools.insert_or_assign(*pool.name, pool); }));
    return pool;
  }
  Outcome<provider::NodePool> update(const Call& call, const provider::Cluster&,
                                     const provider::NodePool& pool,
                                     const provider::NodePoolOptions&) override {
    STRAKE_CHECK(change(call, "NodePoolUpdate", *pool.name,
                        [&] { at_.node_pools.insert_or_assign(*pool.name, pool); }));
    return pool;
  }
  Outcome<> remove(const Call& call, const provider::Cluster&, const std::string& name,
                   const provider::NodePoolOptions&) override {
    return change(call, "NodePoolDelete", name, [&] { at_.node_pools.erase(name); });
  }
};

// Three services, two volumes, a config, and a host.
inline constexpr std::string_view kCompose = R"(
name: shop
services:
  web:
    image: nginx:1.27
    ports: ["8080:80"]
    configs: [{source: banner, target: /etc/banner}]
    volumes: ["data/www:/usr/share/nginx/html"]
  api:
    image: api:1
    environment: {GREETING: "${GREETING:-hello}", PASSWORD: s3cret-canary-password}
  db:
    image: postgres:16
    volumes: ["db:/var/lib/postgresql"]
configs:
  banner: {content: "welcome"}
)";

// A declared app over the provider. `calls` counts and fails all that is done outside.
class FakeSite {
 public:
  FakeSite() {
    workspace.id = "/ws/ws1";
    workspace.name = "ws1";
    entity.id = "/ws/ws1/prv/prv1";
    entity.name = "prv1";
    entity.workspace_id = workspace.id;
    entity.driver = "fake";
    cluster.id = entity.id + "/cls/cls1";
    cluster.name = "cls1";
    cluster.provider_id = entity.id;
    cluster.ingress.emplace();
    cluster.ingress->domain = "apps.test";
    app.id = cluster.id + "/app/app1";
    app.name = "app1";
    app.cluster_id = cluster.id;
    app.compose = kCompose;
    app.ingress.rules = {{.name = "main", .port = 8080, .hosts = {"www.shop.test"}}};
    app.volumes = {{.name = "data", .size = std::int64_t{1} << 30, .options = {}},
                   {.name = "db", .size = std::int64_t{2} << 30, .options = {}}};
    drivers.add("fake",
                [this](const provider::Workspace* of, const provider::ProviderEntity& from,
                       const provider::DriverEnvironment&) -> Outcome<provider::Driver> {
                  provider::Driver out;
                  out.id = "fake";
                  out.workspace_name = of == nullptr ? provider::kNoWorkspace : of->name;
                  out.provider_name = from.name;
                  fake.has_workspace = of != nullptr;
                  if (fake.lacks_roles) return out;
                  out.clusters = std::make_unique<FakeClusters>(fake, calls);
                  out.dns = std::make_unique<FakeDns>(fake, calls);
                  out.volumes = std::make_unique<FakeVolumes>(fake, calls);
                  out.node_pools = std::make_unique<FakeNodePools>(fake, calls);
                  return out;
                });
  }

  // After the declarations have been changed as the test wants them.
  Session session() {
    store = Store();
    store.add(workspace);
    store.add(entity);
    store.add(cluster);
    store.add(app);
    for (const provider::Box& box : boxes) store.add(box);
    return {
        .store = store, .drivers = drivers, .environment = environment, .calls = calls, .rate = {}};
  }
  Call call() { return {.deadline = Deadline::after(std::chrono::minutes(2)), .journal = &told}; }
  Call dry_call() {
    Call out = call();
    out.dry_run = true;
    return out;
  }

  FakeProvider fake;
  provider::FaultyCalls calls;
  provider::ToldSteps told;
  provider::Workspace workspace;
  provider::ProviderEntity entity;
  provider::Cluster cluster;
  provider::App app;
  std::vector<provider::Box> boxes;
  provider::Registry drivers;
  provider::DriverEnvironment environment;
  Store store;
};

template <typename T>
std::string shown(const Outcome<T>& outcome) {
  if (outcome) return "done";
  return fmt::format("{}: {}", to_string(outcome.error().error_class()), outcome.error().message());
}

}  // namespace strake::ops::testing
