// Commands of operate over a driver of the test: flags in, texts, JSON and exit codes out.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "cli/command/shared_flags.h"
#include "cli/fake_io.h"
#include "cli/operate/operate_run.h"
#include "cli/operate/pod_commands.h"
#include "provider/registry.h"

namespace strake::cli {
namespace {

using provider::Call;
using provider::FailureClass;
using provider::Outcome;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

// What the provider has: one for all drivers of a test.
struct Rehearsed {
  provider::ClusterStatus status;
  std::vector<provider::Disk> disks;
  std::vector<provider::Snapshot> snapshots;
  std::vector<provider::NodePool> pools;
  std::string kubeconfig;
};
Rehearsed& rehearsed() {
  static Rehearsed one;
  return one;
}

class RehearsedClusters final : public provider::ClusterDriver {
 public:
  Outcome<> provision(const Call& call, const provider::Cluster& cluster,
                      const provider::ProvisionOptions&) override {
    return change(call, rehearsed().status.provisioned, true, "create", cluster.name);
  }
  Outcome<> deprovision(const Call& call, const provider::Cluster& cluster,
                        const provider::ProvisionOptions&) override {
    return change(call, rehearsed().status.provisioned, false, "delete", cluster.name);
  }
  Outcome<provider::ClusterStatus> status(const Call&, const provider::Cluster&) override {
    return rehearsed().status;
  }
  Outcome<> install(const Call& call, const provider::Cluster& cluster,
                    const provider::InstallOptions&) override {
    return change(call, rehearsed().status.installed, true, "create", cluster.name);
  }
  Outcome<> uninstall(const Call& call, const provider::Cluster& cluster,
                      const provider::InstallOptions&) override {
    return change(call, rehearsed().status.installed, false, "delete", cluster.name);
  }
  Outcome<Secret> kubeconfig(const Call&, const provider::Cluster&) override {
    return Secret(rehearsed().kubeconfig);
  }

 private:
  static Outcome<> change(const Call& call, bool& now, bool wanted, std::string_view verb,
                          const std::string& name) {
    if (now == wanted) {
      call.step("skip", "cluster", {{"cluster", name}});
    } else if (call.dry_run) {
      call.step("plan", fmt::format("{} cluster", verb), {{"cluster", name}});
    } else {
      now = wanted;
      call.step(verb, "cluster", {{"cluster", name}});
    }
    return {};
  }
};

class RehearsedVolumes final : public provider::VolumeDriver {
 public:
  Outcome<std::vector<provider::Disk>> list_disks(const Call&,
                                                  const provider::VolumeOf& of) override {
    std::vector<provider::Disk> out;
    for (const provider::Disk& one : rehearsed().disks) {
      if (one.volume_name == of.volume.name) out.push_back(one);
    }
    return out;
  }
  Outcome<provider::Disk> create_disk(const Call& call, const provider::VolumeOf& of,
                                      std::string name, std::string source,
                                      const provider::DiskCreateOptions& options) override {
    provider::Disk disk{.name = name.empty() ? "made-up" : name,
                        .volume_name = of.volume.name,
                        .size = of.volume.size,
                        .zone = options.zone,
                        .options = options.options,
                        .handle = "rehearsed:" + source};
    disk.assigned = list_disks(call, of)->empty();
    if (call.dry_run) {
      call.step("plan", "create disk", {{"disk", disk.name}});
    } else {
      rehearsed().disks.push_back(disk);
    }
    return disk;
  }
  Outcome<> delete_disk(const Call&, const provider::VolumeOf&, const std::string& name,
                        const provider::VolumeOptions&) override {
    std::erase_if(rehearsed().disks, [&](const auto& one) { return one.name == name; });
    return {};
  }
  Outcome<> assign_disk(const Call&, const provider::VolumeOf&, const std::string& name,
                        const provider::VolumeOptions&) override {
    for (provider::Disk& one : rehearsed().disks) one.assigned = one.name == name;
    return {};
  }
  Outcome<std::vector<provider::Snapshot>> list_snapshots(const Call&,
                                                          const provider::VolumeOf&) override {
    return rehearsed().snapshots;
  }
  Outcome<provider::Snapshot> create_snapshot(const Call&, const provider::VolumeOf& of,
                                              std::string name, std::string,
                                              const provider::VolumeOptions&) override {
    rehearsed().snapshots.push_back({.name = name, .volume_name = of.volume.name, .handle = "h"});
    return rehearsed().snapshots.back();
  }
  Outcome<> delete_snapshot(const Call&, const provider::VolumeOf&, const std::string&,
                            const provider::VolumeOptions&) override {
    rehearsed().snapshots.clear();
    return {};
  }
  Outcome<provider::VolumeClass> volume_class(const provider::VolumeOf&) override {
    return provider::VolumeClass{.csi_driver = "rehearsed"};
  }
};

class RehearsedPools final : public provider::NodePoolDriver {
 public:
  Outcome<std::vector<provider::NodePool>> list(const Call&, const provider::Cluster&,
                                                const std::string&) override {
    return rehearsed().pools;
  }
  Outcome<provider::NodePool> create(const Call&, const provider::Cluster&,
                                     const provider::NodePool& pool,
                                     const provider::NodePoolOptions&) override {
    rehearsed().pools.push_back(pool);
    return pool;
  }
  Outcome<provider::NodePool> update(const Call&, const provider::Cluster&,
                                     const provider::NodePool& pool,
                                     const provider::NodePoolOptions&) override {
    return pool;
  }
  Outcome<> remove(const Call&, const provider::Cluster&, const std::string&,
                   const provider::NodePoolOptions&) override {
    rehearsed().pools.clear();
    return {};
  }
};

Outcome<provider::Driver> make_rehearsed(const provider::Workspace* workspace,
                                         const provider::ProviderEntity& entity,
                                         const provider::DriverEnvironment&) {
  provider::Driver out;
  out.id = "rehearsed";
  out.workspace_name = workspace != nullptr ? workspace->name : "(nil)";
  out.provider_name = entity.name;
  out.clusters = std::make_unique<RehearsedClusters>();
  out.volumes = std::make_unique<RehearsedVolumes>();
  out.node_pools = std::make_unique<RehearsedPools>();
  return out;
}
const provider::DriverRegistration kRehearsed("rehearsed", make_rehearsed);

constexpr std::string_view kDocuments = R"(
apiVersion: ops.kompox.dev/v1alpha1
kind: Workspace
metadata: {name: ws, annotations: {ops.kompox.dev/id: /ws/ws}}
---
apiVersion: ops.kompox.dev/v1alpha1
kind: Provider
metadata: {name: prv, annotations: {ops.kompox.dev/id: /ws/ws/prv/prv}}
spec: {driver: rehearsed, settings: {CLIENT_SECRET: canary-secret, REGION: here}}
---
apiVersion: ops.kompox.dev/v1alpha1
kind: Cluster
metadata: {name: blue, annotations: {ops.kompox.dev/id: /ws/ws/prv/prv/cls/blue}}
---
apiVersion: ops.kompox.dev/v1alpha1
kind: Cluster
metadata: {name: kept, annotations: {ops.kompox.dev/id: /ws/ws/prv/prv/cls/kept}}
spec: {protection: {provisioning: cannotDelete}}
)";
constexpr std::string_view kAppDocument = R"(
apiVersion: ops.kompox.dev/v1alpha1
kind: App
metadata: {name: store, annotations: {ops.kompox.dev/id: /ws/ws/prv/prv/cls/blue/app/store}}
spec:
  compose: "services: {web: {image: nginx}}"
  volumes: [{name: data, size: 1Gi}, {name: more, size: 2Gi}]
)";

class OperateTest : public ::testing::Test {
 protected:
  OperateTest() {
    rehearsed() = {};
    std::filesystem::create_directories(folder_.path() / ".kompox");
    folder_.write(".kompox/kom/all.yml", kDocuments);
    folder_.write("kompoxapp.yml", kAppDocument);
  }

  // In the folder, by a new world each time.
  ExitCode run(std::vector<std::string> args, std::string_view program = "strake",
               std::string input = {}) {
    world_.emplace(std::move(input));
    world_->environment["HOME"] = folder_ / "home";
    world_->environment["CANARY"] = "canary-variable";
    args.insert(args.end(), {"-C", folder_.path()});
    return world_->run(args, program);
  }
  std::string out() const { return world_->out.text(); }
  std::string err() const { return world_->err.text(); }

  std::vector<std::filesystem::path> log_files() const {
    std::vector<std::filesystem::path> out;
    std::error_code none;
    for (const auto& one :
         std::filesystem::directory_iterator(folder_.path() / ".kompox/logs", none))
      out.push_back(one.path());
    std::ranges::sort(out);
    return out;
  }
  std::string all_logs() const {
    std::string text;
    for (const auto& one : log_files())
      text += folder_.read(std::filesystem::relative(one, folder_.path()).string());
    return text;
  }

  TemporaryFolder folder_;
  std::optional<FakeWorld> world_;
};

TEST_F(OperateTest, ShowsTheStatusOfTheDefaultCluster) {
  rehearsed().status = {.provisioned = true, .ingress_global_ip = "192.0.2.1"};
  EXPECT_EQ(run({"cluster", "status"}), ExitCode::kFine) << err();
  EXPECT_EQ(out(),
            "{\n  \"existing\": false,\n  \"provisioned\": true,\n  \"installed\": false,\n"
            "  \"ingressGlobalIP\": \"192.0.2.1\",\n  \"cluster_id\": "
            "\"/ws/ws/prv/prv/cls/blue\",\n  \"cluster_name\": \"blue\"\n}\n");
  EXPECT_EQ(err(), "");
}

TEST_F(OperateTest, ChoosesTheClusterByIdAndByName) {
  for (const std::vector<std::string>& flags :
       {std::vector<std::string>{"--cluster-name", "kept"},
        {"--cluster-id", "/ws/ws/prv/prv/cls/kept"},
        {"--cluster-id", "/ws/ws/prv/prv/cls/kept", "--cluster-name", "blue"}}) {
    std::vector<std::string> line = {"cluster", "status"};
    line.insert(line.end(), flags.begin(), flags.end());
    EXPECT_EQ(run(line), ExitCode::kFine) << err();
    EXPECT_THAT(out(), HasSubstr("\"cluster_name\": \"kept\""));
  }
  EXPECT_EQ(run({"cluster", "status", "--cluster-name", "green"}), ExitCode::kFindings);
  EXPECT_THAT(err(), StartsWith("Error: cluster \"green\" not found\nSee log file for details: "));
}

TEST_F(OperateTest, ProvisionsOnceAndTellsItsSteps) {
  EXPECT_EQ(run({"cluster", "provision", "--progress=text"}), ExitCode::kFine) << err();
  EXPECT_EQ(out(), "");
  EXPECT_THAT(err(), HasSubstr("create: cluster cluster=blue\n"));
  EXPECT_TRUE(rehearsed().status.provisioned);
  EXPECT_EQ(run({"cluster", "provision", "--progress=text"}), ExitCode::kFine);
  EXPECT_THAT(err(), HasSubstr("skip: cluster cluster=blue\n"));
}

TEST_F(OperateTest, TellsStepsAsJsonWhereNobodyWatches) {
  EXPECT_EQ(run({"cluster", "provision"}), ExitCode::kFine) << err();
  EXPECT_THAT(err(), HasSubstr("{\"verb\":\"create\",\"what\":\"cluster\",\"fields\":{\"cluster\":"
                               "\"blue\"}}\n"));
  EXPECT_EQ(run({"cluster", "deprovision"}, "kompoxops"), ExitCode::kFine) << err();
  EXPECT_EQ(err(), "");
}

TEST_F(OperateTest, PrintsThePlanAndChangesNothing) {
  EXPECT_EQ(run({"cluster", "provision", "--dry-run", "--progress=text"}), ExitCode::kFine);
  EXPECT_THAT(out(), HasSubstr("plan: create cluster cluster=blue\n1 change planned; nothing was "
                               "changed\n"));
  EXPECT_FALSE(rehearsed().status.provisioned);
  EXPECT_EQ(run({"cluster", "provision"}), ExitCode::kFine);
  EXPECT_EQ(run({"cluster", "provision", "--dry-run"}), ExitCode::kFine);
  EXPECT_THAT(out(), HasSubstr("\"verb\":\"skip\""));
  EXPECT_THAT(out(), HasSubstr("{\"verb\":\"end\",\"planned\":0,\"skipped\":"));
}

TEST_F(OperateTest, LeavesProtectedClustersAlone) {
  rehearsed().status.provisioned = true;
  EXPECT_EQ(run({"cluster", "deprovision", "--cluster-name", "kept", "--force"}),
            ExitCode::kFindings);
  EXPECT_THAT(err(), HasSubstr("Error: cluster operation blocked by protection policy"));
  EXPECT_TRUE(rehearsed().status.provisioned);
}

TEST_F(OperateTest, MakesListsAssignsAndDeletesDisks) {
  EXPECT_EQ(run({"disk", "list", "-V", "data"}), ExitCode::kFine) << err();
  EXPECT_EQ(out(), "[]\n");
  EXPECT_EQ(run({"disk", "create", "-V", "data", "-N", "one", "-Z", "z", "-O", R"({"iops": 3})"}),
            ExitCode::kFine)
      << err();
  EXPECT_THAT(out(), StartsWith("{\n  \"name\": \"one\",\n  \"volumeName\": \"data\",\n"
                                "  \"assigned\": true,\n  \"size\": 1073741824,\n  \"zone\": "
                                "\"z\",\n  \"options\": {\n    \"iops\": 3\n  },\n"));
  EXPECT_EQ(run({"disk", "create", "-V", "data", "--disk-name", "two", "-S", "snapshot:x"}),
            ExitCode::kFine);
  EXPECT_THAT(out(), HasSubstr("\"handle\": \"rehearsed:snapshot:x\""));
  EXPECT_EQ(run({"disk", "assign", "-V", "data", "--name", "two"}), ExitCode::kFine) << err();
  EXPECT_EQ(run({"disk", "delete", "-V", "data", "-N", "two"}), ExitCode::kFindings);
  EXPECT_THAT(err(), HasSubstr("Error: disk two is assigned; assign another disk first before "
                               "deletion\n"));
  EXPECT_EQ(run({"disk", "delete", "-V", "data", "-N", "one"}), ExitCode::kFine) << err();
  EXPECT_EQ(rehearsed().disks.size(), 1u);
}

TEST_F(OperateTest, BootstrapsTheDisksOfAllVolumes) {
  EXPECT_EQ(run({"disk", "create", "--bootstrap", "-V", "data"}), ExitCode::kFindings);
  EXPECT_THAT(err(), HasSubstr("--bootstrap cannot be used with --vol-name or --name"));
  EXPECT_EQ(run({"disk", "create", "--bootstrap"}), ExitCode::kFine) << err();
  EXPECT_EQ(rehearsed().disks.size(), 2u);
  EXPECT_THAT(out(), StartsWith("[\n  {\n    \"name\": "));
  EXPECT_EQ(run({"disk", "create", "--bootstrap"}), ExitCode::kFine);
  EXPECT_EQ(out(), "[]\n");
  EXPECT_EQ(rehearsed().disks.size(), 2u);
}

TEST_F(OperateTest, MakesAndDeletesSnapshots) {
  EXPECT_EQ(run({"snapshot", "create", "-V", "data", "--snap-name", "s"}), ExitCode::kFine);
  EXPECT_THAT(out(), StartsWith("{\n  \"name\": \"s\",\n  \"volumeName\": \"data\","));
  EXPECT_EQ(run({"snapshot", "delete", "-V", "data"}), ExitCode::kFindings);
  EXPECT_THAT(err(), StartsWith("Error: --name required\n"));
  EXPECT_EQ(run({"snapshot", "delete", "-V", "data", "-N", "s"}), ExitCode::kFine) << err();
  EXPECT_EQ(run({"snapshot", "list", "-V", "data"}), ExitCode::kFine);
  EXPECT_EQ(out(), "[]\n");
}

TEST_F(OperateTest, WantsTheVolumeToBeNamedAndDeclared) {
  EXPECT_EQ(run({"disk", "list"}), ExitCode::kFindings);
  EXPECT_THAT(err(), StartsWith("Error: --vol-name required\n"));
  EXPECT_EQ(run({"disk", "list", "-V", "none"}), ExitCode::kFindings);
  EXPECT_THAT(err(), StartsWith("Error: volume not defined: none\n"));
}

TEST_F(OperateTest, ManagesNodePoolsByBothPaths) {
  EXPECT_EQ(run({"nodepool", "create", "-f", "-"}, "strake", "name: big\nmode: user\n"),
            ExitCode::kFine)
      << err();
  EXPECT_THAT(out(), StartsWith("{\n  \"name\": \"big\","));
  for (const std::vector<std::string>& path :
       {std::vector<std::string>{"cluster", "nodepool", "list"}, {"nodepool", "list"}}) {
    EXPECT_EQ(run(path, "kompoxops"), ExitCode::kFine) << err();
    EXPECT_EQ(out(), "[\n  {\n    \"name\": \"big\",\n    \"mode\": \"user\"\n  }\n]\n");
  }
  folder_.write("pool.json", R"({"name": "big", "nodes": 1})");
  EXPECT_EQ(run({"nodepool", "update", "-f", "pool.json"}), ExitCode::kFindings);
  EXPECT_THAT(err(), StartsWith("Error: pool.json: unknown field \"nodes\"\n"));
  EXPECT_EQ(run({"nodepool", "delete"}), ExitCode::kFindings);
  EXPECT_EQ(run({"nodepool", "delete", "--name", "big"}), ExitCode::kFine) << err();
  EXPECT_TRUE(rehearsed().pools.empty());
}

TEST_F(OperateTest, SaysWhichCapabilityAProviderLacks) {
  rehearsed().status = {.provisioned = true, .installed = true};
  EXPECT_EQ(run({"dns", "deploy", "--strict"}), ExitCode::kFindings);
  EXPECT_THAT(err(), HasSubstr("is not implemented for rehearsed provider"));
}

constexpr std::string_view kKubeconfig = R"(apiVersion: v1
kind: Config
current-context: c
contexts: [{name: c, context: {cluster: k, user: u}}]
clusters: [{name: k, cluster: {server: "https://127.0.0.1:1"}}]
users: [{name: u, user: {token: canary-token}}]
)";

TEST_F(OperateTest, PrintsWritesAndMergesAKubeconfig) {
  rehearsed().status.provisioned = true;
  rehearsed().kubeconfig = kKubeconfig;
  EXPECT_EQ(run({"cluster", "kubeconfig"}), ExitCode::kFindings);
  EXPECT_THAT(err(), StartsWith("Error: no output target specified; "));
  EXPECT_EQ(run({"cluster", "kubeconfig", "-o", "-"}), ExitCode::kFine) << err();
  EXPECT_THAT(out(), HasSubstr("current-context: kompoxops-blue\n"));
  EXPECT_EQ(run({"cluster", "kubeconfig", "-o", "own.yml", "--namespace", "shop"}),
            ExitCode::kFine);
  EXPECT_THAT(folder_.read("own.yml"), HasSubstr("namespace: shop\n"));
  EXPECT_EQ(std::filesystem::status(folder_ / "own.yml").permissions(),
            std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);

  EXPECT_EQ(run({"cluster", "kubeconfig", "--merge", "--dry-run"}), ExitCode::kFine) << err();
  EXPECT_EQ(out(), "dry-run: will add/update 3 entry(ies); context=kompoxops-blue current=true\n");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "home/.kube/config"));
  EXPECT_EQ(run({"cluster", "kubeconfig", "--merge"}), ExitCode::kFine) << err();
  EXPECT_THAT(folder_.read("home/.kube/config"), HasSubstr("current-context: kompoxops-blue"));
  EXPECT_EQ(run({"cluster", "kubeconfig", "--merge", "--context", "other", "--kubeconfig",
                 "home/.kube/config"}),
            ExitCode::kFine)
      << err();
  EXPECT_THAT(folder_.read("home/.kube/config"), HasSubstr("name: other"));
}

TEST_F(OperateTest, KeepsALogOfEachRun) {
  EXPECT_EQ(run({"cluster", "provision", "--force"}), ExitCode::kFine);
  ASSERT_EQ(log_files().size(), 1u);
  const std::string text = all_logs();
  EXPECT_THAT(text, HasSubstr("\"op\":\"cluster:provision\",\"args\":\"--force"));
  EXPECT_THAT(text, HasSubstr("\"msg\":\"CMD:cluster:provision/S\",\"resourceId\":"
                              "\"/ws/ws/prv/prv/cls/blue\""));
  EXPECT_THAT(text, HasSubstr("\"msg\":\"STEP:create\",\"desc\":\"cluster\""));
  EXPECT_THAT(text, HasSubstr("\"msg\":\"CMD:cluster:provision/EOK\",\"elapsed\":"));
  EXPECT_THAT(text, HasSubstr("\"exitCode\":0}"));
}

TEST_F(OperateTest, LogsWhatItTellsOfAFailure) {
  EXPECT_EQ(run({"disk", "list", "-V", "none"}), ExitCode::kFindings);
  ASSERT_EQ(log_files().size(), 1u);
  EXPECT_EQ(err(), fmt::format("Error: volume not defined: none\nSee log file for details: {}\n",
                               log_files()[0].string()));
  EXPECT_THAT(all_logs(), HasSubstr("\"err\":\"volume not defined: none\""));
  EXPECT_THAT(all_logs(), HasSubstr("\"exitCode\":1}"));
}

TEST_F(OperateTest, TakesTheLogFromFlagsThenVariablesThenTheFile) {
  folder_.write(".kompox/config.yml",
                "version: 1\nlogging: {format: human, dir: $KOMPOX_ROOT/l}\n");
  EXPECT_EQ(run({"cluster", "status"}), ExitCode::kFine) << err();
  EXPECT_TRUE(std::filesystem::exists(folder_ / "l"));
  EXPECT_EQ(run({"cluster", "status", "--log-output", "own.log", "--log-format", "text"}),
            ExitCode::kFine);
  EXPECT_THAT(folder_.read("own.log"), StartsWith("time="));
  EXPECT_EQ(run({"cluster", "status", "--log-format", "xml"}), ExitCode::kFindings);
  EXPECT_EQ(err(), "Error: unsupported log format: xml\n");
  EXPECT_EQ(run({"cluster", "fly", "--log-output", "none"}), ExitCode::kInput);
  EXPECT_EQ(run({"disk", "list", "--log-output", "none"}), ExitCode::kFindings);
  EXPECT_EQ(err(), "Error: --vol-name required\n");
}

TEST_F(OperateTest, KeepsSecretsOutOfLogsAndErrors) {
  rehearsed().status.provisioned = true;
  rehearsed().kubeconfig = kKubeconfig;
  folder_.write("secret.env", "PASSWORD=canary-env\n");
  folder_.write("pull.json", R"({"auths": {"r": {"auth": "canary-pull"}}})");
  std::string told;
  for (const std::vector<std::string>& line : std::initializer_list<std::vector<std::string>>{
           {"cluster", "kubeconfig", "-o", "own.yml"},
           {"cluster", "kubeconfig", "--merge"},
           {"secret", "env", "set", "-S", "web", "-f", "secret.env"},
           {"secret", "pull", "set", "-f", "pull.json"},
           {"app", "status"},
           {"app", "deploy"},
           {"cluster", "status", "--db-url", "sqlite://u:canary-url@h/x"},
           {"disk", "create", "-V", "data", "-O", R"({"password": "canary-option"})"}}) {
    std::vector<std::string> words = line;
    words.insert(words.end(), {"--log-level", "debug"});
    static_cast<void>(run(words));
    told += err();
  }
  // A command in a container may have one among its words.
  static_cast<void>(run(
      {"app", "exec", "--log-level", "debug", "-C", folder_.path(), "--", "sh", "canary-word"}));
  told += err();
  EXPECT_THAT(all_logs(), HasSubstr("\"level\":\"INFO\""));
  EXPECT_THAT(all_logs(), Not(HasSubstr("canary")));
  EXPECT_THAT(told, Not(HasSubstr("canary")));
}

TEST_F(OperateTest, ShowsDeclaredObjectsWithoutTheirSecrets) {
  EXPECT_EQ(run({"admin", "cluster", "list"}, "kompoxops"), ExitCode::kFine) << err();
  EXPECT_EQ(std::ranges::count(out(), '\n'), 2);
  EXPECT_THAT(out(), StartsWith("{\"id\":\"/ws/ws/prv/prv/cls/blue\",\"name\":\"blue\","));
  EXPECT_EQ(run({"admin", "provider", "get", "prv"}, "kompoxops"), ExitCode::kFine) << err();
  EXPECT_THAT(out(), HasSubstr("\"CLIENT_SECRET\": \"***\",\n    \"REGION\": \"here\""));
  EXPECT_EQ(run({"admin", "app", "create", "-f", "x"}, "kompoxops"), ExitCode::kFindings);
  EXPECT_THAT(err(), StartsWith("Error: operation not supported: "));
}

TEST_F(OperateTest, FailsWhereThereIsNoConfiguration) {
  const TemporaryFolder empty;
  FakeWorld world;
  EXPECT_EQ(world.run({"cluster", "status", "-C", empty.path()}), ExitCode::kFindings);
  EXPECT_EQ(world.err.text(),
            fmt::format("Error: KOMPOX_ROOT not specified and .kompox directory not found in "
                        "ancestors of \"{}\"\n",
                        empty.path().string()));
  FakeWorld other;
  EXPECT_EQ(other.run({"cluster", "status", "-C", empty / "none"}), ExitCode::kFindings);
  EXPECT_THAT(other.err.text(), HasSubstr("no such folder"));
}

TEST(OperateInit, MakesARootOnce) {
  const TemporaryFolder folder;
  FakeWorld world;
  EXPECT_EQ(world.run({"init", "-C", folder / "new"}), ExitCode::kFine) << world.err.text();
  EXPECT_EQ(
      world.out.text(),
      fmt::format("created {0}/\ncreated {0}/kom/\ncreated {0}/logs/\ncreated {0}/config.yml\n"
                  "created {0}/.gitignore\n",
                  folder / "new/.kompox"));
  EXPECT_EQ(folder.read("new/.kompox/.gitignore"), "/logs\n");
  FakeWorld again;
  EXPECT_EQ(again.run({"init", "-C", folder / "new"}), ExitCode::kFindings);
  EXPECT_THAT(again.err.text(), HasSubstr("already exists; use --force"));
  FakeWorld forced;
  EXPECT_EQ(forced.run({"init", "--force", "-C", folder / "new"}), ExitCode::kFine);
  // What it made is read.
  FakeWorld status;
  EXPECT_EQ(status.run({"cluster", "status", "-C", folder / "new"}), ExitCode::kFindings);
  EXPECT_THAT(status.err.text(),
              HasSubstr("See log file for details: " + (folder / "new/.kompox/logs/")));
}

TEST(OperateConfig, ShowsTheSingleFileOnOneLine) {
  const TemporaryFolder folder;
  folder.write("kompoxops.yml",
               "version: v1\nworkspace: {name: w}\nprovider: {name: p, driver: local}\ncluster: "
               "{name: c, ingress: {domain: example.test}}\napp: {name: a, compose: \"services: "
               "{w: {image: i}}\"}\n");
  FakeWorld world;
  EXPECT_EQ(world.run({"config", "-C", folder.path()}), ExitCode::kFine) << world.err.text();
  EXPECT_EQ(world.out.text(),
            "version=v1 workspace=w provider=p(local) cluster=c domain=example.test app=a\n");
  FakeWorld none;
  EXPECT_EQ(none.run({"config", "-f", "none.yml", "-C", folder.path()}), ExitCode::kFindings);
}

TEST(ForwardedPort, IsReadAsPeopleWriteIt) {
  for (const auto& [text, local, pod] :
       {std::tuple("8080:80", 8080, 80), std::tuple(":80", 0, 80), std::tuple("80", 80, 80)}) {
    const auto read = read_forwarded_port(text);
    ASSERT_TRUE(read.has_value()) << text;
    EXPECT_EQ(read->local, local);
    EXPECT_EQ(read->pod, pod);
  }
  for (const char* text : {"", "0", "80:", "a:80", "80:65536", "1:2:3", "-1"})
    EXPECT_FALSE(read_forwarded_port(text).has_value()) << text;
}

}  // namespace
}  // namespace strake::cli
