#pragma once
// A provider in memory, a server's objects in memory, and a clock that stands still: reconcilers
// are run over them until nothing is left to do.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "ops/controllers/reconcilers.h"
#include "ops/controllers/work_queue.h"
#include "provider/driver.h"
#include "value/fields.h"
#include "value/json_reader.h"
#include "value/json_writer.h"

namespace strake::ops::testing::controllers {

using provider::Call;
using provider::FailureClass;
using provider::Outcome;

// What the provider has, and what it was asked to change: any thread may look.
struct FakeProvider {
  struct ClusterState {
    bool provisioned = false;
    bool installed = false;
  };
  std::mutex mu;
  std::map<std::string, ClusterState> clusters;              // by name
  std::map<std::string, std::vector<provider::Disk>> disks;  // by "app/volume"
  std::map<std::string, std::vector<provider::Snapshot>> snapshots;
  std::map<std::string, provider::NodePool> pools;  // by "cluster/pool"
  std::vector<std::string> changes;                 // "provision blue"
  // Asked before each call, by its name: a failure is that of the call.
  std::function<Outcome<>(std::string_view call, const Call& with)> gate;

  bool empty() const {
    for (const auto& [name, one] : disks) {
      if (!one.empty()) return false;
    }
    for (const auto& [name, one] : snapshots) {
      if (!one.empty()) return false;
    }
    return clusters.empty() && pools.empty();
  }
  provider::Driver driver(const provider::ProviderEntity& entity);
};

class FakeClusters final : public provider::ClusterDriver {
 public:
  explicit FakeClusters(FakeProvider& p) : p_(p) {}
  Outcome<> provision(const Call& call, const provider::Cluster& cluster,
                      const provider::ProvisionOptions&) override {
    return change(call, "provision", cluster, !state(cluster).provisioned,
                  [](FakeProvider::ClusterState& one) { one.provisioned = true; });
  }
  Outcome<> deprovision(const Call& call, const provider::Cluster& cluster,
                        const provider::ProvisionOptions&) override {
    STRAKE_CHECK(change(call, "deprovision", cluster, p_.clusters.contains(cluster.name),
                        [](FakeProvider::ClusterState& one) { one = {}; }));
    if (!call.dry_run) p_.clusters.erase(cluster.name);
    return {};
  }
  Outcome<provider::ClusterStatus> status(const Call& call,
                                          const provider::Cluster& cluster) override {
    STRAKE_CHECK(ask("status", call));
    const FakeProvider::ClusterState one = state(cluster);
    provider::ClusterStatus out;
    out.existing = cluster.existing;
    out.provisioned = one.provisioned;
    out.installed = one.installed;
    if (one.installed) out.ingress_global_ip = "192.0.2.1";
    return out;
  }
  Outcome<> install(const Call& call, const provider::Cluster& cluster,
                    const provider::InstallOptions&) override {
    return change(call, "install", cluster, !state(cluster).installed,
                  [](FakeProvider::ClusterState& one) { one.installed = true; });
  }
  Outcome<> uninstall(const Call& call, const provider::Cluster& cluster,
                      const provider::InstallOptions&) override {
    return change(call, "uninstall", cluster, state(cluster).installed,
                  [](FakeProvider::ClusterState& one) { one.installed = false; });
  }
  Outcome<Secret> kubeconfig(const Call&, const provider::Cluster&) override {
    return Secret("a-secret-that-nobody-may-see");
  }

 private:
  Outcome<> ask(std::string_view what, const Call& call) {
    STRAKE_CHECK(call.check());
    return p_.gate ? p_.gate(what, call) : Outcome<>();
  }
  FakeProvider::ClusterState state(const provider::Cluster& cluster) {
    const std::scoped_lock lock(p_.mu);
    const auto at = p_.clusters.find(cluster.name);
    return at == p_.clusters.end() ? FakeProvider::ClusterState() : at->second;
  }
  Outcome<> change(const Call& call, std::string_view verb, const provider::Cluster& cluster,
                   bool needed, const std::function<void(FakeProvider::ClusterState&)>& work) {
    STRAKE_CHECK(ask(verb, call));
    if (!needed) return {};
    if (call.dry_run) {
      call.step("plan", fmt::format("{} cluster", verb));
      return {};
    }
    const std::scoped_lock lock(p_.mu);
    p_.changes.push_back(fmt::format("{} {}", verb, cluster.name));
    work(p_.clusters[cluster.name]);
    call.step(verb, "cluster");
    return {};
  }
  FakeProvider& p_;
};

class FakeVolumes final : public provider::VolumeDriver {
 public:
  explicit FakeVolumes(FakeProvider& p) : p_(p) {}
  Outcome<std::vector<provider::Disk>> list_disks(const Call& call,
                                                  const provider::VolumeOf& of) override {
    STRAKE_CHECK(ask("list disks", call));
    const std::scoped_lock lock(p_.mu);
    return p_.disks[place(of)];
  }
  Outcome<provider::Disk> create_disk(const Call& call, const provider::VolumeOf& of,
                                      std::string name, std::string source,
                                      const provider::DiskCreateOptions& options) override {
    STRAKE_CHECK(ask("create disk", call));
    const std::scoped_lock lock(p_.mu);
    auto& disks = p_.disks[place(of)];
    if (std::ranges::find(disks, name, &provider::Disk::name) != disks.end())
      return provider::refuse(FailureClass::kConflict, "disk \"{}\" already exists", name);
    provider::Disk disk;
    disk.name = name;
    disk.volume_name = of.volume.name;
    disk.assigned = disks.empty();
    disk.size = of.volume.size;
    disk.zone = options.zone;
    disk.options = options.options;
    disk.handle = fmt::format("handle-{}", name);
    disk.created_at = disk.updated_at = call.clock->now();
    p_.changes.push_back(
        fmt::format("create disk {}{}{}", name, source.empty() ? "" : " of ", source));
    call.step("create", "disk");
    disks.push_back(disk);
    return disk;
  }
  Outcome<> delete_disk(const Call& call, const provider::VolumeOf& of, const std::string& name,
                        const provider::VolumeOptions&) override {
    STRAKE_CHECK(ask("delete disk", call));
    const std::scoped_lock lock(p_.mu);
    if (std::erase_if(p_.disks[place(of)], [&](const auto& one) { return one.name == name; }) > 0) {
      p_.changes.push_back(fmt::format("delete disk {}", name));
      call.step("delete", "disk");
    }
    return {};
  }
  Outcome<> assign_disk(const Call& call, const provider::VolumeOf& of, const std::string& name,
                        const provider::VolumeOptions&) override {
    STRAKE_CHECK(ask("assign disk", call));
    const std::scoped_lock lock(p_.mu);
    for (provider::Disk& one : p_.disks[place(of)]) one.assigned = one.name == name;
    p_.changes.push_back(fmt::format("assign disk {}", name));
    call.step("assign", "disk");
    return {};
  }
  Outcome<std::vector<provider::Snapshot>> list_snapshots(const Call& call,
                                                          const provider::VolumeOf& of) override {
    STRAKE_CHECK(ask("list snapshots", call));
    const std::scoped_lock lock(p_.mu);
    return p_.snapshots[place(of)];
  }
  Outcome<provider::Snapshot> create_snapshot(const Call& call, const provider::VolumeOf& of,
                                              std::string name, std::string source,
                                              const provider::VolumeOptions&) override {
    STRAKE_CHECK(ask("create snapshot", call));
    const std::scoped_lock lock(p_.mu);
    if (p_.disks[place(of)].empty())
      return provider::refuse(FailureClass::kValidation, "no assigned disk found");
    provider::Snapshot one;
    one.name = name;
    one.volume_name = of.volume.name;
    one.size = of.volume.size;
    one.handle = fmt::format("handle-{}", name);
    one.created_at = call.clock->now();
    p_.snapshots[place(of)].push_back(one);
    p_.changes.push_back(
        fmt::format("create snapshot {}{}{}", name, source.empty() ? "" : " of ", source));
    call.step("create", "snapshot");
    return one;
  }
  Outcome<> delete_snapshot(const Call& call, const provider::VolumeOf& of, const std::string& name,
                            const provider::VolumeOptions&) override {
    STRAKE_CHECK(ask("delete snapshot", call));
    const std::scoped_lock lock(p_.mu);
    if (std::erase_if(p_.snapshots[place(of)], [&](const auto& one) { return one.name == name; }) >
        0)
      p_.changes.push_back(fmt::format("delete snapshot {}", name));
    return {};
  }
  Outcome<provider::VolumeClass> volume_class(const provider::VolumeOf&) override {
    return provider::VolumeClass();
  }

 private:
  static std::string place(const provider::VolumeOf& of) {
    return fmt::format("{}/{}", of.app.name, of.volume.name);
  }
  Outcome<> ask(std::string_view what, const Call& call) {
    STRAKE_CHECK(call.check());
    return p_.gate ? p_.gate(what, call) : Outcome<>();
  }
  FakeProvider& p_;
};

class FakePools final : public provider::NodePoolDriver {
 public:
  explicit FakePools(FakeProvider& p) : p_(p) {}
  Outcome<std::vector<provider::NodePool>> list(const Call& call, const provider::Cluster& cluster,
                                                const std::string& name) override {
    STRAKE_CHECK(ask("list pools", call));
    const std::scoped_lock lock(p_.mu);
    std::vector<provider::NodePool> out;
    for (const auto& [key, pool] : p_.pools) {
      if (key == place(cluster, name) || (name.empty() && key.starts_with(cluster.name + "/")))
        out.push_back(pool);
    }
    return out;
  }
  Outcome<provider::NodePool> create(const Call& call, const provider::Cluster& cluster,
                                     const provider::NodePool& pool,
                                     const provider::NodePoolOptions&) override {
    STRAKE_CHECK(ask("create pool", call));
    return put(call, "create", cluster, pool, pool);
  }
  Outcome<provider::NodePool> update(const Call& call, const provider::Cluster& cluster,
                                     const provider::NodePool& pool,
                                     const provider::NodePoolOptions&) override {
    STRAKE_CHECK(ask("update pool", call));
    provider::NodePool merged;
    {
      const std::scoped_lock lock(p_.mu);
      merged = p_.pools[place(cluster, *pool.name)];
    }
    if (pool.instance_type && pool.instance_type != merged.instance_type)
      return provider::refuse(FailureClass::kValidation,
                              "validation error: cannot modify immutable fields: InstanceType");
    if (pool.autoscaling) merged.autoscaling = pool.autoscaling;
    if (pool.labels) merged.labels = pool.labels;
    return put(call, "update", cluster, pool, merged);
  }
  Outcome<> remove(const Call& call, const provider::Cluster& cluster, const std::string& name,
                   const provider::NodePoolOptions&) override {
    STRAKE_CHECK(ask("delete pool", call));
    const std::scoped_lock lock(p_.mu);
    if (p_.pools.erase(place(cluster, name)) > 0)
      p_.changes.push_back(fmt::format("delete pool {}", name));
    return {};
  }

 private:
  static std::string place(const provider::Cluster& cluster, const std::string& name) {
    return fmt::format("{}/{}", cluster.name, name);
  }
  Outcome<> ask(std::string_view what, const Call& call) {
    STRAKE_CHECK(call.check());
    return p_.gate ? p_.gate(what, call) : Outcome<>();
  }
  Outcome<provider::NodePool> put(const Call& call, std::string_view verb,
                                  const provider::Cluster& cluster, const provider::NodePool& pool,
                                  provider::NodePool merged) {
    const std::scoped_lock lock(p_.mu);
    merged.status = provider::NodePoolStatus{
        .provisioning_state = "Succeeded",
        .current_node_count = merged.autoscaling ? merged.autoscaling->min : 1,
        .extensions = {}};
    const auto at = p_.pools.find(place(cluster, *pool.name));
    if (at != p_.pools.end() && at->second == merged) return merged;
    if (call.dry_run) {
      call.step("plan", fmt::format("{} node pool", verb));
      return merged;
    }
    p_.pools[place(cluster, *pool.name)] = merged;
    p_.changes.push_back(fmt::format("{} pool {}", verb, *pool.name));
    call.step(verb, "node pool");
    return merged;
  }
  FakeProvider& p_;
};

inline provider::Driver FakeProvider::driver(const provider::ProviderEntity& entity) {
  provider::Driver out;
  out.id = "fake";
  out.provider_name = entity.name;
  out.clusters = std::make_unique<FakeClusters>(*this);
  out.volumes = std::make_unique<FakeVolumes>(*this);
  out.node_pools = std::make_unique<FakePools>(*this);
  return out;
}

inline provider::Registry registry_of(FakeProvider& provider) {
  provider::Registry out;
  out.add("fake",
          [&provider](const provider::Workspace*, const provider::ProviderEntity& entity,
                      const provider::DriverEnvironment&) -> Outcome<provider::Driver> {
            return provider.driver(entity);
          });
  return out;
}

// The objects of a server, as far as controllers see them. What is written is told at once.
class FakeServer final : public ObjectAccess {
 public:
  FakeServer(DeclaredObjects& declared, WorkQueue& queue) : declared_(declared), queue_(queue) {
    for (const OperatedKind kind : kOperatedKinds) declared_.replace(kind, {});
  }

  // As kubectl apply: the spec and the annotations are replaced.
  void apply(OperatedKind kind, const std::string& name, std::string_view id, std::string_view spec,
             std::string_view metadata = "") {
    const ObjectKey key{kind, "default", name};
    value::Document spec_document = value::read_json(spec).value();
    const auto at = objects_.find(key);
    std::int64_t generation = 1;
    std::string uid = fmt::format("uid-{}", ++versions_);
    if (at != objects_.end()) {
      const DeclaredObject& was = *at->second;
      uid = was.uid;
      generation = was.generation + (value::identical(was.spec(), spec_document.root()) ? 0 : 1);
    }
    put(fmt::format(
            R"({{"metadata":{{"name":"{}","namespace":"default","uid":"{}","generation":{},)"
            R"("creationTimestamp":"2024-01-01T00:00:{:02}Z","annotations":{{{}{}}}{}}},"spec":{}{}}})",
            name, uid, generation, versions_ % 60,
            id.empty() ? "" : fmt::format(R"("ops.kompox.dev/id":"{}")", id), metadata,
            at != objects_.end() && at->second->has_finalizer()
                ? fmt::format(R"(,"finalizers":["{}"])", kCleanupFinalizer)
                : "",
            spec,
            at == objects_.end() || at->second->status().is_null()
                ? ""
                : fmt::format(R"(,"status":{})", value::to_json(at->second->status()))),
        kind);
  }
  void remove(OperatedKind kind, const std::string& name) {
    const ObjectKey key{kind, "default", name};
    const auto at = objects_.find(key);
    ASSERT_NE(at, objects_.end());
    if (at->second->finalizers.empty()) return drop(key);
    change(key, [](value::Document& object) {
      static_cast<void>(object.set(FieldPath() / "metadata" / "deletionTimestamp",
                                   value::Value::string("2024-01-01T01:00:00Z")));
    });
  }
  bool has(OperatedKind kind, const std::string& name) const {
    return objects_.contains({kind, "default", name});
  }
  // "True Ready: message" of a condition.
  std::string condition(OperatedKind kind, const std::string& name, std::string_view type) const {
    const auto at = objects_.find({kind, "default", name});
    if (at == objects_.end()) return "no object";
    const auto all = at->second->conditions();
    const StatusCondition* one = find_condition(all, type);
    if (one == nullptr) return "no condition";
    return fmt::format("{} {}{}{}", one->status, one->reason, one->message.empty() ? "" : ": ",
                       one->message);
  }
  std::string status(OperatedKind kind, const std::string& name, std::string_view member) const {
    const auto at = objects_.find({kind, "default", name});
    return at == objects_.end() ? "" : value::to_json(at->second->status().get(member));
  }

  Result<DeclaredPtr> read(const ObjectKey& key) override {
    const auto at = objects_.find(key);
    return at == objects_.end() ? nullptr : at->second;
  }
  Result<> write_status(const DeclaredObject& object, const value::Value& status) override {
    if (!objects_.contains(object.key)) return {};
    if (status_failure) return std::unexpected(*status_failure);
    change(object.key, [&](value::Document& to) {
      for (const value::Member& one : status.members()) {
        const FieldPath path = (FieldPath() / "status").key(std::string(one.key));
        if (one.value.is_null()) {
          to.remove(path);
        } else {
          static_cast<void>(to.set(path, value::deep_copy(one.value, to.arena())));
        }
      }
    });
    return {};
  }
  Result<> set_finalizer(const DeclaredObject& object, bool wanted) override {
    const auto at = objects_.find(object.key);
    if (at == objects_.end()) return fail(Code::kNotFound, "not found");
    if (at->second->has_finalizer() == wanted) return {};
    if (wanted && at->second->deleting) return fail(Code::kForbidden, "it is being deleted");
    if (!wanted && at->second->deleting) {
      drop(object.key);
      return {};
    }
    change(object.key, [&](value::Document& to) {
      value::Value list = value::Value::array({});
      if (wanted) list.append(value::Value::string(kCleanupFinalizer), to.arena());
      static_cast<void>(to.set(FieldPath() / "metadata" / "finalizers", list));
    });
    return {};
  }
  void tell(const DeclaredObject& object, EventType type, std::string_view reason,
            std::string_view message) override {
    events.push_back(fmt::format("{} {} {}: {}", type == EventType::kNormal ? "Normal" : "Warning",
                                 object.key.name, reason, message));
  }

  std::vector<std::string> events;
  std::optional<Error> status_failure;
  std::size_t writes = 0;

 private:
  void put(const std::string& json, OperatedKind kind) {
    value::Document document = value::read_json(json).value();
    set(kind, document);
  }
  void change(const ObjectKey& key, const std::function<void(value::Document&)>& work) {
    const DeclaredPtr was = objects_.at(key);
    value::Document next = was->document.fork();
    work(next);
    if (value::identical(std::as_const(next).root(), was->document.root())) return;
    ++writes;
    set(key.kind, next);
  }
  void set(OperatedKind kind, const value::Document& document) {
    DeclaredPtr read = read_declared(kind, document.root());
    ASSERT_NE(read, nullptr);
    objects_[read->key] = read;
    for (const ObjectKey& key : declared_.set(read)) queue_.add(key);
  }
  void drop(const ObjectKey& key) {
    objects_.erase(key);
    for (const ObjectKey& one : declared_.remove(key)) queue_.add(one);
  }

  DeclaredObjects& declared_;
  WorkQueue& queue_;
  std::map<ObjectKey, DeclaredPtr> objects_;
  int versions_ = 0;
};

class TestWorld {
 public:
  TestWorld() : registry(registry_of(provider)) {
    environment.clock = &clock;
    server.apply(OperatedKind::kWorkspace, "ws", "/ws/ws", "{}");
    server.apply(OperatedKind::kProvider, "here", "/ws/ws/prv/here", R"({"driver":"fake"})");
  }
  static constexpr const char* kClusterId = "/ws/ws/prv/here/cls/blue";
  void cluster(std::string_view spec = R"({"ingress":{"domain":"blue.example.test"}})") {
    server.apply(OperatedKind::kCluster, "blue", kClusterId, spec);
  }
  void app() {
    server.apply(OperatedKind::kApp, "shop", std::string(kClusterId) + "/app/shop",
                 R"({"volumes":[{"name":"data","size":"1Gi"}]})");
  }
  void disk(const std::string& name, std::string_view more = "", std::string_view metadata = "") {
    server.apply(OperatedKind::kDisk, name, "",
                 fmt::format(R"({{"appRef":{{"name":"shop"}},"volumeName":"data"{}}})", more),
                 metadata);
  }
  void snapshot(const std::string& name, std::string_view more = "") {
    server.apply(OperatedKind::kSnapshot, name, "",
                 fmt::format(R"({{"appRef":{{"name":"shop"}},"volumeName":"data"{}}})", more));
  }
  void pool(const std::string& name, std::string_view more = "") {
    server.apply(OperatedKind::kNodePool, name, "",
                 fmt::format(R"({{"clusterRef":{{"name":"blue"}}{}}})", more));
  }

  ReconcileContext context() {
    Call call;
    call.clock = &clock;
    call.cancel = ending.token();
    return {.declared = declared,
            .access = server,
            .drivers = registry,
            .environment = environment,
            .calls = provider::direct_calls(),
            .call = call};
  }
  // Looks at all that is due; fails when it does not come to an end.
  void settle() {
    for (int i = 0; i < 1000; ++i) {
      const auto key = queue.try_take();
      if (!key) return;
      const Next next = reconcile(context(), *key);
      if (next == Next::kTryAgain) {
        queue.failed(*key);
      } else {
        queue.done(*key, next == Next::kGone
                             ? std::nullopt
                             : std::optional(std::chrono::nanoseconds(std::chrono::minutes(5))));
      }
    }
    ADD_FAILURE() << "does not come to an end";
  }
  void later(std::chrono::seconds time) {
    clock.advance(time);
    settle();
  }
  std::string take_changes() {
    std::string out;
    for (const std::string& one : std::exchange(provider.changes, {}))
      out += (out.empty() ? "" : ", ") + one;
    return out;
  }
  std::string take_events() {
    std::string out;
    for (const std::string& one : std::exchange(server.events, {})) out += one + "\n";
    return out;
  }

  FakeClock clock;
  FakeProvider provider;
  provider::Registry registry;
  provider::DriverEnvironment environment;
  CancelSource ending;
  DeclaredObjects declared;
  WorkQueue queue{clock, {.first = std::chrono::seconds(1), .most = std::chrono::seconds(60)}};
  FakeServer server{declared, queue};
};

}  // namespace strake::ops::testing::controllers
