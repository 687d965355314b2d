// The driver `k3s` through the suite of all drivers: the k3s is a server of our own that stands in
// for one. Nothing in it runs Deployments, so they are not waited for.
#include "provider/conformance/conformance.h"

#include <algorithm>
#include <cstdlib>

#include "base/replacement_file.h"
#include "base/subprocess.h"
#include "kube/access.h"
#include "kube/client.h"
#include "provider/k3s/k3s_driver.h"
#include "provider/local/local_driver.h"
#include "value/fields.h"
#include "value/json_reader.h"

namespace strake::provider::k3s {
namespace {

// A server, started and stopped by the driver that does so.
class StandIn {
 public:
  explicit StandIn(const std::string& program) {
    DriverEnvironment from;
    from.program = program;
    from.data_folder = scratch_.path() + "/root";
    auto made = local::make_driver(
        nullptr, {.id = {}, .name = "k3s", .workspace_id = {}, .driver = "local", .settings = {}},
        from);
    EXPECT_TRUE(made) << shown(made);
    driver_ = *std::move(made);
    cluster_.name = "k3s";
    const auto started = driver_.clusters->provision({}, cluster_, {});
    EXPECT_TRUE(started) << shown(started);
  }
  ~StandIn() {
    // Behind all tests, where nothing can be expected any more.
    [[maybe_unused]] const auto gone = driver_.clusters->deprovision({}, cluster_, {});
  }
  StandIn(const StandIn&) = delete;
  StandIn& operator=(const StandIn&) = delete;

  Secret kubeconfig() {
    auto text = driver_.clusters->kubeconfig({}, cluster_);
    EXPECT_TRUE(text) << shown(text);
    return *std::move(text);
  }
  // In a folder that is there.
  std::string path(std::string_view name) const {
    return fmt::format("{}/{}", scratch_.path(), name);
  }

 private:
  ScratchFolder scratch_ = ScratchFolder::make("strake-k3s-").value();
  Driver driver_;
  Cluster cluster_;
};

// One for all tests: each gets it as it was.
class K3sUnderTest final : public DriverUnderTest {
 public:
  explicit K3sUnderTest(const std::string& program) {
    static StandIn shared(program);
    kubeconfig_ = shared.kubeconfig();
    path_ = shared.path("k3s.yaml");
  }
  ~K3sUnderTest() override {
    Driver last = driver(direct_calls());
    const auto gone = last.clusters->uninstall({}, cluster(), {});
    EXPECT_TRUE(gone) << shown(gone);
  }

  Driver driver(ExternalCalls& calls) override {
    // As k3s writes it, where k3s writes it.
    auto file = ReplacementFile::unique(path_);
    EXPECT_TRUE(file && file->replace(kubeconfig_.reveal(), 0600));
    auto made = make_driver(nullptr,
                            {.id = {},
                             .name = "edge",
                             .workspace_id = {},
                             .driver = "k3s",
                             .settings = {{"K3S_KUBECONFIG", path_}}},
                            {}, calls, {.runs_workloads = false});
    EXPECT_TRUE(made) << shown(made);
    return *std::move(made);
  }

  Cluster cluster() override {
    Cluster out;
    out.name = "one";
    out.existing = true;
    return out;
  }

  std::vector<Thing> things() override {
    const kube::Client client(kube::access_of_kubeconfig(kubeconfig_).value(), {});
    std::vector<Thing> out;
    for (const std::string kind :
         {"/api/v1/namespaces", "/api/v1/services", "/api/v1/serviceaccounts", "/api/v1/configmaps",
          "/api/v1/persistentvolumeclaims", "/apis/apps/v1/deployments",
          "/apis/rbac.authorization.k8s.io/v1/clusterroles",
          "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
          "/apis/networking.k8s.io/v1/ingressclasses"}) {
      const auto text = client.get(kind);
      EXPECT_TRUE(text) << text.error().to_string();
      if (!text) continue;
      const auto list = value::read_json(*text);
      for (const value::Value& one : list->root().get("items").items()) {
        const value::Value& about = one.get("metadata");
        const std::string_view name = value::text_of(about, "name");
        const std::string_view in = value::text_of(about, "namespace");
        const bool ours = name.contains("traefik") || in == "traefik";
        if (!ours || name == "kube-root-ca.crt" || name == "default") continue;
        out.push_back({.text = fmt::format("{} {}/{}", kind, in, name),
                       .tagged = value::text_of(about.get("labels"),
                                                "app.kubernetes.io/managed-by") == "kompox"});
      }
    }
    std::ranges::sort(out, {}, &Thing::text);
    return out;
  }

 private:
  std::string path_;
  Secret kubeconfig_;
};

DriverCase k3s_case() {
  DriverCase out;
  out.name = "K3s";
  out.makes_clusters = out.has_volumes = out.has_snapshots = out.has_node_pools = false;
  out.make = [](std::string& why_not) -> std::unique_ptr<DriverUnderTest> {
    const char* program = std::getenv("STRAKE_BINARY");
    if (program != nullptr) return std::make_unique<K3sUnderTest>(program);
    why_not = "STRAKE_BINARY names no program that could stand in for k3s";
    return nullptr;
  };
  return out;
}

}  // namespace
}  // namespace strake::provider::k3s

STRAKE_DRIVER_CONFORMANCE(K3s, k3s::k3s_case())
