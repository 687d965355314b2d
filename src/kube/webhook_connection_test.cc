#include "kube/webhook_connection.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <fstream>

#include "async/run.h"
#include "async/signal.h"
#include "base/base64.h"
#include "base/subprocess.h"
#include "http/test_server.h"

namespace strake::kube {
namespace {

using http::Response;
using http::testing::test_pki;
using http::testing::TestServer;
using http::testing::text_response;
using std::chrono::milliseconds;
using ::testing::HasSubstr;
using ::testing::StartsWith;

using Answer = boost::asio::awaitable<Response>;
using PostOptions = WebhookConnection::PostOptions;

class Webhook : public ::testing::Test {
 protected:
  void SetUp() override { ::setenv("no_proxy", "127.0.0.1", 1); }

  // A kubeconfig for that server; members of the cluster and of the user.
  std::string config(std::string_view server, std::string_view cluster = "",
                     std::string_view user = "") const {
    const std::string file = folder_.path() + "/config";
    std::ofstream(file) << fmt::format(
        "clusters:\n- name: c\n  cluster: {{server: \"{}\"{}}}\nusers:\n- name: u\n  user: {{{}}}\n"
        "contexts:\n- name: x\n  context: {{cluster: c, user: u}}\ncurrent-context: x\n",
        server, cluster, user);
    return file;
  }
  static std::string trusted() {
    return fmt::format(", certificate-authority-data: {}",
                       base64_encode(test_pki().authority.certificate_pem));
  }

  // What a post gives, or "!" and why it failed.
  std::string post(const std::string& file, PostOptions options = {.timeout = milliseconds(5000)}) {
    auto opened = WebhookConnection::open(file);
    if (!opened) return "! " + opened.error().to_string();
    auto client = std::make_shared<http::Client>(loops_, http::ClientOptions());
    const auto ask = [](auto service, auto via, PostOptions how) -> async::Task<std::string> {
      auto reply = co_await service->post(via, "question", std::move(how));
      co_return reply ? *reply : "! " + reply.error().message;
    };
    return async::run_blocking(loops_.at(0), ask(*opened, client, std::move(options))).value();
  }

  async::Loops loops_{1};
  ScratchFolder folder_ = *ScratchFolder::make("strake-webhook-");
};

Answer tell(http::Request request) {
  co_return text_response(fmt::format("{} {}?{} {} {} {}", request.method, request.path,
                                      request.query, request.headers.get("Authorization"),
                                      request.headers.get("Content-Type"), request.body));
}

TEST_F(Webhook, IsCalledAtItsPathAsTheUserOfTheKubeconfig) {
  TestServer server(tell, {}, true);
  EXPECT_EQ(post(config(server.url("/authorize"), trusted(), "token: t0ken")),
            "POST /authorize?timeout=5s Bearer t0ken application/json question");
  EXPECT_EQ(post(config(server.url(""), trusted(), "username: a, password: b")),
            "POST /?timeout=5s Basic YTpi application/json question");
}

TEST_F(Webhook, IsSentTheTokenThatTheFileHoldsNow) {
  TestServer server(tell, {}, true);
  const std::string token = folder_.path() + "/token";
  for (const std::string_view now : {"one", "two"}) {
    std::ofstream(token) << now << "\n";
    EXPECT_THAT(post(config(server.url("/"), trusted(), fmt::format("tokenFile: {}", token))),
                HasSubstr(fmt::format("Bearer {} ", now)));
  }
}

TEST_F(Webhook, ShowsAClientCertificate) {
  const auto who = [](http::Request request) -> Answer {
    co_return text_response(request.peer ? request.peer->common_name : "nobody");
  };
  http::ServerOptions options;
  options.tls = test_pki().server_tls();
  options.tls->client_ca_pem = test_pki().authority.certificate_pem;
  TestServer server(who, std::move(options), true);
  const http::CertifiedKey own = test_pki().client("caller", {});
  EXPECT_EQ(post(config(server.url("/"), trusted(),
                        fmt::format("client-certificate-data: {}, client-key-data: {}",
                                    base64_encode(own.certificate_pem),
                                    base64_encode(own.key_pem.reveal())))),
            "caller");
}

TEST_F(Webhook, FailsInTheWordsOfGo) {
  TestServer silent(
      [](http::Request) -> Answer {
        static_cast<void>(co_await async::sleep_for(std::chrono::seconds(2)));
        co_return text_response("late");
      },
      {}, true);
  EXPECT_EQ(post(config(silent.url("/x"), trusted()), {.timeout = milliseconds(50)}),
            fmt::format("! Post \"{}?timeout=50ms\": context deadline exceeded (Client.Timeout "
                        "exceeded while awaiting headers)",
                        silent.url("/x")));
  TestServer other(tell, {}, true);
  EXPECT_THAT(
      post(config(other.url("/"),
                  fmt::format(", certificate-authority-data: {}",
                              base64_encode(test_pki().client("x", {}).certificate_pem)))),
      HasSubstr(
          "tls: failed to verify certificate: x509: certificate signed by unknown authority"));
  EXPECT_THAT(post(config("https://127.0.0.1:1/")),
              HasSubstr("dial tcp 127.0.0.1:1: connect: connection refused"));
  EXPECT_THAT(post(config("https://no.such.host.invalid/")),
              HasSubstr("dial tcp: lookup no.such.host.invalid: no such host"));
}

TEST_F(Webhook, IsAskedAgainOnlyWhenThatMayHelp) {
  std::atomic<int> asked = 0;
  std::atomic<int> code = 500;
  TestServer server(
      [&](http::Request) -> Answer {
        ++asked;
        co_return asked < 3 ? text_response("not now", code) : text_response("yes");
      },
      {}, true);
  const PostOptions quick{.timeout = std::chrono::seconds(5),
                          .backoff = {.first = milliseconds(1)}};
  const std::string file = config(server.url("/"), trusted());
  EXPECT_EQ(post(file, quick), "yes");
  EXPECT_EQ(asked, 3);
  for (const int final : {403, 404, 503}) {
    asked = 0;
    code = final;
    EXPECT_THAT(post(file, quick), StartsWith("! ")) << final;
    EXPECT_EQ(asked, 1) << final;
  }
  asked = 0;
  PostOptions always = quick;
  always.retry_always = true;
  EXPECT_EQ(post(file, always), "yes");
  asked = -100;
  EXPECT_THAT(post(file, always), StartsWith("! "));
  EXPECT_EQ(asked, -95);
}

TEST_F(Webhook, IsGivenUpWithItsCaller) {
  TestServer server([](http::Request) -> Answer { co_return text_response("no", 500); }, {}, true);
  CancelSource source;
  std::thread later([&] {
    std::this_thread::sleep_for(milliseconds(30));
    source.cancel();
  });
  EXPECT_THAT(post(config(server.url("/"), trusted()),
                   {.backoff = {.first = std::chrono::hours(1)}, .cancel = source.token()}),
              HasSubstr("an error on the server (\"no\")"));
  later.join();
}

TEST_F(Webhook, IsNotOpenedWithoutItsFiles) {
  EXPECT_THAT(post(folder_.path() + "/none"), StartsWith("! "));
  EXPECT_THAT(post(config("ftp://x")), HasSubstr("must be an http or https URL"));
  EXPECT_THAT(post(config("https://127.0.0.1", "",
                          "exec: {command: x, apiVersion: client.authentication.k8s.io/v1}")),
              HasSubstr("plugin"));
}

}  // namespace
}  // namespace strake::kube
