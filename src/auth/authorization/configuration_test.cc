#include "auth/authorization/configuration.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "base/subprocess.h"

namespace strake::auth {
namespace {

using Type = AuthorizationConfiguration::Type;
using ::testing::HasSubstr;

class AuthorizationFile : public ::testing::Test {
 protected:
  AuthorizationFile() { std::ofstream(kubeconfig_) << "{}"; }

  static std::string file(std::string_view authorizers, std::string_view version = "v1") {
    return fmt::format(
        "apiVersion: apiserver.config.k8s.io/{}\nkind: AuthorizationConfiguration\nauthorizers: "
        "{}\n",
        version, authorizers);
  }
  // A webhook with everything that is required, but for what `changes` says in its place.
  std::string webhook(std::map<std::string, std::string> changes) const {
    std::map<std::string, std::string> members = {
        {"timeout", "3s"},
        {"subjectAccessReviewVersion", "v1"},
        {"failurePolicy", "Deny"},
        {"connectionInfo",
         fmt::format("{{type: KubeConfigFile, kubeConfigFile: {}}}", kubeconfig_)},
    };
    for (auto& [key, text] : changes) members[key] = text;
    std::string out;
    for (const auto& [key, text] : members) {
      if (!text.empty()) out += fmt::format("{}{}: {}", out.empty() ? "" : ", ", key, text);
    }
    return fmt::format("[{{type: Webhook, name: w, webhook: {{{}}}}}]", out);
  }
  static std::string fault(std::string_view text) {
    const auto read = AuthorizationConfiguration::read(text, "");
    return read ? "none" : read.error().message();
  }

  ScratchFolder folder_ = *ScratchFolder::make("strake-authz-");
  std::string kubeconfig_ = folder_.path() + "/config";
};

TEST_F(AuthorizationFile, NamesAuthorizersInOrder) {
  for (const std::string_view version : {"v1", "v1beta1", "v1alpha1"}) {
    const auto read = AuthorizationConfiguration::read(
        file("[{type: RBAC, name: rbac}, {type: AlwaysDeny, name: alwaysdeny}]", version), "");
    ASSERT_TRUE(read) << read.error().to_string();
    ASSERT_EQ(read->authorizers.size(), 2);
    EXPECT_EQ(read->authorizers[0].type, Type::kRbac);
    EXPECT_EQ(read->authorizers[1].type, Type::kAlwaysDeny);
  }
}

TEST_F(AuthorizationFile, DescribesWebhooks) {
  auto read = AuthorizationConfiguration::read(file(webhook({})), "");
  ASSERT_TRUE(read) << read.error().to_string();
  AuthorizationWebhook want{
      .timeout = std::chrono::seconds(3), .denies_on_failure = true, .kubeconfig = kubeconfig_};
  EXPECT_EQ(*read->authorizers[0].webhook, want);
  read = AuthorizationConfiguration::read(
      file(webhook({{"authorizedTTL", "1m"},
                    {"cacheUnauthorizedRequests", "false"},
                    {"failurePolicy", "NoOpinion"},
                    {"subjectAccessReviewVersion", "v1beta1"},
                    {"matchConditionSubjectAccessReviewVersion", "v1"},
                    {"matchConditions", "[{expression: \"request.user != 'a'\"}]"}})),
      "");
  ASSERT_TRUE(read) << read.error().to_string();
  want.authorized_ttl = std::chrono::minutes(1);
  want.unauthorized_ttl = {};
  want.denies_on_failure = false;
  want.version = AccessReviewVersion::kV1beta1;
  want.conditions = {"request.user != 'a'"};
  EXPECT_EQ(*read->authorizers[0].webhook, want);
}

TEST_F(AuthorizationFile, IsRefusedInTheWordsOfKubeApiserver) {
  const std::pair<std::string, std::string> cases[] = {
      {"[]", "authorizers: Required value: at least one authorization mode must be defined"},
      {"[{name: a}]", "authorizers[0].type: Required value"},
      {"[{type: X, name: x}]",
       "authorizers[0].type: Unsupported value: \"X\": supported values: \"ABAC\", "
       "\"AlwaysAllow\", \"AlwaysDeny\", \"Node\", \"RBAC\", \"Webhook\""},
      {"[{type: RBAC, name: rbac}, {type: RBAC, name: b}]",
       "authorizers[1].type: Duplicate value: \"RBAC\""},
      {"[{type: RBAC}]", "authorizers[0].name: Required value"},
      {"[{type: RBAC, name: x}]", "expected name rbac for authorizer RBAC instead of x"},
      {"[{type: AlwaysAllow, name: rbac}, {type: RBAC, name: rbac}]",
       "authorizers[1].name: Duplicate value: \"rbac\""},
      {"[{type: RBAC, name: rbac, webhook: {}}]",
       "authorizers[0].webhook: Invalid value: \"non-null\": may only be specified when "
       "type=Webhook"},
      {"[{type: Webhook, name: w}]",
       "authorizers[0].webhook: Required value: required when type=Webhook"},
      {"[{type: Node, name: node}]",
       "authorizer type Node is not supported: this server has no nodes"},
      {webhook({{"timeout", ""}}), "authorizers[0].timeout: Required value"},
      {webhook({{"timeout", "31s"}}),
       "authorizers[0].timeout: Invalid value: \"31s\": must be > 0s and <= 30s"},
      {webhook({{"timeout", "-1s"}}),
       "authorizers[0].timeout: Invalid value: \"-1s\": must be > 0s and <= 30s"},
      {webhook({{"authorizedTTL", "-1s"}}),
       "authorizers[0].authorizedTTL: Invalid value: \"-1s\": must be > 0s"},
      {webhook({{"subjectAccessReviewVersion", ""}}),
       "authorizers[0].subjectAccessReviewVersion: Required value"},
      {webhook({{"subjectAccessReviewVersion", "v2"}}),
       "authorizers[0].subjectAccessReviewVersion: Unsupported value: \"v2\": supported values: "
       "\"v1\", \"v1beta1\""},
      {webhook({{"failurePolicy", "Fail"}}),
       "authorizers[0].failurePolicy: Unsupported value: \"Fail\": supported values: "
       "\"NoOpinion\", \"Deny\""},
      {webhook({{"matchConditions", "[{expression: \"true\"}]"}}),
       "authorizers[0].matchConditionSubjectAccessReviewVersion: Required value: required if match "
       "conditions are specified"},
      {webhook({{"matchConditionSubjectAccessReviewVersion", "v1beta1"}}),
       "authorizers[0].matchConditionSubjectAccessReviewVersion: Unsupported value: \"v1beta1\": "
       "supported values: \"v1\""},
      {webhook({{"connectionInfo", "{}"}}), "authorizers[0].connectionInfo.type: Required value"},
      {webhook({{"connectionInfo", "{type: KubeConfigFile}"}}),
       "authorizers[0].connectionInfo.kubeConfigFile: Required value"},
      {webhook({{"connectionInfo", "{type: KubeConfigFile, kubeConfigFile: a}"}}),
       "authorizers[0].connectionInfo.kubeConfigFile: Invalid value: \"a\": must be an absolute "
       "path"},
      {webhook({{"connectionInfo", "{type: KubeConfigFile, kubeConfigFile: /no/such}"}}),
       "authorizers[0].connectionInfo.kubeConfigFile: Invalid value: \"/no/such\": error loading "
       "file: stat /no/such: no such file or directory"},
      {webhook({{"connectionInfo", "{type: KubeConfigFile, kubeConfigFile: /tmp}"}}),
       "authorizers[0].connectionInfo.kubeConfigFile: Invalid value: \"/tmp\": must be a regular "
       "file"},
      {webhook({{"connectionInfo", "{type: X}"}}),
       "authorizers[0].connectionInfo.type: Unsupported value: "
       "apiserver.WebhookConnectionInfo{Type:\"X\", KubeConfigFile:(*string)(nil)}: supported "
       "values: \"InClusterConfig\", \"KubeConfigFile\""},
      {webhook({{"timeout", "\"1\""}}),
       "failed to load AuthorizationConfiguration from file: time: missing unit in duration "
       "\"1\""},
      {"[{type: RBAC, name: rbac, also: 1}]",
       "failed to load AuthorizationConfiguration from file: strict decoding error: unknown field "
       "\"authorizers[0].also\""},
      {"[{type: 1}]",
       "failed to load AuthorizationConfiguration from file: json: cannot unmarshal number into Go "
       "struct field AuthorizerConfiguration.authorizers.type of type string"},
  };
  for (const auto& [authorizers, want] : cases) EXPECT_EQ(fault(file(authorizers)), want);
  EXPECT_THAT(fault("kind: Pod\napiVersion: v1\n"),
              HasSubstr("no kind \"Pod\" is registered for version \"v1\" in scheme"));
  EXPECT_THAT(fault("a: ["), HasSubstr("failed to load AuthorizationConfiguration from file: "));
  EXPECT_EQ(fault(""),
            "authorizers: Required value: at least one authorization mode must be defined");
}

TEST_F(AuthorizationFile, ChecksMatchConditions) {
  const auto conditions = [&](std::string text) {
    return fault(file(webhook({{"matchConditionSubjectAccessReviewVersion", "v1"},
                               {"matchConditions", std::move(text)}})));
  };
  EXPECT_EQ(conditions("[{expression: \"true\"}, {expression: \"true\"}]"),
            "authorizers[0].matchConditions[1].expression: Duplicate value: \"true\"");
  EXPECT_EQ(conditions("[{expression: \" \"}]"),
            "authorizers[0].matchConditions[0].expression: Required value");
  EXPECT_EQ(conditions("[{expression: \"request.user\"}]"),
            "authorizers[0].matchConditions[0].expression: Invalid value: \"request.user\": must "
            "evaluate to bool but got string");
  std::string many;
  for (int i = 0; i < 65; ++i)
    many += fmt::format("{}{{expression: \"{} == 0\"}}", i ? "," : "", i);
  EXPECT_EQ(conditions("[" + many + "]"),
            "authorizers[0].matchConditions: Too many: 65: must have at most 64 items");
}

TEST_F(AuthorizationFile, KeepsItsBuiltInTypesWhenItChanges) {
  const auto read = [](std::string_view authorizers) {
    return AuthorizationConfiguration::read(file(authorizers), "").value();
  };
  const auto roles = read("[{type: RBAC, name: rbac}]");
  const auto open = read("[{type: AlwaysAllow, name: alwaysallow}]");
  EXPECT_EQ(open.check_follows(roles).error().message(), "missing required types: [RBAC]");
  EXPECT_TRUE(read("[{type: RBAC, name: rbac}, {type: AlwaysAllow, name: alwaysallow}]")
                  .check_follows(roles));
  EXPECT_THAT(read("[{type: AlwaysAllow, name: alwaysallow}, {type: RBAC, name: rbac}]")
                  .check_follows(open)
                  .error()
                  .message(),
              HasSubstr("not allowed if it was not enabled at initial server startup"));
}

TEST(AuthorizationFlags, SayTheSame) {
  AuthorizationFlags flags;
  EXPECT_TRUE(flags.to_configuration()->is_rbac_alone());
  flags.modes = {"Webhook", "RBAC"};
  flags.webhook_config_file = "/a";
  const auto made = flags.to_configuration();
  ASSERT_TRUE(made) << made.error().to_string();
  EXPECT_EQ(made->authorizers[0].name, "default");
  EXPECT_EQ(made->authorizers[0].webhook->version, AccessReviewVersion::kV1beta1);
  EXPECT_FALSE(made->authorizers[0].webhook->denies_on_failure);
  EXPECT_EQ(made->authorizers[1].name, "rbac");
}

TEST(AuthorizationFlags, AreRefusedInTheWordsOfKubeApiserver) {
  const auto fault = [](AuthorizationFlags flags) {
    const auto made = flags.to_configuration();
    return made ? "none" : made.error().message();
  };
  EXPECT_EQ(fault({.modes = {"rbac"}}), "authorization-mode \"rbac\" is not a valid mode");
  EXPECT_EQ(fault({.modes = {"Webhook"}}),
            "authorization-mode Webhook's authorization config file not passed");
  EXPECT_EQ(fault({.modes = {"RBAC"}, .webhook_config_file = "/a"}),
            "cannot specify --authorization-webhook-config-file without mode Webhook");
  EXPECT_EQ(fault({.modes = {"RBAC", "RBAC"}}),
            "authorization-mode [\"RBAC\" \"RBAC\"] has mode specified more than once");
  EXPECT_EQ(fault({.modes = {"Webhook"}, .webhook_config_file = "/a", .webhook_version = "v3"}),
            "unsupported webhook authorizer version \"v3\", supported versions are \"v1\", "
            "\"v1beta1\"");
  EXPECT_EQ(fault({.modes = {"Node", "RBAC"}}),
            "authorizer type Node is not supported: this server has no nodes");
}

}  // namespace
}  // namespace strake::auth
