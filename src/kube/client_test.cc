#include "kube/client.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <fstream>

#include "async/signal.h"
#include "base/subprocess.h"
#include "http/test_server.h"
#include "kube/list.h"

namespace strake::kube {
namespace {

using http::Response;
using http::testing::test_pki;
using http::testing::TestServer;
using http::testing::text_response;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

using Answer = boost::asio::awaitable<Response>;

class KubeClient : public ::testing::Test {
 protected:
  // Whatever proxy the machine has, these servers are here.
  void SetUp() override { ::setenv("no_proxy", "127.0.0.1", 1); }

  static Access access_to(const TestServer& server) {
    Access out;
    out.context = "test";
    out.server = server.url("");
    if (out.server.starts_with("https")) out.ca_pem = test_pki().authority.certificate_pem;
    return out;
  }
};

std::string status_body(std::string_view reason, std::string_view message) {
  return fmt::format(
      R"({{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"{}","message":"{}"}})",
      reason, message);
}

Answer give(Response response) { co_return response; }

Answer tell_headers(http::Request request) {
  std::string text = request.method + " " + request.path + "?" + request.query + "\n";
  for (const http::Header& header : request.headers.all())
    text += header.name + ": " + header.value + "\n";
  co_return text_response(text);
}

TEST_F(KubeClient, SendsWhoIsAskingAndForWhom) {
  TestServer server(tell_headers, {}, true);
  Access access = access_to(server);
  access.credentials.token = Secret("t0ken");
  access.as = {.user = "jane", .uid = "7", .groups = {"a", "b"}, .extra = {{"scopes", {"x"}}}};
  const Client client(std::move(access), {.user_agent = "strake/test"});
  const auto body = client.get("/api/v1/pods?limit=1");
  ASSERT_TRUE(body) << body.error().to_string();
  EXPECT_THAT(*body, HasSubstr("GET /api/v1/pods?limit=1\n"));
  for (const std::string_view line :
       {"authorization: Bearer t0ken\n", "user-agent: strake/test\n", "impersonate-user: jane\n",
        "impersonate-uid: 7\n", "impersonate-group: a\n", "impersonate-group: b\n",
        "impersonate-extra-scopes: x\n", "accept: application/json\n"})
    EXPECT_THAT(*body, HasSubstr(line));
}

TEST_F(KubeClient, ReadsATokenFileForEachRequest) {
  TestServer server(tell_headers);
  const ScratchFolder folder = *ScratchFolder::make("strake-kube-");
  Access access = access_to(server);
  access.token_file = folder.path() + "/token";
  const Client client(access, {});
  for (const std::string_view token : {"one", "two"}) {
    std::ofstream(access.token_file) << token << "\n";
    EXPECT_THAT(client.get("/").value(), HasSubstr(fmt::format("Bearer {}\n", token)));
  }
}

TEST_F(KubeClient, ShowsAClientCertificate) {
  TestServer server(
      [](http::Request request) {
        return give(text_response(request.peer ? request.peer->common_name : "nobody"));
      },
      {}, true);
  const auto client_pair = http::issue_certificate(
      test_pki().authority, {.common_name = "jane",
                             .use = http::CertificateUse::kClient,
                             .validity = {.from = system_clock().now() - std::chrono::hours(1),
                                          .until = system_clock().now() + std::chrono::hours(1)}});
  ASSERT_TRUE(client_pair);
  Access access = access_to(server);
  access.credentials.certificate_pem = client_pair->certificate_pem;
  access.credentials.key_pem = client_pair->key_pem;
  EXPECT_EQ(Client(std::move(access), {}).get("/").value(), "jane");
}

TEST_F(KubeClient, VerifiesTheServerByTheNameItIsTold) {
  TestServer server(tell_headers, {}, true);
  Access access = access_to(server);
  access.tls_server_name = "localhost";
  const auto body = Client(access, {}).get("/");
  ASSERT_TRUE(body) << body.error().to_string();
  EXPECT_THAT(*body, HasSubstr("127.0.0.1:")) << "the host that is asked stays what it was";
  access.tls_server_name = "other.example";
  const auto refused = Client(access, {}).get("/");
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message(), HasSubstr("certificate does not pass"));
  access.insecure = true;
  access.ca_pem.clear();
  EXPECT_TRUE(Client(access, {}).get("/"));
}

TEST_F(KubeClient, TurnsAStatusIntoAnErrorOfItsReason) {
  struct Case {
    int status;
    std::string body;
    Code code;
    std::string_view says;
  };
  const Case cases[] = {
      {404, status_body("NotFound", "pods x not found"), Code::kNotFound, "pods x not found"},
      {409, status_body("AlreadyExists", "it is there"), Code::kAlreadyExists, "it is there"},
      {403, status_body("Forbidden", "no"), Code::kForbidden, "GET /a: no"},
      {410, status_body("Expired", "too old"), Code::kExpired, "too old"},
      {502, "<html>Bad gateway</html>", Code::kInternal, "the server answered 502"},
      {401, "go away\nfar", Code::kUnauthorized, "the server answered 401: go away"},
  };
  for (const Case& one : cases) {
    TestServer server([&one](http::Request) { return give(text_response(one.body, one.status)); });
    const auto answer = Client(access_to(server), {}).get("/a?token=s3cret");
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().code(), one.code) << one.body;
    EXPECT_THAT(answer.error().message(), HasSubstr(one.says));
    EXPECT_THAT(answer.error().message(), ::testing::Not(HasSubstr("s3cret")));
  }
}

TEST_F(KubeClient, AsksAgainWhenTheServerWantsPatience) {
  std::atomic<int> asked = 0;
  TestServer server([&asked](http::Request) {
    if (++asked >= 3) return give(text_response("done"));
    Response busy = text_response("busy", 429);
    busy.headers.add("Retry-After", std::string_view("0"));
    return give(std::move(busy));
  });
  EXPECT_EQ(Client(access_to(server), {}).get("/").value(), "done");
  EXPECT_EQ(asked, 3);
  asked = -100;
  EXPECT_EQ(Client(access_to(server), {}).get("/").error().code(), Code::kTooManyRequests);
  EXPECT_EQ(asked, -95) << "five times and no more";
}

TEST_F(KubeClient, RunsThePluginOnceAndAgainWhenItsTokenIsRefused) {
  const ScratchFolder folder = *ScratchFolder::make("strake-kube-");
  TestServer server([](http::Request request) {
    const bool known = request.headers.get("Authorization") == "Bearer token-2";
    return give(text_response(known ? "welcome" : "who?", known ? 200 : 401));
  });
  Access access = access_to(server);
  access.exec =
      ExecPlugin{.command = "sh",
                 .arguments = {"-c", R"(echo run >> "$COUNT"; n=$(wc -l < "$COUNT"); n=$((n));
        echo "{\"kind\":\"ExecCredential\",\"apiVersion\":\"client.authentication.k8s.io/v1\",
        \"status\":{\"token\":\"token-$n\"}}")"},
                 .environment = {"COUNT=" + folder.path() + "/count"},
                 .api_version = "client.authentication.k8s.io/v1"};
  const Client client(std::move(access), {});
  for (int i = 0; i < 3; ++i) {
    const auto body = client.get("/");
    ASSERT_TRUE(body) << body.error().to_string();
    EXPECT_EQ(*body, "welcome");
  }
  std::ifstream count(folder.path() + "/count");
  const std::string runs((std::istreambuf_iterator<char>(count)), {});
  EXPECT_EQ(runs, "run\nrun\n");
}

TEST_F(KubeClient, NamesTheContextWhenNobodyAnswers) {
  Access access;
  access.context = "far";
  access.server = "http://127.0.0.1:1";
  const auto answer = Client(std::move(access), {}).get("/");
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code(), Code::kServiceUnavailable);
  EXPECT_THAT(answer.error().message(), HasSubstr("context \"far\": GET http://127.0.0.1:1/"));
}

TEST_F(KubeClient, GoesThroughAProxy) {
  TestServer proxy(tell_headers);
  Access access;
  access.server = "http://cluster.example";
  access.proxy_url = proxy.url("");
  const auto body = Client(std::move(access), {}).get("/version");
  ASSERT_TRUE(body) << body.error().to_string();
  EXPECT_THAT(*body, HasSubstr("cluster.example"));
}

TEST_F(KubeClient, ListsPageByPageAndBeginsAgainWhenPagesExpire) {
  std::atomic<int> expired = 1;
  TestServer server([&expired](http::Request request) {
    if (request.query == "limit=2")
      return give(text_response(R"({"items":[1,2],"metadata":{"continue":"a/b="}})"));
    if (expired-- > 0) return give(text_response(status_body("Expired", "too old"), 410));
    return give(text_response(request.query == "limit=2&continue=a%2Fb%3D"
                                  ? R"({"items":[3],"metadata":{}})"
                                  : "unexpected"));
  });
  const Client client(access_to(server), {});
  const auto pages = list_pages(client, "/apis/x", 2);
  ASSERT_TRUE(pages) << pages.error().to_string();
  EXPECT_THAT(*pages, ElementsAre(R"({"items":[1,2],"metadata":{"continue":"a/b="}})",
                                  R"({"items":[3],"metadata":{}})"));
  expired = 100;
  EXPECT_EQ(list_pages(client, "/apis/x", 2).error().code(), Code::kExpired);
}

// Tells that it was asked, and does not answer before the client leaves.
class SilentServer {
 public:
  Answer operator()(http::Request request) {
    if (on_request) on_request();
    static_cast<void>(co_await async::sleep_until(Deadline::never(), request.cancel));
    co_return text_response("too late");
  }
  std::function<void()> on_request;
};

TEST_F(KubeClient, EndsARequestUnderWayWhenItIsCancelled) {
  CancelSource source;
  SilentServer silent;
  silent.on_request = [&] { source.cancel(); };
  TestServer server(std::ref(silent));
  const Client client(access_to(server), {});
  const Client mine = client.within(source.token(), Deadline::never());
  EXPECT_EQ(mine.get("/").error().code(), Code::kCancelled);
  EXPECT_EQ(mine.get("/").error().message(), "the operation was cancelled") << "not asked again";
  EXPECT_EQ(client.within(source.token(), {}).check().error().code(), Code::kCancelled);
  EXPECT_TRUE(client.check()) << "others go on";
}

TEST_F(KubeClient, EndsWithTheFirstOfItsCallers) {
  CancelSource outer;
  CancelSource inner;
  Access access;
  access.server = "http://127.0.0.1:1";
  const Client client(std::move(access), {});
  const Client both = client.within(outer.token(), Deadline::never()).within(inner.token(), {});
  EXPECT_TRUE(both.check());
  outer.cancel();
  EXPECT_FALSE(both.check());
  EXPECT_TRUE(client.within(inner.token(), {}).check());
}

TEST_F(KubeClient, EndsARequestAtTheDeadline) {
  SilentServer silent;
  TestServer server(std::ref(silent));
  const Client client(access_to(server), {});
  const Client mine = client.within({}, Deadline::after(std::chrono::milliseconds(50)));
  EXPECT_EQ(mine.get("/").error().code(), Code::kTimeout);
  EXPECT_EQ(mine.get("/").error().message(), "the deadline has passed");
}

TEST_F(KubeClient, IsNotPatientWithABusyServerWhenItIsCancelled) {
  CancelSource source;
  TestServer server([&](http::Request) {
    Response busy = text_response("busy", 429);
    busy.headers.add("Retry-After", std::string_view("10"));
    source.cancel();
    return give(std::move(busy));
  });
  const Client client(access_to(server), {});
  EXPECT_EQ(client.within(source.token(), {}).get("/").error().code(), Code::kCancelled);
}

TEST_F(KubeClient, WaitsForItsTurnWithinTheRate) {
  TestServer server(tell_headers);
  const Client client(access_to(server), {.rate = RateLimit{.per_second = 1e-3, .burst = 2}});
  EXPECT_TRUE(client.get("/"));
  EXPECT_TRUE(client.get("/"));
  const Client hurried = client.within({}, Deadline::after(std::chrono::milliseconds(20)));
  EXPECT_EQ(hurried.get("/").error().code(), Code::kTimeout);
}

TEST_F(KubeClient, HandsAnAnswerOverPartByPart) {
  TestServer server([](http::Request request) {
    if (request.path == "/refused") return give(text_response(status_body("Forbidden", "no"), 403));
    return give(text_response(request.headers.has("Authorization") ? "one\ntwo\n" : "who?\n"));
  });
  Access access = access_to(server);
  access.credentials.token = Secret("t0ken");
  const Client client(std::move(access), {.user_agent = "strake/test"});
  std::string text;
  const auto take = [&](std::string_view part) -> Result<bool> {
    text += part;
    return true;
  };
  EXPECT_TRUE(client.stream({.path = "/log"}, take));
  EXPECT_EQ(text, "one\ntwo\n");
  EXPECT_EQ(client.stream({.path = "/refused"}, take).error().code(), Code::kForbidden);
  EXPECT_EQ(client
                .stream({.path = "/log"},
                        [](std::string_view) -> Result<bool> { return fail(Code::kIo, "full"); })
                .error()
                .code(),
            Code::kIo);
  EXPECT_TRUE(
      client.stream({.path = "/log"}, [](std::string_view) { return Result<bool>(false); }));
}

}  // namespace
}  // namespace strake::kube
