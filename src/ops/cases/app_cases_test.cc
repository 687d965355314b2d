#include "ops/cases/app_cases.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ops/cases/box_cases.h"
#include "ops/cases/test_site.h"

namespace strake::ops {
namespace {

using provider::FailureClass;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::KubeSite;
using ::testing::Not;
using testing::shown;

const DeployOptions kWithDisks{.bootstrap_disks = true};

class AppCases : public ::testing::Test {
 protected:
  KubeSite site_;
};

TEST_F(AppCases, TellWhatStandsInTheWay) {
  const auto missing = validate_app(site_.session(), site_.call(), site_.app);
  ASSERT_TRUE(missing) << shown(missing);
  EXPECT_TRUE(missing->check_valid());
  EXPECT_EQ(shown(missing->check_deployable()),
            "validation: validation blocked (2 warnings, 0 errors)");
  EXPECT_EQ(missing->issues.front().message, "volume assignment missing (count=0) volume=data");
  EXPECT_EQ(shown(site_.deploy()), "validation: validation blocked (2 warnings, 0 errors)");
  EXPECT_THAT(site_.told.text(), HasSubstr("volume_assignment_missing"));
  EXPECT_EQ(site_.kube.writes(), 0U);
  site_.app.compose = "services: [";
  const auto wrong = validate_app(site_.session(), site_.call(), site_.app);
  EXPECT_EQ(shown(wrong.value().check_valid()), "validation: validation failed (1 errors)");
}

TEST_F(AppCases, ValidateWithoutAClusterThatIsDeclared) {
  site_.app.cluster_id = "/none";
  const auto found = validate_app(site_.session(), site_.call(), site_.app);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->issues.front().code, "cluster_not_found");
  EXPECT_THAT(found->compose, HasSubstr("nginx"));
}

TEST_F(AppCases, DeployOnceAndThenFindItDone) {
  const auto first = site_.deploy(kWithDisks);
  ASSERT_TRUE(first) << shown(first);
  EXPECT_EQ(first->disks.size(), 2U);
  EXPECT_EQ(first->updated + first->unchanged + first->pruned, 0U);
  EXPECT_EQ(first->created, site_.titles().size());
  EXPECT_THAT(site_.titles(), Contains("Deployment app1-app"));
  EXPECT_THAT(site_.titles(), Contains("Ingress app1-app-custom"));
  EXPECT_FALSE(site_.pod_hash().empty());
  const std::string before = site_.state();
  site_.kube.forget_requests();
  site_.calls.disarm();
  const auto again = site_.deploy(kWithDisks);
  ASSERT_TRUE(again) << shown(again);
  EXPECT_EQ(again->unchanged, first->created);
  EXPECT_EQ(again->created + again->updated + again->pruned, 0U);
  EXPECT_THAT(again->disks, IsEmpty());
  EXPECT_EQ(site_.kube.writes(), 0U);
  EXPECT_THAT(site_.calls.writes(), IsEmpty());
  EXPECT_EQ(site_.state(), before);
}

TEST_F(AppCases, PlanADeployToNothing) {
  const auto plan = deploy_app(site_.session(), site_.dry_call(), site_.app,
                               {.bootstrap_disks = true, .update_dns = true});
  ASSERT_TRUE(plan) << shown(plan);
  EXPECT_EQ(site_.kube.writes(), 0U);
  EXPECT_THAT(site_.calls.writes(), IsEmpty());
  EXPECT_EQ(plan->disks.size(), 2U);
  EXPECT_THAT(site_.told.text(), HasSubstr("create Deployment"));
  EXPECT_THAT(site_.told.text(), HasSubstr("create PersistentVolume of volume data"));
  EXPECT_THAT(site_.told.text(), HasSubstr("create PersistentVolumeClaim of volume db"));
  const auto done = site_.deploy(kWithDisks);
  EXPECT_EQ(done.value().created, plan->created);
}

TEST_F(AppCases, PlanAChange) {
  ASSERT_TRUE(site_.deploy(kWithDisks));
  site_.app.compose.replace(site_.app.compose.find("nginx:1.27"), 10, "nginx:1.28");
  site_.told = {};
  site_.kube.forget_requests();
  const auto plan = deploy_app(site_.session(), site_.dry_call(), site_.app, {});
  ASSERT_TRUE(plan) << shown(plan);
  EXPECT_EQ(plan->updated, 1U);
  EXPECT_EQ(plan->created, 0U);
  EXPECT_THAT(site_.told.text(), HasSubstr("update Deployment"));
  EXPECT_EQ(site_.kube.writes(), 0U);
}

TEST_F(AppCases, DeleteHeadlessServicesOfServicesThatAreGone) {
  ASSERT_TRUE(site_.deploy(kWithDisks));
  ASSERT_THAT(site_.titles(), Contains("Service api"));
  const std::size_t at = site_.app.compose.find("  api:");
  site_.app.compose.erase(at, site_.app.compose.find("  db:") - at);
  const auto plan = deploy_app(site_.session(), site_.dry_call(), site_.app, {});
  EXPECT_EQ(plan.value().pruned, 1U);
  ASSERT_THAT(site_.titles(), Contains("Service api"));
  const auto done = site_.deploy();
  EXPECT_EQ(done.value().pruned, 1U);
  EXPECT_THAT(site_.titles(), Not(Contains("Service api")));
  EXPECT_THAT(site_.titles(), Contains("Service db"));
}

TEST_F(AppCases, StartPodsAnewWhenWhatTheyReferToChanges) {
  ASSERT_TRUE(site_.deploy(kWithDisks));
  const std::string before = site_.pod_hash();
  site_.app.compose.replace(site_.app.compose.find("welcome"), 7, "goodbye");
  ASSERT_TRUE(site_.deploy());
  EXPECT_NE(site_.pod_hash(), before);
  site_.app.compose.replace(site_.app.compose.find("goodbye"), 7, "welcome");
  ASSERT_TRUE(site_.deploy());
  EXPECT_EQ(site_.pod_hash(), before);
}

TEST_F(AppCases, OnlyWarnWhenTheHashCannotBeSet) {
  site_.kube.answer_instead([](const http::Request& request) -> std::optional<http::Response> {
    if (request.method != "PATCH" || request.query.contains("fieldManager")) return std::nullopt;
    http::Response out;
    out.status = 500;
    return out;
  });
  const auto done = site_.deploy(kWithDisks);
  ASSERT_TRUE(done) << shown(done);
  EXPECT_EQ(site_.told.warnings(), 1U);
  EXPECT_TRUE(site_.pod_hash().empty());
  site_.kube.answer_instead({});
  ASSERT_TRUE(site_.deploy());
  EXPECT_FALSE(site_.pod_hash().empty());
}

TEST_F(AppCases, WaitForTheDeploymentWhereSomebodyRunsIt) {
  ASSERT_TRUE(site_.deploy(kWithDisks));  // nobody does yet
  EXPECT_THAT(site_.told.text(), HasSubstr("nothing in the cluster runs Deployments"));
  site_.kube.server().merge(
      site_.path("deployments", "app1-app/status"),
      R"({"status":{"observedGeneration":99,"replicas":1,"updatedReplicas":1}})");
  const auto late = site_.deploy({.ready_within = std::chrono::milliseconds(200)});
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().error_class(), FailureClass::kTimeout);
  EXPECT_THAT(late.error().message(), HasSubstr("0 of 1 replicas are available"));
  EXPECT_TRUE(site_.deploy({.ready_within = std::chrono::seconds(0)}));
  site_.kube.server().merge(site_.path("deployments", "app1-app/status"),
                            R"({"status":{"readyReplicas":1,"availableReplicas":1}})");
  const auto ready = site_.deploy();
  EXPECT_TRUE(ready) << shown(ready);
}

TEST_F(AppCases, UpdateDnsOfWhatIsDeployed) {
  ASSERT_TRUE(site_.deploy(kWithDisks));
  site_.give_address("app1-app-custom", "192.0.2.7");
  const auto done = site_.deploy({.update_dns = true});
  ASSERT_TRUE(done) << shown(done);
  EXPECT_EQ(site_.fake.dns.at("A www.shop.test"), "192.0.2.7");
  const auto gone = destroy_app(site_.session(), site_.call(), site_.app, {.update_dns = true});
  ASSERT_TRUE(gone) << shown(gone);
  EXPECT_THAT(site_.fake.dns, IsEmpty());
}

TEST_F(AppCases, DestroyAllButTheNamespaceAndTheDisks) {
  const auto made = site_.deploy(kWithDisks);
  ASSERT_TRUE(made);
  const auto plan = destroy_app(site_.session(), site_.dry_call(), site_.app);
  EXPECT_EQ(plan.value().deleted, made->created - 1);
  EXPECT_EQ(site_.titles().size(), made->created);
  const auto done = destroy_app(site_.session(), site_.call(), site_.app);
  ASSERT_TRUE(done) << shown(done);
  EXPECT_EQ(done->deleted, made->created - 1);
  EXPECT_THAT(site_.titles(), ::testing::ElementsAre("Namespace " + site_.namespace_name()));
  EXPECT_EQ(site_.fake.assigned("data"), 1U);
  const auto again = destroy_app(site_.session(), site_.call(), site_.app);
  EXPECT_EQ(again.value().deleted, 0U);
  ASSERT_TRUE(
      destroy_app(site_.session(), site_.dry_call(), site_.app, {.delete_namespace = true}));
  EXPECT_EQ(site_.titles().size(), 1U);
  const auto last =
      destroy_app(site_.session(), site_.call(), site_.app, {.delete_namespace = true});
  ASSERT_TRUE(last) << shown(last);
  EXPECT_THAT(site_.titles(), IsEmpty());
  EXPECT_TRUE(destroy_app(site_.session(), site_.call(), site_.app, {.delete_namespace = true}));
  const auto back = site_.deploy();
  EXPECT_EQ(back.value().created, made->created);
}

TEST_F(AppCases, DestroyNothingElse) {
  ASSERT_TRUE(site_.deploy(kWithDisks));
  KubeSite other;
  // The same cluster, another app of the same provider.
  other.fake.kubeconfig = site_.fake.kubeconfig;
  other.app.id = other.cluster.id + "/app/app2";
  other.app.name = "app2";
  ASSERT_TRUE(other.deploy(kWithDisks));
  const std::size_t all = site_.titles().size();
  const auto gone =
      destroy_app(site_.session(), site_.call(), site_.app, {.delete_namespace = true});
  ASSERT_TRUE(gone);
  EXPECT_EQ(gone->deleted, all / 2);
  EXPECT_EQ(site_.titles().size(), all / 2);
}

TEST_F(AppCases, DestroyNothingWhereTheClusterIsGone) {
  site_.fake.provisioned = false;
  site_.fake.kubeconfig = Secret();
  const auto gone = destroy_app(site_.session(), site_.call(), site_.app,
                                {.delete_namespace = true, .update_dns = true});
  EXPECT_TRUE(gone) << shown(gone);
  EXPECT_THAT(site_.told.text(), HasSubstr("not provisioned"));
}

TEST_F(AppCases, DestroyWhenDnsCannotBeReached) {
  ASSERT_TRUE(site_.deploy(kWithDisks));
  site_.fake.failures.emplace("ClusterDNSApply",
                              provider::Failure(FailureClass::kValidation, "no zones"));
  const auto gone = destroy_app(site_.session(), site_.call(), site_.app, {.update_dns = true});
  ASSERT_TRUE(gone) << shown(gone);
  EXPECT_EQ(site_.titles().size(), 1U);
  EXPECT_GT(site_.told.warnings(), 0U);
}

TEST_F(AppCases, DestroyGoesOnAfterAFailure) {
  ASSERT_TRUE(site_.deploy(kWithDisks));
  site_.kube.answer_instead([](const http::Request& request) -> std::optional<http::Response> {
    if (request.method != "DELETE" || !request.path.contains("/configmaps/")) return std::nullopt;
    http::Response out;
    out.status = 403;
    return out;
  });
  const auto gone = destroy_app(site_.session(), site_.call(), site_.app);
  ASSERT_FALSE(gone);
  EXPECT_EQ(gone.error().error_class(), FailureClass::kAuth);
  EXPECT_EQ(site_.titles().size(), 2U);  // and the namespace
  site_.kube.answer_instead({});
  EXPECT_EQ(destroy_app(site_.session(), site_.call(), site_.app).value().deleted, 1U);
}

TEST_F(AppCases, WaitForWhatIsStillBeingDeletedAndMakeItAnew) {
  ASSERT_TRUE(site_.deploy(kWithDisks));
  const kube::ObjectRef volume{
      .of = {.api_version = "v1", .kind = "PersistentVolume"},
      .namespace_name = {},
      .name = site_.names().volume_name("data", site_.fake.disks["data"].front().handle)};
  const kube::Client client = site_.kube.client();
  kube::Objects objects(client);
  const auto set_finalizers = [&](std::string_view to) {
    const auto done =
        objects.patch({.object = volume,
                       .body = fmt::format(R"({{"metadata":{{"finalizers":{}}}}})", to),
                       .subresource = {}});
    ASSERT_TRUE(done) << done.error().to_string();
  };
  set_finalizers(R"(["test.example/wait"])");
  ASSERT_TRUE(destroy_app(site_.session(), site_.call(), site_.app));
  const auto late = deploy_app(site_.session(), site_.call().within(std::chrono::milliseconds(300)),
                               site_.app, {});
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().error_class(), FailureClass::kTimeout);
  EXPECT_THAT(late.error().message(), HasSubstr("is still there"));
  EXPECT_THAT(site_.titles(), Not(Contains("Deployment app1-app")));
  set_finalizers("null");
  const auto back = site_.deploy();
  ASSERT_TRUE(back) << shown(back);
  EXPECT_THAT(site_.titles(), Contains("PersistentVolume " + volume.name));
}

TEST_F(AppCases, HaveNoSecretInWhatTheyTell) {
  ASSERT_TRUE(site_.deploy(kWithDisks));
  ASSERT_TRUE(destroy_app(site_.session(), site_.call(), site_.app, {.delete_namespace = true}));
  EXPECT_THAT(site_.told.text(), Not(HasSubstr("canary")));
}

TEST_F(AppCases, DeployAndDestroyABoxThatStandsAlone) {
  provider::Box box;
  box.id = site_.app.id + "/box/shell";
  box.name = "shell";
  box.app_id = site_.app.id;
  box.image = "busybox:1.36";
  site_.boxes.push_back(box);
  const auto made = deploy_box(site_.session(), site_.call(), box);
  ASSERT_TRUE(made) << shown(made);
  EXPECT_THAT(site_.titles(), Contains("Deployment app1-shell"));
  EXPECT_EQ(deploy_box(site_.session(), site_.call(), box).value().unchanged, made->created);
  ASSERT_TRUE(site_.deploy(kWithDisks));
  const std::size_t all = site_.titles().size();
  const auto gone = destroy_box(site_.session(), site_.call(), box);
  ASSERT_TRUE(gone) << shown(gone);
  EXPECT_EQ(gone->deleted, 1U);
  EXPECT_EQ(site_.titles().size(), all - 1);
  EXPECT_THAT(site_.titles(), Contains("Deployment app1-app"));
  box.app_id = "/none";
  EXPECT_EQ(shown(destroy_box(site_.session(), site_.call(), box)),
            "not found: app \"/none\" not found");
}

TEST_F(AppCases, DeployABoxOfTheComposeDocument) {
  provider::Box box;
  box.id = site_.app.id + "/box/api";
  box.name = "api";
  box.app_id = site_.app.id;
  site_.boxes.push_back(box);
  ASSERT_TRUE(site_.deploy(kWithDisks));
  const auto made = deploy_box(site_.session(), site_.call(), box);
  ASSERT_TRUE(made) << shown(made);
  EXPECT_THAT(site_.titles(), Contains("Deployment app1-api"));
  const auto status = box_status(site_.session(), site_.call(), box);
  ASSERT_TRUE(status) << shown(status);
  EXPECT_EQ(status->deployment, "app1-api");
  EXPECT_EQ(status->image, "api:1");
  // Both go with the app.
  ASSERT_TRUE(destroy_app(site_.session(), site_.call(), site_.app));
  EXPECT_EQ(site_.titles().size(), 1U);
}

}  // namespace
}  // namespace strake::ops
