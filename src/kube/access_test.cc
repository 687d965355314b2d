#include "kube/access.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/subprocess.h"

namespace strake::kube {
namespace {

using ::testing::HasSubstr;

// A home folder with files in it.
class FindAccess : public ::testing::Test {
 protected:
  std::string write(const std::string& name, std::string_view text) {
    const std::string path = home_.path() + "/" + name;
    std::ofstream(path) << text;
    return path;
  }
  AccessOptions options(std::string kubeconfig_variable = {}) const {
    AccessOptions out;
    out.environment = {.kubeconfig = std::move(kubeconfig_variable), .home = home_.path()};
    return out;
  }
  static std::string error_of(const Result<Access>& access) {
    return access ? "no error" : access.error().to_string();
  }

  ScratchFolder home_ = *ScratchFolder::make("strake-kube-");
};

constexpr std::string_view kTwoContexts =
    "current-context: a\n"
    "clusters: [{name: a, cluster: {server: 'https://a:1/'}}, {name: b, cluster: {server: "
    "'https://b'}}]\n"
    "users: [{name: u, user: {token: t0ken}}]\n"
    "contexts: [{name: a, context: {cluster: a, user: u}}, {name: b, context: {cluster: b, "
    "namespace: team}}]\n";

TEST_F(FindAccess, TakesTheCurrentContextOfTheNamedFile) {
  AccessOptions asked = options();
  asked.kubeconfig = write("config", kTwoContexts);
  const auto access = find_access(asked);
  ASSERT_TRUE(access) << access.error().to_string();
  EXPECT_EQ(access->context, "a");
  EXPECT_EQ(access->server, "https://a:1") << "paths are put behind it";
  EXPECT_EQ(access->credentials.token.reveal(), "t0ken");
  EXPECT_EQ(access->namespace_name, "default");
}

TEST_F(FindAccess, TakesTheContextThatIsAskedFor) {
  AccessOptions asked = options(write("config", kTwoContexts));
  asked.context = "b";
  const auto access = find_access(asked);
  ASSERT_TRUE(access) << access.error().to_string();
  EXPECT_EQ(access->server, "https://b");
  EXPECT_EQ(access->namespace_name, "team");
  EXPECT_TRUE(access->credentials.token.empty()) << "a context without a user asks as nobody";
}

TEST_F(FindAccess, MergesTheFilesOfTheVariableAndPassesOverThoseThatAreNotThere) {
  const std::string clusters =
      write("one", "clusters: [{name: a, cluster: {server: 'https://a'}}]");
  const std::string contexts =
      write("two", "current-context: a\ncontexts: [{name: a, context: {cluster: a}}]");
  const auto access = find_access(options(clusters + ":" + home_.path() + "/gone::" + contexts));
  ASSERT_TRUE(access) << access.error().to_string();
  EXPECT_EQ(access->server, "https://a");
}

TEST_F(FindAccess, LooksIntoTheHomeFolder) {
  std::filesystem::create_directory(home_.path() + "/.kube");
  write(".kube/config", kTwoContexts);
  EXPECT_TRUE(find_access(options()));
}

TEST_F(FindAccess, ReadsCertificatesFromFilesAndPrefersTheOnesInTheText) {
  write("ca.crt", "CA of the file");
  write("a.crt", "certificate");
  write("a.key", "key");
  AccessOptions asked = options(write("config",
                                      "current-context: a\n"
                                      "clusters: [{name: a, cluster: {server: 'https://a', "
                                      "certificate-authority: ca.crt}}]\n"
                                      "users: [{name: a, user: {client-certificate: a.crt, "
                                      "client-key: a.key, client-key-data: S0VZ}}]\n"
                                      "contexts: [{name: a, context: {cluster: a, user: a}}]\n"));
  const auto access = find_access(asked);
  ASSERT_TRUE(access) << access.error().to_string();
  EXPECT_EQ(access->ca_pem, "CA of the file");
  EXPECT_EQ(access->credentials.certificate_pem, "certificate");
  EXPECT_EQ(access->credentials.key_pem.reveal(), "KEY");
}

TEST_F(FindAccess, TakesTheClusterOfThePodWhenThereIsNoKubeconfig) {
  write("ca.crt", "CA");
  write("token", "t0ken");
  write("namespace", "team");
  AccessOptions asked = options();
  asked.environment.service_host = "fd00::1";
  asked.environment.service_port = "443";
  asked.environment.service_account = home_.path();
  const auto access = find_access(asked);
  ASSERT_TRUE(access) << access.error().to_string();
  EXPECT_EQ(access->server, "https://[fd00::1]:443");
  EXPECT_EQ(access->namespace_name, "team");
  EXPECT_EQ(access->token_file, home_.path() + "/token");
}

TEST_F(FindAccess, SaysWhatThereIsToChooseFrom) {
  AccessOptions asked = options(write("config", kTwoContexts));
  asked.context = "c";
  EXPECT_THAT(error_of(find_access(asked)),
              HasSubstr("there is no context \"c\"; there are: a, b"));
  asked = options(write("none", "contexts: [{name: a}]"));
  EXPECT_THAT(error_of(find_access(asked)), HasSubstr("no current context; name one of: a"));
  EXPECT_THAT(error_of(find_access(options())), HasSubstr("there is no kubeconfig at "));
}

TEST_F(FindAccess, RefusesWhatCannotWork) {
  const auto with = [&](std::string_view cluster, std::string_view user) {
    return find_access(options(write(
        "config", fmt::format("current-context: a\nclusters: [{{name: a, cluster: {}}}]\nusers: "
                              "[{{name: a, user: {}}}]\ncontexts: [{{name: a, context: {{cluster: "
                              "a, user: a}}}}]",
                              cluster, user))));
  };
  const std::string_view fine = "{server: 'https://a'}";
  EXPECT_THAT(error_of(with("{server: 'a:6443'}", "{}")),
              HasSubstr("server must be an http or https URL, got \"a:6443\""));
  EXPECT_THAT(error_of(with("{server: 'https://a', insecure-skip-tls-verify: true, "
                            "certificate-authority: x}",
                            "{}")),
              HasSubstr("exclude each other"));
  EXPECT_THAT(error_of(with(fine, "{client-certificate-data: eA==}")),
              HasSubstr("user \"a\": a client-certificate needs a client-key"));
  EXPECT_THAT(error_of(with(fine, "{client-certificate: gone.crt, client-key: gone.key}")),
              HasSubstr("gone.crt: No such file"));
  EXPECT_THAT(error_of(with(fine, "{auth-provider: {name: gcp}}")),
              HasSubstr("auth-provider \"gcp\" is gone"));
  EXPECT_THAT(error_of(with(fine, "{username: a, password: b, token: c}")),
              HasSubstr("more than one way in"));
  AccessOptions asked = options();
  asked.kubeconfig = home_.path() + "/nowhere";
  EXPECT_THAT(error_of(find_access(asked)), HasSubstr("nowhere: No such file"));
  asked.kubeconfig = home_.path();
  EXPECT_THAT(error_of(find_access(asked)), HasSubstr("it is a folder"));
}

TEST(AccessOfKubeconfig, TakesATextAndReadsNoFile) {
  const Secret text(R"(
apiVersion: v1
kind: Config
current-context: a
clusters: [{name: c, cluster: {server: "https://one.example/"}}, {name: d, cluster: {server: "https://two.example"}}]
users: [{name: u, user: {token: t0ken}}, {name: x, user: {exec: {apiVersion: client.authentication.k8s.io/v1, command: get-token}}}]
contexts: [{name: a, context: {cluster: c, user: u, namespace: apps}}, {name: b, context: {cluster: d, user: x}}]
)");
  const auto access = access_of_kubeconfig(text);
  ASSERT_TRUE(access) << access.error().to_string();
  EXPECT_EQ(access->server, "https://one.example");
  EXPECT_EQ(access->namespace_name, "apps");
  EXPECT_TRUE(access->credentials.token.equals("t0ken"));
  EXPECT_TRUE(access_of_kubeconfig(text, {.context = "b"})->exec);
  const auto refused = access_of_kubeconfig(text, {.context = "b", .allow_plugins = false});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), Code::kUnsupported);
  for (const char* empty : {"", " \n"})
    EXPECT_EQ(access_of_kubeconfig(Secret(empty)).error().message(), "kubeconfig is empty");
  const auto broken = access_of_kubeconfig(Secret("users: [{name: s3cret, user: {token: s3cret"));
  ASSERT_FALSE(broken);
  EXPECT_EQ(broken.error().to_string().find("s3cret"), std::string::npos)
      << broken.error().to_string();
}

}  // namespace
}  // namespace strake::kube
