#include "kube/kubeconfig.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace strake::kube {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr std::string_view kWhole = R"(
apiVersion: v1
kind: Config
current-context: dev
preferences: {colors: true}
clusters:
- name: dev
  cluster:
    server: https://dev.example:6443
    certificate-authority: pki/ca.crt
    tls-server-name: api.dev
    proxy-url: socks5://proxy:1080
    extensions:
    - name: client.authentication.k8s.io/exec
      extension: {audience: abc}
    - name: other
      extension: {x: 1}
- name: inline
  cluster:
    server: https://10.0.0.1
    certificate-authority-data: Q0E=
    insecure-skip-tls-verify: false
users:
- name: dev
  user:
    client-certificate: /abs/dev.crt
    client-key-data: S0VZ
- name: robot
  user: {token: t0ken, tokenFile: run/token, as: jane, as-groups: [a, b], as-uid: "7", as-user-extra: {scopes: [x]}}
- name: plugin
  user:
    exec:
      apiVersion: client.authentication.k8s.io/v1
      command: ./bin/login
      args: [--cluster, dev]
      env: [{name: AWS_PROFILE, value: dev}]
      installHint: get it there
      provideClusterInfo: true
      interactiveMode: Never
contexts:
- name: dev
  context: {cluster: dev, user: dev, namespace: team}
- name: bare
  context: {cluster: inline}
)";

TEST(Kubeconfig, ReadsEveryPart) {
  const auto read = Kubeconfig::read(kWhole, "/home/x/.kube/config");
  ASSERT_TRUE(read) << read.error().to_string();
  EXPECT_EQ(read->current_context, "dev");
  const Cluster& dev = read->clusters.at("dev");
  EXPECT_EQ(dev.server, "https://dev.example:6443");
  EXPECT_EQ(dev.tls_server_name, "api.dev");
  EXPECT_EQ(dev.proxy_url, "socks5://proxy:1080");
  EXPECT_EQ(dev.exec_config, R"({"audience":"abc"})");
  EXPECT_EQ(read->clusters.at("inline").authority.text.reveal(), "CA");
  const User& robot = read->users.at("robot");
  EXPECT_EQ(robot.token.text.reveal(), "t0ken");
  EXPECT_EQ(robot.as.user, "jane");
  EXPECT_EQ(robot.as.uid, "7");
  EXPECT_THAT(robot.as.groups, ElementsAre("a", "b"));
  EXPECT_THAT(robot.as.extra.at("scopes"), ElementsAre("x"));
  const ExecPlugin& plugin = *read->users.at("plugin").exec;
  EXPECT_THAT(plugin.arguments, ElementsAre("--cluster", "dev"));
  EXPECT_THAT(plugin.environment, ElementsAre("AWS_PROFILE=dev"));
  EXPECT_EQ(plugin.install_hint, "get it there");
  EXPECT_TRUE(plugin.provide_cluster_info);
  EXPECT_EQ(plugin.interactive, ExecPlugin::Interactive::kNever);
  EXPECT_EQ(read->contexts.at("dev").namespace_name, "team");
  EXPECT_EQ(read->contexts.at("bare").user, "");
}

TEST(Kubeconfig, TakesRelativePathsFromTheFolderOfTheFile) {
  const auto read = Kubeconfig::read(kWhole, "/home/x/.kube/config");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->clusters.at("dev").authority.file, "/home/x/.kube/pki/ca.crt");
  EXPECT_EQ(read->users.at("dev").certificate.file, "/abs/dev.crt");
  EXPECT_EQ(read->users.at("robot").token.file, "/home/x/.kube/run/token");
  EXPECT_EQ(read->users.at("plugin").exec->command, "/home/x/.kube/bin/login");
}

TEST(Kubeconfig, LeavesAPluginWithoutASlashToThePath) {
  const auto read =
      Kubeconfig::read("users: [{name: a, user: {exec: {command: gke-auth}}}]", "/etc/config");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->users.at("a").exec->command, "gke-auth");
}

TEST(Kubeconfig, MayBeEmptyAndMayBeJson) {
  EXPECT_TRUE(Kubeconfig::read("", "c"));
  const auto json = Kubeconfig::read(R"({"current-context": "a", "clusters": null})", "c");
  ASSERT_TRUE(json);
  EXPECT_EQ(json->current_context, "a");
}

TEST(Kubeconfig, KeepsEntriesOfTheFirstFileWhole) {
  auto first = Kubeconfig::read(
                   "clusters: [{name: a, cluster: {server: 'https://one'}}]\n"
                   "contexts: [{name: x, context: {cluster: a}}]",
                   "one")
                   .value();
  auto second = Kubeconfig::read(
                    "current-context: z\n"
                    "clusters: [{name: a, cluster: {server: 'https://two', tls-server-name: tls}}, "
                    "{name: b}]",
                    "two")
                    .value();
  first.merge(std::move(second));
  EXPECT_EQ(first.current_context, "z") << "the first that is set";
  EXPECT_EQ(first.clusters.at("a").server, "https://one");
  EXPECT_EQ(first.clusters.at("a").tls_server_name, "") << "nothing of the second is mixed in";
  EXPECT_TRUE(first.clusters.contains("b"));
}

struct BadCase {
  std::string_view text;
  std::string_view says;
};

TEST(Kubeconfig, SaysWhereItIsWrong) {
  const BadCase cases[] = {
      {"clusters: {}", "c:1:11: .clusters: must be a list, got object"},
      {"clusters:\n- name: a\n  cluster:\n    server: 5",
       "c:4:13: .clusters[0].cluster.server: must be a string, got integer"},
      {"users:\n- name: a\n- name: a", "c:3:9: .users[1].name: there are two called \"a\""},
      {"users: [{name: a, user: {client-key-data: '%%'}}]",
       "users[0].user.client-key-data: must be base64"},
      {"users: [{name: a, user: {exec: {command: ''}}}]", "exec.command: names no program"},
      {"users: [{name: a, user: {exec: {command: x, interactiveMode: No way}}}]",
       "must be Never, IfAvailable or Always, got \"No way\""},
      {"users: [{name: a, user: {exec: {command: x, env: [{name: 'A=B'}]}}}]",
       "env[0].name: is no name of a variable"},
      {"kind: Pod\napiVersion: v1", "must be a Config of v1, got Pod of v1"},
      {"- a", "must be a kubeconfig, got array"},
      {"a: [", "c:"},
  };
  for (const BadCase& one : cases) {
    const auto read = Kubeconfig::read(one.text, "c");
    ASSERT_FALSE(read) << one.text;
    EXPECT_THAT(read.error().to_string(), HasSubstr(one.says));
  }
}

TEST(Kubeconfig, QuotesNoSecretInAnError) {
  const auto read =
      Kubeconfig::read("users: [{name: a, user: {client-key-data: 's3cret!', token: t0p}}]", "c");
  ASSERT_FALSE(read);
  EXPECT_THAT(read.error().to_string(), ::testing::Not(HasSubstr("s3cret")));
}

}  // namespace
}  // namespace strake::kube
