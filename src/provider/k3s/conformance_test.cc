// The driver `k3s` through the suite of all drivers: the k3s is a server of our own that stands in
// for one. Nothing in it runs Deployments, so they are not waited for.
#include "provider/conformance/conformance.h"

#include <algorithm>
#include <cstdlib>

#include "base/subprocess.h"
#include "kube/access.h"
#include "kube/client.h"
#include "provider/k3s/k3s_driver.h"
#include "provider/local/local_driver.h"
#include "base/replacement_file.h"
#include "value/fields.h"
#include "value/json_reader.h"

namespace strake::provider::k3s {
namespace {

// Started once, by the driver that starts servers.
class K3sUnderTest final : public DriverUnderTest {
 public:
  static std::unique_ptr<DriverUnderTest> make(const std::string& program, std::string& why_not) {
    auto scratch = ScratchFolder::make("strake-k3s-");
    if (!scratch) {
      why_not = scratch.error().to_string();
      return nullptr;
    }
    std::unique_ptr<K3sUnderTest> out(new K3sUnderTest(*std::move(scratch)));
    DriverEnvironment from;
    from.program = program;
    from.data_folder = out->scratch_.path() + "/root";
    auto server = local::make_driver(nullptr, {.id = {}, .name = "k3s", .workspace_id = {},
                                               .driver = "local", .settings = {}},
                                     from);
    EXPECT_TRUE(server) << shown(server);
    out->server_ = *std::move(server);
    out->stands_in_.name = "k3s";
    const auto started = out->server_.clusters->provision({}, out->stands_in_, {});
    EXPECT_TRUE(started) << shown(started);
    const auto kubeconfig = out->server_.clusters->kubeconfig({}, out->stands_in_);
    EXPECT_TRUE(kubeconfig) << shown(kubeconfig);
    out->kubeconfig_ = *kubeconfig;
    return out;
  }
  ~K3sUnderTest() override {
    const auto gone = server_.clusters->deprovision({}, stands_in_, {});
    EXPECT_TRUE(gone) << shown(gone);
  }

  Driver driver(ExternalCalls& calls) override {
    // As k3s writes it, where k3s writes it.
    const std::string path = scratch_.path() + "/k3s.yaml";
    auto file = ReplacementFile::unique(path);
    EXPECT_TRUE(file && file->replace(kubeconfig_.reveal(), 0600));
    auto made = make_driver(nullptr, {.id = {}, .name = "edge", .workspace_id = {}, .driver = "k3s",
                                      .settings = {{"K3S_KUBECONFIG", path}}},
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
  explicit K3sUnderTest(ScratchFolder scratch) : scratch_(std::move(scratch)) {}

  ScratchFolder scratch_;
  Driver server_;
  Cluster stands_in_;
  Secret kubeconfig_;
};

DriverCase k3s_case() {
  DriverCase out;
  out.name = "K3s";
  out.makes_clusters = out.has_volumes = out.has_snapshots = out.has_node_pools = false;
  out.make = [](std::string& why_not) -> std::unique_ptr<DriverUnderTest> {
    const char* program = std::getenv("STRAKE_BINARY");
    if (program != nullptr) return K3sUnderTest::make(program, why_not);
    why_not = "STRAKE_BINARY names no program that could stand in for k3s";
    return nullptr;
  };
  return out;
}

}  // namespace
}  // namespace strake::provider::k3s

STRAKE_DRIVER_CONFORMANCE(K3s, k3s::k3s_case())
