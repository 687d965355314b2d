#include "admission/builtin/builtin_admission.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "api/test_server.h"

namespace strake::admission {
namespace {

using api::testing::Answered;
using api::testing::expect_ok;
using api::testing::expect_status;
using api::testing::TestPart;
using api::testing::TestServer;

class BuiltinPart final : public TestPart {
 public:
  explicit BuiltinPart(PluginChoice choice) : choice_(std::move(choice)) {}
  std::vector<const api::Admission*> admission() const override { return {this_one()}; }
  async::Task<> start(api::Core& core) override {
    late_.to = std::make_unique<BuiltinAdmission>(core.registry, choice_);
    co_return Result<>();
  }

 private:
  // The registry comes with the server's core.
  class Late final : public api::Admission {
   public:
    std::unique_ptr<BuiltinAdmission> to;
    api::Eventual<> admit(api::Call& call, const api::AdmissionRequest& request) const override {
      return to ? to->admit(call, request) : api::Answer<>();
    }
  };
  const api::Admission* this_one() const { return &late_; }

  PluginChoice choice_;
  Late late_;
};

// A server of pods and the like, without those plugins.
class PluginServer {
 public:
  explicit PluginServer(std::vector<std::string> disabled = {"ServiceAccount"})
      : server({.root_ca_pem = "PEM", .workloads = true, .part = [disabled](api::Hub&) {
                  return std::make_unique<BuiltinPart>(*PluginChoice::parse({}, disabled));
                }}) {}
  TestServer server;

  Answered post(std::string_view path, std::string_view object) {
    return server.post(path, object);
  }
  Answered pod(std::string_view name, std::string_view more = "",
               std::string_view container = R"({"name":"c","image":"x"})") {
    return post("/api/v1/namespaces/default/pods",
                fmt::format(R"({{"metadata":{{"name":"{}"}},"spec":{{"containers":[{}]{}}}}})",
                            name, container, more));
  }
};

constexpr std::string_view kRanges = "/api/v1/namespaces/default/limitranges";
constexpr std::string_view kClaims = "/api/v1/namespaces/default/persistentvolumeclaims";
constexpr std::string_view kStorageClasses = "/apis/storage.k8s.io/v1/storageclasses";
constexpr std::string_view kPriorities = "/apis/scheduling.k8s.io/v1/priorityclasses";

TEST(PluginChoice, KnowsThePluginsOfKubernetes) {
  const auto parse = [](std::vector<std::string> enabled, std::vector<std::string> disabled) {
    const auto choice = PluginChoice::parse(enabled, disabled);
    return choice ? std::string() : choice.error().message();
  };
  EXPECT_EQ(parse({"LimitRanger", "NamespaceLifecycle"}, {"ServiceAccount", "PodSecurity"}), "");
  // What is not there need not be left out.
  EXPECT_EQ(parse({}, {"NodeRestriction", "AlwaysAdmit"}), "");
  EXPECT_EQ(parse({"AlwaysPullImages"}, {}),
            R"(strake does not have the admission plugin "AlwaysPullImages")");
  EXPECT_EQ(parse({"Nonsense"}, {}), R"(unknown admission plugin "Nonsense")");
  EXPECT_EQ(parse({}, {"Nonsense"}), R"(unknown admission plugin "Nonsense")");
  EXPECT_EQ(parse({}, {"ResourceQuota"}),
            R"(the admission plugin "ResourceQuota" cannot be disabled)");
  EXPECT_EQ(parse({"Priority"}, {"Priority"}),
            R"(the admission plugin "Priority" is both enabled and disabled)");
}

TEST(BuiltinAdmission, GivesPodsTheirTolerationsAndPriority) {
  PluginServer on;
  const Answered made = on.pod("a");
  expect_ok(made, 201);
  EXPECT_EQ(made.at("spec.priority"), "0");
  EXPECT_EQ(made.text("spec.preemptionPolicy"), "PreemptLowerPriority");
  EXPECT_EQ(made.at("spec.tolerations.0.tolerationSeconds"), "300");
  EXPECT_EQ(made.at("spec.serviceAccountName"), "");
  expect_status(on.pod("b", R"(,"priorityClassName":"high")"), 403, "Forbidden",
                R"(pods "b" is forbidden: no PriorityClass with name high was found)");
  expect_ok(on.post(kPriorities, R"({"metadata":{"name":"high"},"value":7,"globalDefault":true})"),
            201);
  EXPECT_EQ(on.pod("b", R"(,"priorityClassName":"high")").at("spec.priority"), "7");
  EXPECT_EQ(on.pod("c").text("spec.priorityClassName"), "high");
  expect_status(
      on.post(kPriorities, R"({"metadata":{"name":"low"},"value":1,"globalDefault":true})"), 403,
      "Forbidden",
      R"(priorityclasses.scheduling.k8s.io "low" is forbidden: PriorityClass high is already marked )"
      "as default. Only one default can exist");
}

TEST(BuiltinAdmission, LeavesPluginsOutThatAreDisabled) {
  PluginServer on({"ServiceAccount", "DefaultTolerationSeconds", "Priority"});
  const Answered made = on.pod("a");
  expect_ok(made, 201);
  EXPECT_EQ(made.at("spec.tolerations"), "");
  EXPECT_EQ(made.at("spec.priority"), "");
}

TEST(BuiltinAdmission, LetsPodsRunAsTheirServiceAccount) {
  PluginServer on({});
  on.server.wait_for(200, "/api/v1/namespaces/default/serviceaccounts/default");
  const Answered made = on.pod("a");
  expect_ok(made, 201);
  EXPECT_EQ(made.text("spec.serviceAccountName"), "default");
  EXPECT_EQ(made.text("spec.serviceAccount"), "default");
  EXPECT_EQ(made.text("spec.volumes.0.name"), made.text("spec.containers.0.volumeMounts.0.name"));
  EXPECT_TRUE(made.text("spec.volumes.0.name").starts_with("kube-api-access-"));
  expect_status(on.pod("b", R"(,"serviceAccountName":"robot")"), 403, "Forbidden",
                R"(pods "b" is forbidden: error looking up service account default/robot: )"
                R"(serviceaccount "robot" not found)");
}

TEST(BuiltinAdmission, FillsInAndChecksTheLimitsOfTheNamespace) {
  PluginServer on;
  expect_ok(on.post(kRanges, R"({"metadata":{"name":"l"},"spec":{"limits":[{"type":"Container",)"
                             R"("max":{"cpu":"2"},"default":{"cpu":"500m"}}]}})"),
            201);
  const Answered made = on.pod("a");
  EXPECT_EQ(made.text("spec.containers.0.resources.limits.cpu"), "500m");
  expect_status(on.pod("b", "", R"({"name":"c","image":"x","resources":{"limits":{"cpu":"3"}}})"),
                403, "Forbidden",
                R"(pods "b" is forbidden: maximum cpu usage per Container is 2, but limit is 3)");
}

TEST(BuiltinAdmission, JudgesPodsByTheLabelsOfTheirNamespace) {
  PluginServer on;
  expect_ok(on.post("/api/v1/namespaces", R"({"metadata":{"name":"safe","labels":{)"
                                          R"("pod-security.kubernetes.io/enforce":"baseline",)"
                                          R"("pod-security.kubernetes.io/warn":"baseline"}}})"),
            201);
  constexpr std::string_view kSpec =
      R"({"hostNetwork":true,"containers":[{"name":"c","image":"x"}]})";
  const Answered refused =
      on.post("/api/v1/namespaces/safe/pods",
              fmt::format(R"({{"metadata":{{"name":"p"}},"spec":{}}})", kSpec));
  expect_status(refused, 403, "Forbidden",
                R"(pods "p" is forbidden: violates PodSecurity "baseline:latest": host namespaces )"
                "(hostNetwork=true)");
  // What makes pods is warned of.
  const Answered warned = on.post(
      "/apis/apps/v1/namespaces/safe/daemonsets",
      fmt::format(
          R"({{"metadata":{{"name":"d"}},"spec":{{"selector":{{"matchLabels":{{"a":"b"}}}},)"
          R"("template":{{"metadata":{{"labels":{{"a":"b"}}}},"spec":{}}}}}}})",
          kSpec));
  expect_ok(warned, 201);
  EXPECT_TRUE(warned.header("Warning").contains("would violate PodSecurity"))
      << warned.header("Warning");
  PluginServer off({"ServiceAccount", "PodSecurity"});
  expect_ok(off.post("/api/v1/namespaces", R"({"metadata":{"name":"safe","labels":{)"
                                           R"("pod-security.kubernetes.io/enforce":"baseline"}}})"),
            201);
  expect_ok(off.post("/api/v1/namespaces/safe/pods",
                     fmt::format(R"({{"metadata":{{"name":"p"}},"spec":{}}})", kSpec)),
            201);
}

TEST(BuiltinAdmission, GivesClaimsTheDefaultClassAndProtectsThem) {
  PluginServer on;
  expect_ok(on.post(kStorageClasses,
                    R"({"metadata":{"name":"fast","annotations":{)"
                    R"("storageclass.kubernetes.io/is-default-class":"true"}},"provisioner":"p"})"),
            201);
  const Answered made =
      on.post(kClaims, R"({"metadata":{"name":"c"},"spec":{"accessModes":["ReadWriteOnce"],)"
                       R"("resources":{"requests":{"storage":"1Gi"}}}})");
  expect_ok(made, 201);
  EXPECT_EQ(made.text("spec.storageClassName"), "fast");
  EXPECT_EQ(made.text("metadata.finalizers.0"), "kubernetes.io/pvc-protection");
}

TEST(BuiltinAdmission, ChecksTheLimitsOfChangedClaimsButLetsThemGo) {
  PluginServer on;
  const auto change = [&](std::string_view name) {
    return on.server.ask({.method = "PATCH",
                          .target = fmt::format("{}/{}", kClaims, name),
                          .body = R"({"metadata":{"labels":{"a":"b"}}})",
                          .type = "application/merge-patch+json"});
  };
  for (const char* name : {"kept", "going"}) {
    expect_ok(on.post(kClaims, fmt::format(R"({{"metadata":{{"name":"{}"}},"spec":{{"accessModes":)"
                                           R"(["ReadWriteOnce"],"resources":{{"requests":)"
                                           R"({{"storage":"2Gi"}}}}}}}})",
                                           name)),
              201);
  }
  expect_ok(on.post(kRanges, R"({"metadata":{"name":"l"},"spec":{"limits":[)"
                             R"({"type":"PersistentVolumeClaim","max":{"storage":"1Gi"}}]}})"),
            201);
  expect_ok(on.server.ask({.method = "DELETE", .target = fmt::format("{}/going", kClaims)}));
  expect_ok(change("going"));
  expect_status(change("kept"), 403, "Forbidden",
                R"(persistentvolumeclaims "kept" is forbidden: maximum storage usage per )"
                "PersistentVolumeClaim is 1Gi, but request is 2Gi");
}

TEST(BuiltinAdmission, ChecksTheLimitsOfResizedPods) {
  PluginServer on;
  expect_ok(on.pod("a", "", R"({"name":"c","image":"x","resources":{"requests":{"cpu":"1"}}})"),
            201);
  expect_ok(on.post(kRanges, R"({"metadata":{"name":"l"},"spec":{"limits":[{"type":"Container",)"
                             R"("min":{"cpu":"500m"}}]}})"),
            201);
  expect_status(
      on.server.ask(
          {.method = "PATCH",
           .target = "/api/v1/namespaces/default/pods/a/resize",
           .body =
               R"({"spec":{"containers":[{"name":"c","resources":{"requests":{"cpu":"100m"}}}]}})",
           .type = "application/strategic-merge-patch+json"}),
      403, "Forbidden",
      R"(pods "a" is forbidden: minimum cpu usage per Container is 500m, but request is 100m)");
}

TEST(BuiltinAdmission, CopiesTheTopologyOfTheNodeToABoundPod) {
  PluginServer on;
  expect_ok(on.post("/api/v1/nodes",
                    R"({"metadata":{"name":"n","labels":{"topology.kubernetes.io/zone":"z"}}})"),
            201);
  const std::pair<const char*, const char*> ways[] = {
      {"a", "/api/v1/namespaces/default/pods/a/binding"},
      {"b", "/api/v1/namespaces/default/bindings"}};
  for (const auto& [name, path] : ways) {
    expect_ok(on.pod(name), 201);
    expect_ok(on.post(path, fmt::format(R"({{"metadata":{{"name":"{}"}},"target":{{"kind":"Node",)"
                                        R"("name":"n"}}}})",
                                        name)),
              201);
    EXPECT_EQ(on.server.get(fmt::format("/api/v1/namespaces/default/pods/{}", name))
                  .at("metadata.labels"),
              R"({"topology.kubernetes.io/zone":"z"})")
        << path;
  }
}

TEST(BuiltinAdmission, TaintsNewNodes) {
  PluginServer on;
  const Answered made = on.post("/api/v1/nodes", R"({"metadata":{"name":"n"}})");
  expect_ok(made, 201);
  EXPECT_EQ(made.text("spec.taints.0.key"), "node.kubernetes.io/not-ready");
}

TEST(BuiltinAdmission, CopiesTheTopologyOfTheNodeToAPod) {
  PluginServer on;
  expect_ok(on.post("/api/v1/nodes",
                    R"({"metadata":{"name":"n","labels":{"topology.kubernetes.io/zone":"z"}}})"),
            201);
  const Answered made = on.pod("a", R"(,"nodeName":"n")");
  expect_ok(made, 201);
  EXPECT_EQ(made.at("metadata.labels"), R"({"topology.kubernetes.io/zone":"z"})");
}

TEST(BuiltinAdmission, RefusesAResizeThatTheNodeCannotCarry) {
  PluginServer on;
  expect_ok(on.pod("a", R"(,"nodeName":"gone")",
                   R"({"name":"c","image":"x","resources":{"requests":{"cpu":"1"}}})"),
            201);
  constexpr std::string_view kResize =
      R"({"spec":{"containers":[{"name":"c","resources":{"requests":{"cpu":"2"}}}]}})";
  const auto resize = [&] {
    return on.server.ask({.method = "PATCH",
                          .target = "/api/v1/namespaces/default/pods/a/resize",
                          .body = kResize,
                          .type = "application/strategic-merge-patch+json"});
  };
  expect_status(resize(), 403, "Forbidden", R"(pods "a" is forbidden: node "gone" not found)");
  expect_ok(on.post("/api/v1/nodes", R"({"metadata":{"name":"gone"}})"), 201);
  const Answered refused = resize();
  expect_status(refused, 403, "Forbidden",
                R"(pods "a" is forbidden: node didn't have enough allocatable resources: cpu, )"
                "requested: 2000, allocatable: 0");
  EXPECT_EQ(refused.text("details.causes.0.reason"), "NodeCapacity");
}

}  // namespace
}  // namespace strake::admission
