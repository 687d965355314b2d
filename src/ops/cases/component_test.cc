#include "ops/cases/component.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ops/cases/test_site.h"

namespace strake::ops {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::shown;

class Taken final : public kube::OutputStream {
 public:
  Result<> write(std::string_view bytes) override {
    text += bytes;
    return {};
  }
  std::string text;
};

class ComponentCases : public ::testing::Test {
 protected:
  std::string chosen(PodChoice choice = {}) {
    const auto pod = choose_pod(site_.session(), site_.call(), site_.app, choice);
    return pod ? fmt::format("{} {}", pod->pod, pod->container) : shown(pod);
  }
  void set_status(std::string_view pod, std::string_view status) {
    site_.kube.server().merge(site_.path("pods", fmt::format("{}/status", pod)),
                              fmt::format(R"({{"status":{}}})", status));
  }
  testing::KubeSite site_;
};

TEST_F(ComponentCases, TellOfWhatIsNotDeployed) {
  const auto status = component_status(site_.session(), site_.call(), site_.app);
  ASSERT_TRUE(status) << shown(status);
  EXPECT_FALSE(status->ready);
  EXPECT_EQ(status->deployment, "");
  EXPECT_EQ(status->namespace_name, site_.namespace_name());
  EXPECT_THAT(chosen(), HasSubstr("not found: no pod found in namespace"));
}

TEST_F(ComponentCases, TellOfTheDeploymentAndItsPod) {
  ASSERT_TRUE(site_.deploy({.bootstrap_disks = true}));
  const auto before = component_status(site_.session(), site_.call(), site_.app);
  ASSERT_TRUE(before) << shown(before);
  EXPECT_EQ(before->deployment, "app1-app");
  EXPECT_EQ(before->image, "api:1");  // containers are sorted
  EXPECT_FALSE(before->ready);
  EXPECT_THAT(before->ingress_hosts,
              ElementsAre(site_.names().default_host(8080, "apps.test"), "www.shop.test"));
  site_.add_pod("p1");
  site_.kube.server().merge(
      site_.path("deployments", "app1-app/status"),
      R"({"status":{"observedGeneration":99,"replicas":1,"updatedReplicas":1,"readyReplicas":1,"availableReplicas":1}})");
  const auto after = component_status(site_.session(), site_.call(), site_.app);
  EXPECT_TRUE(after.value().ready);
  EXPECT_EQ(after->pod, "p1");
  EXPECT_EQ(after->node, "n1");
  EXPECT_EQ(after->container, "web");
  EXPECT_EQ(after->image, "nginx:1.27");
}

TEST_F(ComponentCases, ChooseThePodThatRunsAndIsReady) {
  ASSERT_TRUE(site_.deploy({.bootstrap_disks = true}));
  site_.add_pod("b");
  site_.add_pod("c", "app", R"([{"name":"one","image":"i"},{"name":"two","image":"i"}])");
  site_.add_pod("a-box", "shell");
  EXPECT_EQ(chosen(), "b web");
  set_status("c", R"({"phase":"Running"})");
  EXPECT_EQ(chosen(), "c one");
  EXPECT_EQ(chosen({.container = "two"}), "c two");
  EXPECT_EQ(chosen({.container = "three"}),
            "not found: container \"three\" not found in pod \"c\": it has one, two");
  set_status("b", R"({"phase":"Running","conditions":[{"type":"Ready","status":"True"}]})");
  EXPECT_EQ(chosen(), "b web");
  EXPECT_EQ(chosen({.component = "shell", .container = {}}), "a-box web");
}

TEST_F(ComponentCases, RunCommandsInThePod) {
  ASSERT_TRUE(site_.deploy({.bootstrap_disks = true}));
  site_.add_pod("b");
  Taken out;
  kube::ExecRequest request;
  request.command = {"fail", "3"};
  request.output = &out;
  const auto code = exec_in_pod(site_.session(), site_.call(), site_.app, {}, request);
  ASSERT_TRUE(code) << shown(code);
  EXPECT_EQ(*code, 3);
}

}  // namespace
}  // namespace strake::ops
