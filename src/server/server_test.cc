#include "server/server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "base/base64.h"
#include "base/log.h"
#include "http/fetch.h"
#include "http/pki.h"
#include "http/test_server.h"
#include "server/data_dir.h"
#include "server/temporary_folder.h"

namespace strake::server {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class ServerTest : public testing::Test {
 protected:
  void SetUp() override {
    ::setenv("no_proxy", "127.0.0.1", 1);
    log::configure({.level = log::Level::kOff});
  }
  void TearDown() override { log::configure({}); }

  Options options() const {
    Options out;
    out.in_memory = true;
    out.port = 0;
    out.io_threads = 1;
    out.drain_timeout = std::chrono::seconds(1);
    return out;
  }
  void start(Options options) {
    auto started = Server::start(std::move(options));
    ASSERT_TRUE(started) << started.error().to_string();
    server_ = *std::move(started);
  }
  std::string write(std::string_view name, std::string_view content) const {
    std::ofstream(folder_.file(name), std::ios::binary | std::ios::trunc) << content;
    return folder_.file(name);
  }
  // 0 when there is no answer.
  int get(std::string_view path, std::string_view token, std::string ca_pem = "") const {
    http::FetchRequest request{.url = server_->url() + std::string(path),
                               .ca_pem = std::move(ca_pem)};
    request.insecure = request.ca_pem.empty();
    request.bearer_token = Secret(std::string(token));
    const auto response = http::fetch(request);
    return response ? response->status : 0;
  }

  const TemporaryFolder folder_ = TemporaryFolder::make("strake-test").value();
  std::unique_ptr<Server> server_;
};

TEST_F(ServerTest, BelievesTheHeadersOfItsFrontProxyAlone) {
  Options wanted = options();
  wanted.data_dir = folder_.file("data");
  start(wanted);
  const auto pki = [&](std::string_view name) {
    return read_file(fmt::format("{}/pki/{}", wanted.data_dir, name)).value();
  };
  const auto code = [&](const std::string& name, std::vector<http::Header> headers) {
    http::FetchRequest request{.url = server_->url() + "/api/v1/secrets", .ca_pem = pki("ca.crt")};
    request.client_certificate_pem = pki(name + ".crt");
    request.client_key_pem = Secret(pki(name + ".key"));
    for (const http::Header& one : headers) request.headers.add(one.name, one.value);
    const auto response = http::fetch(request);
    return response ? response->status : 0;
  };
  EXPECT_EQ(code("front-proxy-client", {}), 401);
  EXPECT_EQ(code("front-proxy-client", {{"X-Remote-User", "alice"}}), 403);
  EXPECT_EQ(code("front-proxy-client",
                 {{"X-Remote-User", "alice"}, {"X-Remote-Group", "system:masters"}}),
            200);
  // The administrator is no proxy, whatever the headers say.
  EXPECT_EQ(code("admin", {{"X-Remote-User", "alice"}}), 200);
}

TEST_F(ServerTest, KeepsAnAuditLogByAPolicyThatCanChange) {
  constexpr std::string_view kHead = "apiVersion: audit.k8s.io/v1\nkind: Policy\n";
  Options wanted = options();
  wanted.token_file = write("tokens", "one,jane,1,system:masters\n");
  wanted.audit_log_path = folder_.file("audit.log");
  {
    auto without = Server::start(wanted);
    ASSERT_FALSE(without);
    EXPECT_THAT(without.error().message(), HasSubstr("must be given together"));
  }
  wanted.audit_policy_file =
      write("policy", fmt::format("{}rules: [{{level: Metadata, users: [jane]}}]\n", kHead));
  start(wanted);
  EXPECT_EQ(get("/api/v1/namespaces", "one"), 200);
  write("policy", fmt::format("{}rules: [{{level: None}}]\n", kHead));
  EXPECT_THAT(server_->reload(), IsEmpty());
  EXPECT_EQ(get("/api/v1/nodes", "one"), 404);
  write("policy", "rules: [");
  EXPECT_EQ(server_->reload().size(), 1u);
  server_.reset();
  std::ifstream in(wanted.audit_log_path);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  EXPECT_THAT(text, HasSubstr("\"requestURI\":\"/api/v1/namespaces\""));
  EXPECT_THAT(text, Not(HasSubstr("/api/v1/nodes")));
  EXPECT_THAT(text, Not(HasSubstr("Bearer")));
}

TEST_F(ServerTest, RefusesRequestsThatTheAuditLogCannotKeepWhenItIsStrict) {
  Options wanted = options();
  wanted.token_file = write("tokens", "one,jane,1,system:masters\ntwo,eve,2,system:masters\n");
  wanted.audit_policy_file = write(
      "policy",
      "apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{level: Metadata, users: [jane]}]\n");
  wanted.audit_log_path = "/dev/full";
  wanted.audit_log_mode = audit::Mode::kBlockingStrict;
  start(wanted);
  EXPECT_EQ(get("/api/v1/namespaces", "one"), 500);
  EXPECT_EQ(get("/api/v1/namespaces", "two"), 200);
  server_.reset();
  wanted.audit_log_mode = audit::Mode::kBlocking;
  start(wanted);
  EXPECT_EQ(get("/api/v1/namespaces", "one"), 200);
}

TEST_F(ServerTest, SendsItsLastAuditEventsBeforeItEnds) {
  std::mutex mu;
  std::string sent;  // guarded by mu
  http::testing::TestServer service(
      [&](http::Request request) -> boost::asio::awaitable<http::Response> {
        const std::lock_guard lock(mu);
        sent += request.body;
        co_return http::testing::text_response("");
      },
      {}, true);
  Options wanted = options();
  wanted.token_file = write("tokens", "one,jane,1,system:masters\n");
  wanted.audit_policy_file = write(
      "policy",
      "apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{level: Metadata, users: [jane]}]\n");
  wanted.audit_webhook_config_file = write(
      "sink", fmt::format("clusters: [{{name: c, cluster: {{server: \"{}\", "
                          "certificate-authority-data: {}}}}}]\n"
                          "contexts: [{{name: x, context: {{cluster: c}}}}]\ncurrent-context: x\n",
                          service.url("/"),
                          base64_encode(http::testing::test_pki().authority.certificate_pem)));
  start(wanted);
  EXPECT_EQ(get("/api/v1/namespaces", "one"), 200);
  EXPECT_THAT(server_->reload(), IsEmpty());
  server_.reset();
  const std::lock_guard lock(mu);
  EXPECT_THAT(sent, HasSubstr("\"requestURI\":\"/api/v1/namespaces\""));
}

TEST_F(ServerTest, FollowsItsAuthorizationConfiguration) {
  const auto authorizers = [](std::string_view list) {
    return fmt::format(
        "apiVersion: apiserver.config.k8s.io/v1\nkind: AuthorizationConfiguration\n"
        "authorizers: [{}]\n",
        list);
  };
  constexpr std::string_view kRoles = "{type: RBAC, name: rbac}";
  constexpr std::string_view kOpen = "{type: AlwaysAllow, name: alwaysallow}";
  Options wanted = options();
  wanted.token_file = write("tokens", "one,jane,1,\n");
  wanted.authorization_config_file = write("rights", authorizers(""));
  {
    const auto without = Server::start(wanted);
    ASSERT_FALSE(without);
    EXPECT_THAT(without.error().message(),
                HasSubstr("authorizers: Required value: at least one authorization mode"));
  }
  write("rights", authorizers(kRoles));
  start(wanted);
  const auto comes_to = [this](int code) {
    for (int i = 0; i < 500; ++i) {
      if (get("/api/v1/secrets", "one") == code) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    return false;
  };
  EXPECT_EQ(get("/api/v1/secrets", "one"), 403);
  write("rights", authorizers(fmt::format("{}, {}", kRoles, kOpen)));
  EXPECT_TRUE(comes_to(200));
  // What cannot be used changes nothing.
  write("rights", authorizers(kOpen));
  EXPECT_EQ(server_->reload().size(), 1u);
  EXPECT_EQ(get("/api/v1/secrets", "one"), 200);
  // Another file takes its place.
  write("new", authorizers(fmt::format("{}, {{type: AlwaysDeny, name: alwaysdeny}}", kRoles)));
  std::filesystem::rename(folder_.file("new"), folder_.file("rights"));
  EXPECT_TRUE(comes_to(403));
}

TEST_F(ServerTest, DecidesByTheModesOfItsFlags) {
  Options wanted = options();
  wanted.token_file = write("tokens", "one,jane,1,\n");
  wanted.authorization.modes = {"AlwaysAllow"};
  start(wanted);
  EXPECT_EQ(get("/api/v1/secrets", "one"), 200);
}

TEST_F(ServerTest, LeavesAKubeconfigWhenItKeepsNothingElse) {
  start(options());
  const std::string path = server_->kubeconfig_path();
  EXPECT_EQ(read_file(path).value(), server_->kubeconfig());
  EXPECT_THAT(server_->kubeconfig(), HasSubstr("server: " + server_->url()));
  struct stat found = {};
  ASSERT_EQ(::stat(path.c_str(), &found), 0);
  EXPECT_EQ(found.st_mode & 0777, 0600u);
  ASSERT_TRUE(server_->stop());
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST_F(ServerTest, WritesTheKubeconfigWhereItIsWanted) {
  Options wanted = options();
  wanted.kubeconfig_file = folder_.file("my.kubeconfig");
  start(wanted);
  EXPECT_EQ(server_->kubeconfig_path(), wanted.kubeconfig_file);
  ASSERT_TRUE(server_->stop());
  EXPECT_EQ(read_file(wanted.kubeconfig_file).value(), server_->kubeconfig());
}

TEST_F(ServerTest, ReloadsTokens) {
  Options wanted = options();
  wanted.token_file = write("tokens", "one,jane,1,system:masters\n");
  start(wanted);
  EXPECT_EQ(get("/api/v1/namespaces", "one"), 200);
  write("tokens", "two,jane,1,system:masters\n");
  EXPECT_THAT(server_->reload(), IsEmpty());
  EXPECT_EQ(get("/api/v1/namespaces", "one"), 401);
  EXPECT_EQ(get("/api/v1/namespaces", "two"), 200);
}

TEST_F(ServerTest, KeepsItsTokensWhenTheNewOnesCannotBeUsed) {
  Options wanted = options();
  wanted.token_file = write("tokens", "one,jane,1,system:masters\n");
  start(wanted);
  write("tokens", "sesame\n");
  std::vector<Error> failures = server_->reload();
  ASSERT_EQ(failures.size(), 1u);
  EXPECT_THAT(failures[0].to_string(), HasSubstr("tokens: line 1: want token,user,uid"));
  EXPECT_EQ(failures[0].to_string().find("sesame"), std::string::npos);
  std::filesystem::remove(wanted.token_file);
  EXPECT_EQ(server_->reload().size(), 1u);
  EXPECT_EQ(get("/api/v1/namespaces", "one"), 200);
}

TEST_F(ServerTest, ReloadsItsCertificateAndKeepsItWhenTheNewOneCannotBeUsed) {
  const http::Validity validity{.from = system_clock().now() - std::chrono::hours(1),
                                .until = system_clock().now() + std::chrono::hours(1)};
  const auto use = [&](std::string_view name) {
    const auto ca = http::make_ca(name, validity).value();
    http::CertificateSpec spec;
    spec.common_name = "strake";
    spec.ip_addresses = {"127.0.0.1"};
    spec.validity = validity;
    const auto made = http::issue_certificate(ca, spec).value();
    write("tls.crt", made.certificate_pem);
    write("tls.key", made.key_pem.reveal());
    return ca.certificate_pem;
  };
  const std::string first = use("first");
  Options wanted = options();
  wanted.tls_certificate_file = folder_.file("tls.crt");
  wanted.tls_key_file = folder_.file("tls.key");
  wanted.client_ca_file = write("clients", first);
  start(wanted);
  EXPECT_EQ(get("/readyz", "", first), 200);
  const std::string second = use("second");
  EXPECT_THAT(server_->reload(), IsEmpty());
  EXPECT_EQ(get("/readyz", "", second), 200);
  write("tls.key", "no key");
  ASSERT_EQ(server_->reload().size(), 1u);
  EXPECT_THAT(server_->reload()[0].to_string(), HasSubstr("serving key"));
  EXPECT_EQ(get("/readyz", "", second), 200);
  use("third");
  write("clients", "no certificate");
  ASSERT_EQ(server_->reload().size(), 1u);
  EXPECT_THAT(server_->reload()[0].to_string(), HasSubstr("client CA"));
  EXPECT_EQ(get("/readyz", "", second), 200);
}

TEST_F(ServerTest, ReadsTokensAndCertificatesAgainWhenTheirFilesChange) {
  const auto eventually = [](const auto& condition) {
    for (int i = 0; i < 500 && !condition(); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    return condition();
  };
  const http::Validity validity{.from = system_clock().now() - std::chrono::hours(1),
                                .until = system_clock().now() + std::chrono::hours(1)};
  const auto use = [&](std::string_view name) {
    const auto ca = http::make_ca(name, validity).value();
    http::CertificateSpec spec;
    spec.common_name = "strake";
    spec.ip_addresses = {"127.0.0.1"};
    spec.validity = validity;
    const auto made = http::issue_certificate(ca, spec).value();
    write("tls.crt", made.certificate_pem);
    write("tls.key", made.key_pem.reveal());
    return ca.certificate_pem;
  };
  Options wanted = options();
  wanted.token_file = write("tokens", "one,jane,1,system:masters\n");
  const std::string first = use("first");
  wanted.tls_certificate_file = folder_.file("tls.crt");
  wanted.tls_key_file = folder_.file("tls.key");
  start(wanted);
  EXPECT_EQ(get("/api/v1/namespaces", "one", first), 200);
  write("tokens", "two,jane,1,system:masters\n");
  EXPECT_TRUE(eventually([&] { return get("/api/v1/namespaces", "two", first) == 200; }));
  EXPECT_EQ(get("/api/v1/namespaces", "one", first), 401);
  const std::string second = use("second");
  EXPECT_TRUE(eventually([&] { return get("/readyz", "", second) == 200; }));
}

TEST_F(ServerTest, DoesNotTakeAnotherAuthorityWithoutARestart) {
  Options wanted = options();
  wanted.data_dir = folder_.file("data");
  start(wanted);
  const std::string before = read_file(wanted.data_dir + "/pki/ca.crt").value();
  for (const char* name : {"ca.crt", "ca.key"})
    std::filesystem::remove(wanted.data_dir + "/pki/" + name);
  const std::vector<Error> failures = server_->reload();
  ASSERT_EQ(failures.size(), 1u);
  EXPECT_THAT(failures[0].to_string(), HasSubstr("needs a restart"));
  EXPECT_EQ(get("/readyz", "", before), 200);
}

TEST(Keys, AreOnlyWrittenUnderTheirOwnNames) {
  const TemporaryFolder folder = TemporaryFolder::make("strake-test").value();
  for (const char* name : {"../evil", "pki/../../evil", "strake.db", "/etc/passwd"}) {
    const auto written =
        write_keys(folder.file("data"), {{.name = name, .content = Secret("x")}}, true);
    ASSERT_FALSE(written) << name;
    EXPECT_EQ(written.error().code(), Code::kInvalid);
  }
  EXPECT_FALSE(std::filesystem::exists(folder.file("data")));
}

}  // namespace
}  // namespace strake::server
