#include "ops/cases/secret_cases.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ops/cases/test_site.h"

namespace strake::ops {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::shown;

const Secret kPull(R"({"auths":{"r.test":{"auth":"s3cret-canary"}}})");

class SecretCases : public ::testing::Test {
 protected:
  std::string pull_secrets() {
    const value::Document found = site_.object("apps/v1", "Deployment", "app1-app");
    return value::to_json(
        found.root().get("spec").get("template").get("spec").get("imagePullSecrets"));
  }
  auto set_env(std::string_view text, const std::string& name = "a.env") {
    return set_env_secret(site_.session(), site_.call(), site_.app, {.service = "web"}, name,
                          Secret(std::string(text)));
  }
  testing::KubeSite site_;
};

TEST_F(SecretCases, SetAnEnvironmentBeforeAndAfterTheDeploy) {
  ASSERT_TRUE(set_env("A=1\n"));
  EXPECT_THAT(site_.titles(), Contains("Secret app1-app-web-override"));
  ASSERT_TRUE(site_.deploy({.bootstrap_disks = true}));
  const std::string first = site_.pod_hash();
  ASSERT_TRUE(set_env("A=s3cret-canary\n"));
  EXPECT_NE(site_.pod_hash(), first);
  EXPECT_EQ(
      value::to_json(site_.object("v1", "Secret", "app1-app-web-override").root().get("data")),
      R"({"A":"czNjcmV0LWNhbmFyeQ=="})");
  site_.kube.forget_requests();
  ASSERT_TRUE(set_env("A=s3cret-canary\n"));
  EXPECT_EQ(site_.kube.writes(), 0U);
  ASSERT_TRUE(delete_env_secret(site_.session(), site_.dry_call(), site_.app, {.service = "web"}));
  EXPECT_EQ(site_.kube.writes(), 0U);
  ASSERT_TRUE(delete_env_secret(site_.session(), site_.call(), site_.app, {.service = "web"}));
  ASSERT_TRUE(delete_env_secret(site_.session(), site_.call(), site_.app, {.service = "web"}));
  EXPECT_THAT(site_.titles(), Not(Contains("Secret app1-app-web-override")));
  EXPECT_THAT(site_.told.text(), Not(HasSubstr("canary")));
}

TEST_F(SecretCases, RefuseWhatIsNoEnvironmentWithoutShowingIt) {
  EXPECT_EQ(
      shown(set_env_secret(site_.session(), site_.call(), site_.app, {}, "a.env", Secret("A=1"))),
      "invalid: missing parameters: service");
  for (const auto& [name, text] :
       {std::pair("a.json", "[\"s3cret-canary\"]"), std::pair("a.yml", "a: [s3cret-canary")}) {
    const auto done = set_env(text, name);
    ASSERT_FALSE(done);
    EXPECT_EQ(done.error().error_class(), provider::FailureClass::kValidation) << shown(done);
    EXPECT_THAT(done.error().message(), Not(HasSubstr("canary")));
  }
}

TEST_F(SecretCases, GiveTheDeploymentItsPullSecretAndTakeItAway) {
  ASSERT_TRUE(set_pull_secret(site_.session(), site_.call(), site_.app, "app", kPull));
  ASSERT_TRUE(site_.deploy({.bootstrap_disks = true}));
  EXPECT_EQ(pull_secrets(), R"([{"name":"app1-app--pull"}])");
  const std::string with = site_.pod_hash();
  site_.kube.forget_requests();
  ASSERT_TRUE(site_.deploy());
  EXPECT_EQ(site_.kube.writes(), 0U);
  ASSERT_TRUE(delete_pull_secret(site_.session(), site_.call(), site_.app, "app"));
  EXPECT_THAT(pull_secrets(), Not(HasSubstr("pull")));
  EXPECT_NE(site_.pod_hash(), with);
  ASSERT_TRUE(delete_pull_secret(site_.session(), site_.call(), site_.app, "app"));
  ASSERT_TRUE(set_pull_secret(site_.session(), site_.call(), site_.app, "app", kPull));
  EXPECT_EQ(pull_secrets(), R"([{"name":"app1-app--pull"}])");
  EXPECT_EQ(site_.pod_hash(), with);
}

TEST_F(SecretCases, RefuseCredentialsThatAreNoneWithoutShowingThem) {
  for (const std::string_view text : {"", "s3cret-canary", "[]", R"({"auth":"s3cret-canary"})"}) {
    const auto done =
        set_pull_secret(site_.session(), site_.call(), site_.app, "app", Secret(std::string(text)));
    ASSERT_FALSE(done);
    EXPECT_THAT(shown(done), HasSubstr("validation: the credentials must be a JSON object"));
    EXPECT_THAT(shown(done), Not(HasSubstr("canary")));
  }
}

}  // namespace
}  // namespace strake::ops
