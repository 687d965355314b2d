#include "ops/cases/cluster_cases.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ops/cases/node_pool_cases.h"
#include "ops/cases/test_driver.h"
#include "ops/protection.h"

namespace strake::ops {
namespace {

using provider::Failure;
using provider::FailureClass;
using provider::Outcome;
using provider::Protection;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::shown;

class ClusterCases : public ::testing::Test {
 protected:
  bool called(std::string_view what) const {
    return std::ranges::find(site_.fake.calls, what) != site_.fake.calls.end();
  }
  testing::FakeSite site_;
};

TEST_F(ClusterCases, LookUpTheProviderThatTheClusterNames) {
  site_.cluster.provider_id = "/ws/ws1/prv/none";
  EXPECT_EQ(shown(cluster_status(site_.session(), site_.call(), site_.cluster)),
            "not found: failed to get provider /ws/ws1/prv/none: provider not found");
}

TEST_F(ClusterCases, RefuseADriverThatNobodyKnows) {
  site_.entity.driver = "cloud";
  EXPECT_THAT(shown(cluster_status(site_.session(), site_.call(), site_.cluster)),
              HasSubstr("unknown provider driver: cloud"));
}

TEST_F(ClusterCases, SayWhichDriverCouldNotBeMade) {
  site_.drivers.add("fake", [](const auto*, const auto&, const auto&) -> Outcome<provider::Driver> {
    return provider::refuse(FailureClass::kValidation, "missing required settings: A");
  });
  EXPECT_EQ(shown(cluster_status(site_.session(), site_.call(), site_.cluster)),
            "validation: failed to create driver fake: missing required settings: A");
}

TEST_F(ClusterCases, GoOnWithoutAWorkspaceThatCannotBeFound) {
  ASSERT_TRUE(cluster_status(site_.session(), site_.call(), site_.cluster));
  EXPECT_TRUE(site_.fake.has_workspace);
  site_.entity.workspace_id = "/ws/none";
  ASSERT_TRUE(cluster_status(site_.session(), site_.call(), site_.cluster));
  EXPECT_FALSE(site_.fake.has_workspace);
}

TEST_F(ClusterCases, TellWhichMethodAProviderLacks) {
  site_.fake.lacks_roles = true;
  const Session session = site_.session();
  const provider::Call call = site_.call();
  const auto lacks = [](std::string_view method) {
    return fmt::format("not implemented: {} is not implemented for fake provider", method);
  };
  EXPECT_EQ(shown(cluster_status(session, call, site_.cluster)), lacks("ClusterStatus"));
  EXPECT_EQ(shown(provision_cluster(session, call, site_.cluster)), lacks("ClusterProvision"));
  EXPECT_EQ(shown(deprovision_cluster(session, call, site_.cluster)), lacks("ClusterDeprovision"));
  EXPECT_EQ(shown(install_cluster(session, call, site_.cluster)), lacks("ClusterInstall"));
  EXPECT_EQ(shown(uninstall_cluster(session, call, site_.cluster)), lacks("ClusterUninstall"));
  EXPECT_EQ(shown(cluster_kubeconfig(session, call, site_.cluster)), lacks("ClusterKubeconfig"));
  EXPECT_EQ(shown(list_node_pools(session, call, site_.cluster)), lacks("NodePoolList"));
  provider::NodePool pool;
  pool.name = "a";
  EXPECT_EQ(shown(create_node_pool(session, call, site_.cluster, pool)), lacks("NodePoolCreate"));
  EXPECT_EQ(shown(update_node_pool(session, call, site_.cluster, pool)), lacks("NodePoolUpdate"));
  EXPECT_EQ(shown(delete_node_pool(session, call, site_.cluster, "a")), lacks("NodePoolDelete"));
}

// Every operation on a cluster in every state under every protection.
TEST_F(ClusterCases, HoldProtectionAgainstWhatTheClusterReallyIs) {
  struct Operation {
    std::string_view method;
    std::string_view scope;
    bool there;  // what it is about
    ClusterOperation is;
    std::function<Outcome<>(const Session&, const provider::Call&, const provider::Cluster&)> run;
  };
  const std::vector<Operation> all = {
      {"ClusterProvision", "provisioning", false, ClusterOperation::kCreate,
       [](const auto& s, const auto& c, const auto& of) {
         return provision_cluster(s, c, of, {.force = true});
       }},
      {"ClusterProvision", "provisioning", true, ClusterOperation::kUpdate,
       [](const auto& s, const auto& c, const auto& of) {
         return provision_cluster(s, c, of, {.force = true});
       }},
      {"ClusterDeprovision", "provisioning", true, ClusterOperation::kDelete,
       [](const auto& s, const auto& c, const auto& of) {
         return deprovision_cluster(s, c, of, {.force = true});
       }},
      {"ClusterDeprovision", "provisioning", false, ClusterOperation::kDelete,
       [](const auto& s, const auto& c, const auto& of) {
         return deprovision_cluster(s, c, of, {.force = true});
       }},
      {"ClusterInstall", "installation", false, ClusterOperation::kCreate,
       [](const auto& s, const auto& c, const auto& of) {
         return install_cluster(s, c, of, {.force = true});
       }},
      {"ClusterInstall", "installation", true, ClusterOperation::kUpdate,
       [](const auto& s, const auto& c, const auto& of) {
         return install_cluster(s, c, of, {.force = true});
       }},
      {"ClusterUninstall", "installation", true, ClusterOperation::kDelete,
       [](const auto& s, const auto& c, const auto& of) {
         return uninstall_cluster(s, c, of, {.force = true});
       }},
      {"ClusterUninstall", "installation", false, ClusterOperation::kDelete,
       [](const auto& s, const auto& c, const auto& of) {
         return uninstall_cluster(s, c, of, {.force = true});
       }}};
  for (const Operation& one : all) {
    for (const Protection level :
         {Protection::kNone, Protection::kCannotDelete, Protection::kReadOnly}) {
      SCOPED_TRACE(fmt::format("{} there={} {}", one.method, one.there, to_string(level)));
      const bool provisioning = one.scope == "provisioning";
      site_.fake.provisioned = provisioning ? one.there : true;
      site_.fake.installed = provisioning ? false : one.there;
      site_.fake.calls.clear();
      site_.cluster.protection = {};
      (provisioning ? site_.cluster.protection.provisioning
                    : site_.cluster.protection.installation) = level;
      const Outcome<> outcome = one.run(site_.session(), site_.call(), site_.cluster);
      const Outcome<> allowed = check_protection(one.scope, level, one.is);
      EXPECT_EQ(shown(outcome), shown(allowed));
      EXPECT_EQ(called(fmt::format("{} cls1 force", one.method)), allowed.has_value());
    }
  }
}

TEST_F(ClusterCases, TakeNoOtherFailureOfTheStatusForAFirstCreation) {
  for (const FailureClass of :
       {FailureClass::kAuth, FailureClass::kThrottled, FailureClass::kServer,
        FailureClass::kCanceled, FailureClass::kTimeout, FailureClass::kInternal}) {
    site_.fake.failures = {{"ClusterStatus", Failure(of, "no")}};
    site_.cluster.protection = {Protection::kReadOnly, Protection::kReadOnly};
    site_.fake.calls.clear();
    for (const auto& outcome : {provision_cluster(site_.session(), site_.call(), site_.cluster),
                                install_cluster(site_.session(), site_.call(), site_.cluster)}) {
      ASSERT_FALSE(outcome);
      EXPECT_EQ(outcome.error().error_class(), of);
      EXPECT_EQ(outcome.error().message(), "failed to get the status of the cluster: no");
    }
    EXPECT_THAT(site_.fake.calls, ElementsAre("ClusterStatus cls1", "ClusterStatus cls1"));
  }
}

TEST_F(ClusterCases, TakeAnAbsentClusterForOneThatIsNotProvisioned) {
  site_.fake.failures = {{"ClusterStatus", Failure(FailureClass::kNotFound, "no such cluster")}};
  site_.cluster.protection.provisioning = Protection::kReadOnly;
  site_.cluster.existing = true;
  const auto status = cluster_status(site_.session(), site_.call(), site_.cluster);
  ASSERT_TRUE(status);
  EXPECT_TRUE(status->existing);
  EXPECT_FALSE(status->provisioned);
  EXPECT_TRUE(provision_cluster(site_.session(), site_.call(), site_.cluster, {.force = true}));
}

TEST_F(ClusterCases, SkipAClusterThatSomebodyElseMadeUnlessForced) {
  site_.cluster.existing = true;
  site_.fake.installed = false;
  ASSERT_TRUE(provision_cluster(site_.session(), site_.call(), site_.cluster));
  ASSERT_TRUE(deprovision_cluster(site_.session(), site_.call(), site_.cluster));
  EXPECT_TRUE(site_.fake.calls.empty());
  EXPECT_THAT(site_.told.text(), HasSubstr("skip"));
  ASSERT_TRUE(provision_cluster(site_.session(), site_.call(), site_.cluster, {.force = true}));
  ASSERT_TRUE(deprovision_cluster(site_.session(), site_.call(), site_.cluster, {.force = true}));
  EXPECT_TRUE(called("ClusterProvision cls1 force"));
  EXPECT_TRUE(called("ClusterDeprovision cls1 force"));
}

TEST_F(ClusterCases, RefuseToDeprovisionWhatIsInstalled) {
  EXPECT_EQ(
      shown(deprovision_cluster(site_.session(), site_.call(), site_.cluster, {.force = true})),
      "conflict: cluster \"cls1\" is installed: uninstall it before it is deprovisioned");
  EXPECT_TRUE(site_.fake.provisioned);
}

TEST_F(ClusterCases, RefuseToInstallWhatIsNotProvisioned) {
  site_.fake.provisioned = site_.fake.installed = false;
  EXPECT_EQ(shown(install_cluster(site_.session(), site_.call(), site_.cluster, {.force = true})),
            "conflict: cluster \"cls1\" is not provisioned: provision it before it is installed");
  EXPECT_FALSE(site_.fake.installed);
  site_.told = {};
  ASSERT_TRUE(uninstall_cluster(site_.session(), site_.call(), site_.cluster));
  EXPECT_FALSE(called("ClusterUninstall cls1"));
  EXPECT_TRUE(site_.told.has("skip"));
}

TEST_F(ClusterCases, ChangeNothingInADryRun) {
  site_.fake.installed = false;
  ASSERT_TRUE(provision_cluster(site_.session(), site_.dry_call(), site_.cluster));
  ASSERT_TRUE(install_cluster(site_.session(), site_.dry_call(), site_.cluster));
  ASSERT_TRUE(uninstall_cluster(site_.session(), site_.dry_call(), site_.cluster));
  ASSERT_TRUE(deprovision_cluster(site_.session(), site_.dry_call(), site_.cluster));
  EXPECT_TRUE(site_.calls.writes().empty());
  EXPECT_TRUE(site_.fake.provisioned);
  EXPECT_FALSE(site_.fake.installed);
  EXPECT_TRUE(site_.told.has("plan"));
}

TEST_F(ClusterCases, HearThatTheyAreCancelled) {
  CancelSource source;
  source.cancel();
  provider::Call call = site_.call();
  call.cancel = source.token();
  for (const Outcome<>& outcome : {provision_cluster(site_.session(), call, site_.cluster),
                                   install_cluster(site_.session(), call, site_.cluster),
                                   uninstall_cluster(site_.session(), call, site_.cluster),
                                   deprovision_cluster(site_.session(), call, site_.cluster)}) {
    ASSERT_FALSE(outcome);
    EXPECT_EQ(outcome.error().error_class(), FailureClass::kCanceled);
  }
}

TEST(NodePoolCases, PassThroughToTheDriver) {
  testing::FakeSite site;
  provider::NodePool pool;
  pool.name = "a";
  ASSERT_TRUE(create_node_pool(site.session(), site.call(), site.cluster, pool));
  pool.priority = "spot";
  ASSERT_TRUE(update_node_pool(site.session(), site.call(), site.cluster, pool));
  const auto all = list_node_pools(site.session(), site.call(), site.cluster);
  ASSERT_EQ(all.value().size(), 1U);
  EXPECT_EQ(all->front(), pool);
  EXPECT_TRUE(list_node_pools(site.session(), site.call(), site.cluster, "b").value().empty());
  EXPECT_EQ(shown(delete_node_pool(site.session(), site.call(), site.cluster, "")),
            "invalid: missing parameters: node pool name");
  ASSERT_TRUE(delete_node_pool(site.session(), site.dry_call(), site.cluster, "a"));
  EXPECT_EQ(site.fake.node_pools.size(), 1U);
  ASSERT_TRUE(delete_node_pool(site.session(), site.call(), site.cluster, "a"));
  EXPECT_TRUE(site.fake.node_pools.empty());
}

}  // namespace
}  // namespace strake::ops
