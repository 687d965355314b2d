#include "http/fetch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "async/signal.h"
#include "http/test_server.h"
#include "http/test_streams.h"

namespace strake::http {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;
using namespace strake::http::testing;
using std::chrono::milliseconds;

class Fetch : public ::testing::Test {
 protected:
  // Whatever proxy the machine has, these servers are here.
  void SetUp() override { ::setenv("no_proxy", "127.0.0.1", 1); }
};

FetchRequest to(const TestServer& server, std::string_view path) {
  return {.url = server.url(path), .ca_pem = test_pki().authority.certificate_pem};
}

TEST_F(Fetch, GetsOverPlainTextAndTls) {
  for (const bool tls : {false, true}) {
    TestServer server(echo, {}, tls);
    const FetchResponse response = fetch(to(server, "/a?b=c")).value();
    EXPECT_EQ(response.status, 200);
    EXPECT_THAT(response.body, StartsWith("GET /a?b=c"));
    EXPECT_EQ(response.headers.get("Content-Type"), "text/plain");
    EXPECT_EQ(response.url, server.url("/a?b=c"));
  }
}

boost::asio::awaitable<Response> mirror(Request request) {
  std::string text = request.method + "\n";
  for (const Header& header : request.headers.all())
    text += header.name + ": " + header.value + "\n";
  co_return text_response(text + request.body, 409);
}

TEST_F(Fetch, SendsMethodHeadersAndBody) {
  TestServer server(mirror);
  FetchRequest request = to(server, "/");
  request.method = "PATCH";
  request.body = R"({"a":1})";
  request.headers.add(std::string_view("Content-Type"), "application/merge-patch+json");
  request.headers.add(std::string_view("X-Empty"), "");
  request.bearer_token = Secret("s3cret");
  const FetchResponse response = fetch(request).value();
  EXPECT_EQ(response.status, 409) << "not an error";
  EXPECT_THAT(response.body, StartsWith("PATCH\n"));
  EXPECT_THAT(response.body, HasSubstr("Content-Type: application/merge-patch+json\n"));
  EXPECT_THAT(response.body, HasSubstr("X-Empty: \n"));
  EXPECT_THAT(response.body, HasSubstr("Authorization: Bearer s3cret\n"));
  EXPECT_THAT(response.body, Not(HasSubstr("Expect")));
  EXPECT_THAT(response.body, HasSubstr(R"({"a":1})"));
}

TEST_F(Fetch, KnowsAllMethods) {
  TestServer server(echo);
  for (const std::string_view method : {"GET", "POST", "PUT", "DELETE", "OPTIONS"}) {
    FetchRequest request = to(server, "/");
    request.method = method;
    EXPECT_THAT(fetch(request).value().body, StartsWith(method));
  }
  FetchRequest head = to(server, "/");
  head.method = "HEAD";
  EXPECT_EQ(fetch(head).value().body, "");
}

TEST_F(Fetch, ShowsItsCertificate) {
  const auto whoami = [](Request request) -> boost::asio::awaitable<Response> {
    co_return text_response(request.peer ? request.peer->common_name : "nobody");
  };
  TestServer server(whoami, {}, true);
  FetchRequest request = to(server, "/");
  EXPECT_EQ(fetch(request).value().body, "nobody");
  const CertifiedKey identity = test_pki().client("webhook", {});
  request.client_certificate_pem = identity.certificate_pem;
  request.client_key_pem = identity.key_pem;
  EXPECT_EQ(fetch(request).value().body, "webhook");
  request.client_certificate_pem = test_pki().client("other", {}).certificate_pem;
  request.client_key_pem = Secret("not a key");
  const auto broken = fetch(request);
  ASSERT_FALSE(broken);
  EXPECT_EQ(broken.error().code(), Code::kInvalid);
  EXPECT_THAT(broken.error().message(), Not(HasSubstr("not a key")));
}

TEST_F(Fetch, TrustsOnlyWhomItIsTold) {
  TestServer server(echo, {}, true);
  FetchRequest request = to(server, "/?token=hidden");
  request.ca_pem = make_ca("stranger", around_now()).value().certificate_pem;
  const auto refused = fetch(request);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), Code::kServiceUnavailable);
  EXPECT_THAT(refused.error().message(), HasSubstr("certificate does not pass"));
  EXPECT_THAT(refused.error().message(), Not(HasSubstr("hidden")));
  request.insecure = true;
  EXPECT_TRUE(fetch(request));
}

TEST_F(Fetch, FollowsRedirectsWhenAsked) {
  std::string target;
  const auto redirect = [&](Request request) -> boost::asio::awaitable<Response> {
    Response response = text_response(request.path);
    if (request.path != "/end") {
      response.status = 302;
      response.headers.add(std::string_view("Location"), target);
    }
    return [](Response made) -> boost::asio::awaitable<Response> {
      co_return made;
    }(std::move(response));
  };
  TestServer server(redirect);
  FetchRequest request = to(server, "/start");
  target = "/end";
  EXPECT_EQ(fetch(request).value().status, 302);
  request.follow_redirects = true;
  EXPECT_EQ(fetch(request).value().body, "/end");
  target = "/start";
  const auto loop = fetch(request);
  ASSERT_FALSE(loop);
  EXPECT_THAT(loop.error().message(), HasSubstr("redirected"));
  target = "file:///etc/passwd";
  EXPECT_FALSE(fetch(request));
}

TEST_F(Fetch, HoldsTheSizeLimit) {
  const auto large = [](Request) -> boost::asio::awaitable<Response> {
    co_return text_response(std::string(1000, 'a'));
  };
  TestServer server(large);
  FetchRequest request = to(server, "/");
  request.max_bytes = 1000;
  EXPECT_TRUE(fetch(request));
  request.max_bytes = 999;
  const auto refused = fetch(request);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), Code::kLimit);
}

TEST_F(Fetch, GivesUpAtItsTimeout) {
  const auto log = std::make_shared<StreamLog>();
  const auto quiet = [log](Request) -> boost::asio::awaitable<Response> {
    return [](std::shared_ptr<StreamLog> stream_log) -> boost::asio::awaitable<Response> {
      Response response;
      response.stream = std::make_unique<QuietStream>(stream_log);
      co_return response;
    }(log);
  };
  TestServer server(quiet);
  FetchRequest request = to(server, "/");
  request.timeout = milliseconds(100);
  const auto late = fetch(request);
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().code(), Code::kTimeout);
  EXPECT_THAT(late.error().message(), HasSubstr("no answer within 100 ms"));
  CancelSource source;
  source.cancel();
  request.timeout = milliseconds(60'000);
  request.cancel = source.token();
  const auto cancelled = fetch(request);
  ASSERT_FALSE(cancelled);
  EXPECT_EQ(cancelled.error().code(), Code::kCancelled);
}

TEST_F(Fetch, SaysWhatToLookAtWhenNobodyListens) {
  std::uint16_t port = 0;
  {
    TestServer server;
    port = server.server().port();
  }
  const auto refused = fetch({.url = fmt::format("http://127.0.0.1:{}/a", port)});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), Code::kServiceUnavailable);
  EXPECT_THAT(refused.error().message(),
              HasSubstr(fmt::format("GET http://127.0.0.1:{}/a: cannot connect", port)));
}

TEST_F(Fetch, RefusesWhatCannotBeAsked) {
  for (const std::string_view url : {"", "not a url", "ftp://127.0.0.1/", "file:///etc/passwd",
                                     "http://", "http://u:hidden@[::1"}) {
    const auto refused = fetch({.url = std::string(url)});
    ASSERT_FALSE(refused) << url;
    EXPECT_EQ(refused.error().code(), Code::kInvalid) << url;
    EXPECT_THAT(refused.error().message(), Not(HasSubstr("hidden")));
  }
  FetchRequest request{.url = "http://127.0.0.1:1/"};
  request.headers.add(std::string_view("X-A"), "a\r\nX-Evil: b");
  EXPECT_EQ(fetch(request).error().code(), Code::kInvalid);
}

TEST_F(Fetch, KeepsItsConnectionForTheThread) {
  TestServer server(echo, {}, true);
  const auto before = server.server().stats().connections;
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(fetch(to(server, "/")));
  EXPECT_EQ(server.server().stats().connections, before + 1);
}

TEST_F(Fetch, ReadsWhatIsCompressed) {
  const auto large = [](Request) -> boost::asio::awaitable<Response> {
    co_return text_response(std::string(1'000'000, 'a'));
  };
  TestServer server(large);
  FetchRequest request = to(server, "/");
  request.compressed = true;
  const FetchResponse response = fetch(request).value();
  EXPECT_EQ(response.body, std::string(1'000'000, 'a'));
  EXPECT_FALSE(response.headers.has("Content-Encoding"));
  request.max_bytes = 999'999;
  EXPECT_EQ(fetch(request).error().code(), Code::kLimit) << "compressed it would fit";
}

TEST_F(Fetch, KeepsItsSecretsFromOtherHosts) {
  TestServer other(mirror);
  const auto redirect = [&](Request request) -> boost::asio::awaitable<Response> {
    Response response = text_response("");
    response.status = 302;
    response.headers.add("Location", request.path == "/away" ? other.url("/") : "/away");
    return [](Response made) -> boost::asio::awaitable<Response> {
      co_return made;
    }(std::move(response));
  };
  TestServer server(redirect);
  FetchRequest request = to(server, "/");
  request.follow_redirects = true;
  request.bearer_token = Secret("s3cret");
  const FetchResponse response = fetch(request).value();
  EXPECT_EQ(response.url, other.url("/"));
  EXPECT_THAT(response.body, Not(HasSubstr("s3cret")));
}

}  // namespace
}  // namespace strake::http
