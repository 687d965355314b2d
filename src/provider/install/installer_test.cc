#include "provider/install/installer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kube/test_cluster.h"
#include "provider/install/api_call.h"
#include "provider/install/ingress_manifests.h"

namespace strake::provider {
namespace {

using kube::testing::TestCluster;
using ::testing::Contains;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

class NotedSteps final : public Journal {
 public:
  void step(std::string_view verb, std::string_view what, const Fields& /*fields*/) override {
    steps.push_back(fmt::format("{} {}", verb, what));
  }
  void warn(std::string_view what, const Fields& fields) override {
    std::string text(what);
    for (const auto& [key, value] : fields) text += fmt::format(" {}={}", key, value);
    warnings.push_back(std::move(text));
  }
  std::vector<std::string> steps;
  std::vector<std::string> warnings;
};

constexpr std::string_view kDeployment = "/apis/apps/v1/namespaces/traefik/deployments/traefik";

class Install : public ::testing::Test {
 protected:
  Install() { there_.name = "c"; }

  Installer installer(InstallerOptions options = {.runs_workloads = false}) {
    return Installer::connect(world_.kubeconfig(), std::move(options), direct_calls()).value();
  }
  Call call() { return {.deadline = Deadline::after(std::chrono::minutes(1)), .journal = &noted_}; }
  void prepare() {
    ASSERT_TRUE(installer().ensure_ingress_namespace(call(), there_));
    ASSERT_TRUE(installer().ensure_ingress_account(call(), there_, {}));
    noted_ = {};
  }
  Outcome<> install(IngressInstall how = {}, InstallerOptions options = {.runs_workloads = false}) {
    return installer(std::move(options)).install_ingress(call(), there_, how);
  }
  // As the controllers of a cluster would.
  void make_ready_when_asked(std::string status) {
    world_.answer_instead([this, status](const http::Request& request) {
      if (request.query.contains("watch=true") && request.path.ends_with("/deployments"))
        world_.server().merge(fmt::format("{}/status", kDeployment), status);
      return std::optional<http::Response>();
    });
  }

  TestCluster world_;
  Cluster there_;
  NotedSteps noted_;
};

TEST_F(Install, NeedsAKubeconfigThatCanBeUsedWithoutAProgram) {
  EXPECT_EQ(Installer::connect(Secret(""), {}, direct_calls()).error().message(),
            "kubeconfig is empty");
  const Secret with_plugin(
      "{apiVersion: v1, kind: Config, current-context: a, clusters: [{name: c, cluster: {server: "
      "'http://127.0.0.1:1'}}], users: [{name: u, user: {exec: {command: x, apiVersion: v1}}}], "
      "contexts: [{name: a, context: {cluster: c, user: u}}]}");
  EXPECT_EQ(Installer::connect(with_plugin, {}, direct_calls()).error().error_class(),
            FailureClass::kNotImplemented);
}

TEST_F(Install, MakesTheNamespaceAndItsAccountOnce) {
  ASSERT_TRUE(installer().ensure_ingress_namespace(call(), there_));
  ASSERT_TRUE(installer().ensure_ingress_account(call(), there_, {{"id", "7"}}));
  EXPECT_THAT(noted_.steps, ElementsAre("create Namespace traefik",
                                        "create ServiceAccount traefik/ingress-service-account"));
  world_.forget_requests();
  noted_ = {};
  ASSERT_TRUE(installer().ensure_ingress_namespace(call(), there_));
  ASSERT_TRUE(installer().ensure_ingress_account(call(), there_, {{"id", "7"}}));
  EXPECT_EQ(world_.writes(), 0U);
  EXPECT_THAT(noted_.steps, Each(StartsWith("skip ")));
}

TEST_F(Install, InstallsTheControllerAndTheSecondTimeWritesNothing) {
  prepare();
  const auto installed = install();
  ASSERT_TRUE(installed) << installed.error().message();
  EXPECT_THAT(
      noted_.steps,
      ElementsAre("create ClusterRole traefik-traefik", "create ClusterRoleBinding traefik-traefik",
                  "create IngressClass traefik", "create ConfigMap traefik/traefik",
                  "create PersistentVolumeClaim traefik/traefik", "create Service traefik/traefik",
                  "create Deployment traefik/traefik", "skip wait for Deployment traefik/traefik"));
  world_.forget_requests();
  noted_ = {};
  ASSERT_TRUE(install());
  EXPECT_EQ(world_.writes(), 0U) << fmt::format("{}", fmt::join(noted_.steps, "\n"));
  world_.forget_requests();
  ASSERT_TRUE(install({.force = true}));
  EXPECT_EQ(world_.writes(), 7U);
}

TEST_F(Install, WaitsUntilTheControllerIsReady) {
  prepare();
  make_ready_when_asked(
      R"({"status":{"observedGeneration":1,"replicas":1,"updatedReplicas":1,"readyReplicas":1,"availableReplicas":1}})");
  const auto installed = install({}, {});
  ASSERT_TRUE(installed) << installed.error().message();
  EXPECT_EQ(noted_.steps.back(), "ready Deployment traefik/traefik");
}

TEST_F(Install, TakesAFirstInstallBackThatDoesNotBecomeReady) {
  prepare();
  make_ready_when_asked(
      R"({"status":{"observedGeneration":1,"replicas":1,"conditions":[{"type":"Progressing","status":"False","reason":"ProgressDeadlineExceeded"}]}})");
  const auto installed = install({}, {});
  ASSERT_FALSE(installed);
  EXPECT_EQ(installed.error().error_class(), FailureClass::kServer);
  EXPECT_THAT(installed.error().message(), HasSubstr("ingress controller: "));
  EXPECT_THAT(installed.error().message(), HasSubstr("exceeded its progress deadline"));
  EXPECT_THAT(noted_.steps, Contains("roll back Deployment traefik/traefik"));
  EXPECT_THAT(noted_.warnings, IsEmpty());
  EXPECT_EQ(world_.server().get("/api/v1/namespaces/traefik/services/traefik").code, 404);
  EXPECT_EQ(world_.server().get("/apis/networking.k8s.io/v1/ingressclasses/traefik").code, 404);
}

TEST_F(Install, TellsOfTimeThatRanOutInItsOwnWait) {
  prepare();
  const auto installed = install({}, {.ready_within = std::chrono::milliseconds(300)});
  ASSERT_FALSE(installed);
  EXPECT_EQ(installed.error().error_class(), FailureClass::kTimeout);
  EXPECT_THAT(installed.error().message(),
              HasSubstr("Deployment traefik/traefik: has not been looked at by its controller"));
  EXPECT_EQ(world_.server().get(kDeployment).code, 404) << "it was rolled back";
}

TEST_F(Install, PutsAnOlderControllerBackWhenANewOneDoesNotBecomeReady) {
  prepare();
  ASSERT_TRUE(install({.edit = [](IngressValues& values) -> Outcome<> {
    values.image = "traefik:old";
    values.config_files["a.yaml"] = "old";
    return {};
  }}));
  const auto installed = install({.edit = [](IngressValues& values) -> Outcome<> {
                                   values.image = "traefik:new";
                                   values.config_files["b.yaml"] = "new";
                                   return {};
                                 }},
                                 {.ready_within = std::chrono::milliseconds(300)});
  ASSERT_FALSE(installed);
  EXPECT_EQ(world_.server().get(kDeployment).text("spec.template.spec.containers.0.image"),
            "traefik:old");
  EXPECT_EQ(world_.server().get("/api/v1/namespaces/traefik/configmaps/traefik").at("data"),
            R"({"a.yaml":"old"})");
  EXPECT_EQ(world_.server().get("/api/v1/namespaces/traefik/services/traefik").code, 200);
  EXPECT_THAT(noted_.warnings, IsEmpty());
}

TEST_F(Install, TakesBackWhatItCouldWhenAnObjectIsRefused) {
  prepare();
  world_.answer_instead([](const http::Request& request) -> std::optional<http::Response> {
    if (request.method == "PATCH" && request.path.contains("/deployments/"))
      return http::testing::text_response("broken", 500);
    return std::nullopt;
  });
  const auto installed = install();
  ASSERT_FALSE(installed);
  EXPECT_EQ(installed.error().error_class(), FailureClass::kServer);
  EXPECT_EQ(world_.server().get("/api/v1/namespaces/traefik/services/traefik").code, 404);
}

TEST_F(Install, FailsWithTheEditOfTheDriver) {
  const auto refused = install({.edit = [](IngressValues&) -> Outcome<> {
    return refuse(FailureClass::kValidation, "no identity");
  }});
  EXPECT_EQ(refused.error().message(), "no identity");
  EXPECT_THAT(world_.requests(), IsEmpty());
}

TEST_F(Install, IsTakenAwayWithEverythingThatItMade) {
  prepare();
  ASSERT_TRUE(install());
  ASSERT_TRUE(installer().uninstall_ingress(call(), there_));
  for (const kube::ObjectRef& one : ingress_objects("traefik"))
    EXPECT_THAT(noted_.steps, Contains(HasSubstr(fmt::format("delete {} ", one.of.kind))));
  ASSERT_TRUE(installer().delete_ingress_namespace(call(), there_));
  EXPECT_EQ(world_.server().get("/api/v1/namespaces/traefik").code, 404);
  EXPECT_EQ(
      world_.server().get("/apis/rbac.authorization.k8s.io/v1/clusterroles/traefik-traefik").code,
      404);
  noted_ = {};
  ASSERT_TRUE(installer().uninstall_ingress(call(), there_)) << "absent is fine";
  ASSERT_TRUE(installer().delete_ingress_namespace(call(), there_));
  EXPECT_THAT(noted_.steps, Each(StartsWith("skip ")));
}

TEST_F(Install, DeletesTheRestWhenOneObjectStays) {
  prepare();
  ASSERT_TRUE(install());
  world_.answer_instead([](const http::Request& request) -> std::optional<http::Response> {
    if (request.method == "DELETE" && request.path.contains("/services/"))
      return http::testing::text_response("busy", 409);
    return std::nullopt;
  });
  const auto removed = installer().uninstall_ingress(call(), there_);
  ASSERT_FALSE(removed);
  EXPECT_EQ(removed.error().error_class(), FailureClass::kConflict);
  EXPECT_THAT(removed.error().message(), HasSubstr("Service traefik/traefik: "));
  EXPECT_EQ(world_.server().get("/apis/networking.k8s.io/v1/ingressclasses/traefik").code, 404);
}

TEST_F(Install, ChangesNothingInADryRun) {
  Call planned = call();
  planned.dry_run = true;
  ASSERT_TRUE(installer().ensure_ingress_namespace(planned, there_));
  ASSERT_TRUE(installer().ensure_ingress_account(planned, there_, {}));
  const auto installed = installer().install_ingress(planned, there_, {});
  ASSERT_TRUE(installed) << installed.error().message();
  ASSERT_TRUE(installer().apply_yaml(planned,
                                     "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}", ""));
  EXPECT_EQ(noted_.steps.size(), 10U);
  EXPECT_THAT(noted_.steps, Each(StartsWith("plan create ")));
  EXPECT_EQ(world_.writes(), 0U);
  prepare();
  ASSERT_TRUE(install());
  noted_ = {};
  world_.forget_requests();
  ASSERT_TRUE(installer().install_ingress(planned, there_, {}));
  EXPECT_THAT(noted_.steps, Each(StartsWith("skip ")));
  noted_ = {};
  ASSERT_TRUE(installer().uninstall_ingress(planned, there_));
  ASSERT_TRUE(installer().delete_ingress_namespace(planned, there_));
  EXPECT_THAT(noted_.steps, Each(StartsWith("plan delete ")));
  EXPECT_EQ(world_.writes(), 0U);
}

TEST_F(Install, IsSeenByItsNamespaceAndItsService) {
  EXPECT_FALSE(installer().ingress_state(call(), there_)->installed);
  prepare();
  EXPECT_FALSE(installer().ingress_state(call(), there_)->installed);
  ASSERT_TRUE(install());
  EXPECT_TRUE(installer().ingress_state(call(), there_)->installed);
  EXPECT_EQ(installer().ingress_state(call(), there_)->ip, "");
  world_.server().merge("/api/v1/namespaces/traefik/services/traefik/status",
                        R"({"status":{"loadBalancer":{"ingress":[{"ip":"192.0.2.7"}]}}})");
  EXPECT_EQ(installer().ingress_state(call(), there_)->ip, "192.0.2.7");
}

TEST_F(Install, IsNotSeenThroughAnApiThatDoesNotAnswer) {
  prepare();
  ASSERT_TRUE(install());
  for (const int status : {401, 403, 500, 503}) {
    world_.answer_instead([status](const http::Request&) -> std::optional<http::Response> {
      return http::testing::text_response("no", status);
    });
    const auto state = installer().ingress_state(call(), there_);
    ASSERT_TRUE(state) << status;
    EXPECT_FALSE(state->installed) << status;
  }
  kube::Access nowhere;
  nowhere.server = "http://127.0.0.1:1";
  Installer unreachable(kube::Client(std::move(nowhere), {}), {}, direct_calls());
  EXPECT_FALSE(unreachable.ingress_state(call(), there_)->installed);
  CancelSource source;
  source.cancel();
  Call cancelled = call();
  cancelled.cancel = source.token();
  EXPECT_EQ(unreachable.ingress_state(cancelled, there_).error().error_class(),
            FailureClass::kCanceled);
}

TEST_F(Install, HearsCancellationAtEveryCall) {
  for (std::size_t request = 1;; ++request) {
    ASSERT_LT(request, 100U) << "it does not end";
    SCOPED_TRACE(fmt::format("cancelled at request {}", request));
    CancelSource source;
    world_.cancel_at(request, &source);
    Call mine = call();
    mine.cancel = source.token();
    Installer one = installer();
    const auto all = [&]() -> Outcome<> {
      STRAKE_CHECK(one.ensure_ingress_namespace(mine, there_));
      STRAKE_CHECK(one.ensure_ingress_account(mine, there_, {}));
      STRAKE_CHECK(one.install_ingress(mine, there_, {}));
      STRAKE_CHECK(one.apply_yaml(mine, "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}",
                                  "traefik"));
      STRAKE_TRY(const IngressState state, one.ingress_state(mine, there_));
      EXPECT_TRUE(state.installed);
      STRAKE_CHECK(one.uninstall_ingress(mine, there_));
      return one.delete_ingress_namespace(mine, there_);
    };
    const Outcome<> outcome = all();
    world_.cancel_at(0, nullptr);
    if (!source.cancelled()) {
      EXPECT_TRUE(outcome) << outcome.error().message();
      EXPECT_EQ(world_.server().get("/api/v1/namespaces/traefik").code, 404);
      break;
    }
    ASSERT_FALSE(outcome);
    EXPECT_EQ(outcome.error().error_class(), FailureClass::kCanceled) << outcome.error().message();
  }
}

// Breaks one step off, before it is taken or after.
class BreakOff final : public ExternalCalls {
 public:
  BreakOff(std::size_t at, bool after) : at_(at), after_(after) {}
  Outcome<> before(const Call&, const ExternalStep& step) override {
    EXPECT_THAT(std::string(step.target), Not(HasSubstr("?")));
    ++steps;
    return steps == at_ && !after_ ? break_off() : Outcome<>();
  }
  Outcome<> after(const Call&, const ExternalStep&) override {
    return steps == at_ && after_ ? break_off() : Outcome<>();
  }
  std::size_t steps = 0;
  bool broke = false;

 private:
  Outcome<> break_off() {
    broke = true;
    return refuse(FailureClass::kServer, "the line was cut");
  }
  std::size_t at_;
  bool after_;
};

TEST_F(Install, EndsInTheSameStateWhenAnyStepWasBrokenOff) {
  const auto run = [&](ExternalCalls& calls) -> Outcome<> {
    STRAKE_TRY(Installer one,
               Installer::connect(world_.kubeconfig(), {.runs_workloads = false}, calls));
    STRAKE_CHECK(one.ensure_ingress_namespace(call(), there_));
    STRAKE_CHECK(one.ensure_ingress_account(call(), there_, {{"a", "b"}}));
    return one.install_ingress(call(), there_, {});
  };
  for (const bool after : {false, true}) {
    for (std::size_t at = 1;; ++at) {
      SCOPED_TRACE(fmt::format("step {} {}", at, after ? "after" : "before"));
      BreakOff calls(at, after);
      const Outcome<> first = run(calls);
      if (calls.steps < at) {
        EXPECT_TRUE(first);
        break;
      }
      // What was not there has not gone well, and has no end to break off.
      ASSERT_EQ(first.has_value(), !calls.broke);
      if (!first)
        EXPECT_EQ(first.error().error_class(), FailureClass::kServer) << first.error().message();
      ASSERT_TRUE(run(direct_calls()));
      world_.forget_requests();
      ASSERT_TRUE(run(direct_calls()));
      EXPECT_EQ(world_.writes(), 0U);
      ASSERT_TRUE(installer().uninstall_ingress(call(), there_));
      ASSERT_TRUE(installer().delete_ingress_namespace(call(), there_));
    }
  }
}

TEST_F(Install, ShowsNoSecretOfTheKubeconfig) {
  prepare();
  world_.answer_instead([](const http::Request&) -> std::optional<http::Response> {
    return http::testing::text_response("no", 500);
  });
  const auto refused = install();
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message(), Not(HasSubstr("canary")));
  for (const std::string& one : noted_.steps) EXPECT_THAT(one, Not(HasSubstr("canary")));
  for (const std::string& one : noted_.warnings) EXPECT_THAT(one, Not(HasSubstr("canary")));
}

TEST(ApiFailure, IsOfTheServerWhenItAnswersWith5xx) {
  EXPECT_EQ(api_failure(Error(Code::kInternal, "x")).error_class(), FailureClass::kServer);
  EXPECT_EQ(api_failure(Error(Code::kForbidden, "x")).error_class(), FailureClass::kAuth);
  EXPECT_EQ(api_failure(Error(Code::kCancelled, "x")).error_class(), FailureClass::kCanceled);
  EXPECT_EQ(api_failure(Error(Code::kTooManyRequests, "x")).error_class(),
            FailureClass::kThrottled);
}

}  // namespace
}  // namespace strake::provider
