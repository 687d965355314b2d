// The client against our own server, over HTTP/1.1 and HTTP/2, plain and with TLS.
#include "http/client.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/this_coro.hpp>

#include "async/concurrently.h"
#include "async/run.h"
#include "http/test_http_client.h"
#include "http/test_server.h"
#include "http/test_streams.h"

namespace strake::http {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;
using namespace strake::http::testing;
using std::chrono::milliseconds;

TEST_P(HttpClient, Gets) {
  TestServer server = serve(echo);
  const Reply reply = ask({.to = to(server), .target = "/a?b=c"});
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_EQ(reply->status, 200);
  EXPECT_EQ(reply->version, is_h2() ? 20 : 11);
  EXPECT_EQ(reply->headers.get("Content-Type"), "text/plain");
  EXPECT_EQ(reply->body, fmt::format("GET /a?b=c version={} body=0\n", is_h2() ? 20 : 11));
}

boost::asio::awaitable<Response> mirror(Request request) {
  std::string text = request.method + "\n";
  for (const Header& header : request.headers.all()) {
    text += fmt::format("{}={}\n", header.name, header.value);
  }
  co_return text_response(text + request.body, 409);
}

TEST_P(HttpClient, SendsMethodHeadersAndBody) {
  TestServer server = serve(mirror);
  ClientRequest request{.to = to(server), .method = "PATCH", .body = "{}"};
  request.headers.add("Content-Type", std::string_view("application/json"));
  request.headers.add("X-Empty", std::string_view(""));
  request.headers.add("Connection", std::string_view("close"));
  request.headers.add("Content-Length", std::string_view("77"));
  const Reply reply = ask(std::move(request));
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_EQ(reply->status, 409) << "not an error";
  EXPECT_THAT(reply->body, StartsWith("PATCH\n"));
  EXPECT_THAT(reply->body, HasSubstr(fmt::format("Host=127.0.0.1:{}\n", server.server().port())));
  EXPECT_THAT(reply->body, HasSubstr(is_h2() ? "content-type=application/json\n"
                                             : "Content-Type=application/json\n"));
  EXPECT_THAT(reply->body, HasSubstr(is_h2() ? "x-empty=\n" : "X-Empty=\n"));
  EXPECT_THAT(reply->body, ::testing::Not(HasSubstr("close")));
  EXPECT_THAT(reply->body, ::testing::Not(HasSubstr("=77\n")));
  EXPECT_THAT(reply->body, ::testing::EndsWith("{}"));
}

TEST_P(HttpClient, KeepsItsConnection) {
  TestServer server = serve(echo);
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(ask({.to = to(server)}));
  EXPECT_EQ(stats().dialled, 1u);
  EXPECT_EQ(stats().idle, 1u);
  EXPECT_EQ(server.server().stats().requests, 10u);
}

TEST_P(HttpClient, KnowsAllMethods) {
  TestServer server = serve(echo);
  for (const std::string method : {"GET", "POST", "PUT", "DELETE", "OPTIONS", "PURGE"}) {
    const Reply reply = ask({.to = to(server), .method = method});
    ASSERT_TRUE(reply) << method << reply.error().message;
    EXPECT_THAT(reply->body, StartsWith(method));
  }
  const Reply head = ask({.to = to(server), .method = "HEAD"});
  ASSERT_TRUE(head);
  EXPECT_EQ(head->body, "");
  EXPECT_EQ(head->headers.get("Content-Length"), "25");
  EXPECT_EQ(stats().dialled, 1u);
}

TEST_P(HttpClient, ReadsLargeBodiesAndThoseThatStream) {
  const auto log = std::make_shared<StreamLog>();
  TestServer server = serve([log](Request request) -> boost::asio::awaitable<Response> {
    return
        [](std::shared_ptr<StreamLog> logged, Request asked) -> boost::asio::awaitable<Response> {
          if (asked.path == "/large") co_return text_response(std::string(5'000'000, 'l'));
          Response response;
          response.stream = std::make_unique<FiniteStream>(logged, std::string(1000, 's'), 3000);
          co_return response;
        }(log, std::move(request));
  });
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(ask({.to = to(server), .target = "/large"})->body, std::string(5'000'000, 'l'));
    EXPECT_EQ(ask({.to = to(server), .target = "/stream"})->body, std::string(3'000'000, 's'));
  }
  EXPECT_EQ(stats().dialled, 1u);
}

TEST_P(HttpClient, SlowsAServerDownThatItDoesNotRead) {
  const auto log = std::make_shared<StreamLog>();
  TestServer server = serve([log](Request) -> boost::asio::awaitable<Response> {
    return [](std::shared_ptr<StreamLog> logged) -> boost::asio::awaitable<Response> {
      Response response;
      response.stream =
          std::make_unique<CountedStream>(logged, std::string(64 * 1024, 's'), 10'000);
      co_return response;
    }(log);
  });
  auto response = start({.to = to(server)});
  ASSERT_TRUE(response);
  // It settles at what the sockets and the windows hold, far below the 640 MB.
  std::size_t before = 1;
  EXPECT_TRUE(eventually([&] {
    std::this_thread::sleep_for(milliseconds(50));
    return std::exchange(before, log->bytes.load()) == log->bytes.load();
  }));
  EXPECT_LT(log->bytes.load(), 64u << 20);
  destroy(std::move(response));
  EXPECT_TRUE(eventually([&] { return log->destroyed.load(); }));
}

TEST_P(HttpClient, StreamsItsOwnBody) {
  TestServer server = serve(echo);
  for (const bool known : {false, true}) {
    const auto log = std::make_shared<StreamLog>();
    ClientRequest request{.to = to(server), .method = "POST"};
    request.stream = std::make_unique<CountedStream>(log, std::string(1000, 'a'), 2000);
    if (known) request.stream_length = 2'000'000;
    const Reply reply = ask(std::move(request));
    ASSERT_TRUE(reply) << reply.error().message;
    EXPECT_THAT(reply->body, HasSubstr("body=2000000"));
    EXPECT_EQ(log->pulls.load(), 2000u);
  }
  const std::string large(2'500'000, 'b');
  EXPECT_THAT(ask({.to = to(server), .method = "PUT", .body = large})->body,
              HasSubstr("body=2500000"));
  EXPECT_EQ(stats().dialled, 1u);
}

TEST_P(HttpClient, TellsWhenItsOwnBodyFails) {
  TestServer server = serve(echo);
  ClientRequest request{.to = to(server), .method = "POST"};
  request.stream = std::make_unique<FailingStream>();
  EXPECT_EQ(fault_of(ask(std::move(request))), Fault::kSource);
  ClientRequest shorter{.to = to(server), .method = "POST"};
  shorter.stream = std::make_unique<CountedStream>(std::make_shared<StreamLog>(), "abc", 2);
  shorter.stream_length = 7;
  EXPECT_EQ(fault_of(ask(std::move(shorter))), Fault::kSource);
  ClientRequest longer{.to = to(server), .method = "POST"};
  longer.stream = std::make_unique<CountedStream>(std::make_shared<StreamLog>(), "abc", 2);
  longer.stream_length = 5;
  EXPECT_EQ(fault_of(ask(std::move(longer))), Fault::kSource);
}

TEST_P(HttpClient, HearsAnAnswerBeforeItHasSentAll) {
  ServerOptions small;
  small.max_body = 1000;
  TestServer server = serve(
      [](Request request) -> boost::asio::awaitable<Response> {
        co_return text_response("too large", request.body_too_large ? 413 : 200);
      },
      small);
  const auto log = std::make_shared<StreamLog>();
  ClientRequest request{.to = to(server), .method = "POST"};
  request.stream = std::make_unique<CountedStream>(log, std::string(10'000, 'a'), 100'000);
  const Reply reply = ask(std::move(request));
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_EQ(reply->status, 413);
  EXPECT_TRUE(eventually([&] { return log->destroyed.load(); }));
  EXPECT_LT(log->pulls.load(), 100'000u);
  EXPECT_EQ(ask({.to = to(server)})->status, 200);
}

TEST_P(HttpClient, HoldsItsDeadlines) {
  const auto log = std::make_shared<StreamLog>();
  TestServer server = serve([log](Request request) -> boost::asio::awaitable<Response> {
    return
        [](std::shared_ptr<StreamLog> logged, Request asked) -> boost::asio::awaitable<Response> {
          Response response;
          if (asked.path == "/never") {
            async::Signal never(co_await boost::asio::this_coro::executor);
            (void)co_await never.wait(Deadline::never());
          } else {
            response.stream = std::make_unique<QuietStream>(logged);
          }
          co_return response;
        }(log, std::move(request));
  });
  EXPECT_EQ(
      fault_of(ask(
          {.to = to(server), .target = "/never", .deadline = Deadline::after(milliseconds(50))})),
      Fault::kTimeout);
  EXPECT_EQ(fault_of(ask({.to = to(server), .target = "/never", .try_timeout = milliseconds(50)})),
            Fault::kTimeout);
  // The head comes at once, and the rest never.
  EXPECT_EQ(
      fault_of(ask(
          {.to = to(server), .target = "/quiet", .deadline = Deadline::after(milliseconds(300))})),
      Fault::kTimeout);
  EXPECT_TRUE(eventually([&] { return log->destroyed.load(); })) << "the server was told";
}

TEST_P(HttpClient, IsCancelledByItsToken) {
  const auto log = std::make_shared<StreamLog>();
  TestServer server = serve([log](Request) -> boost::asio::awaitable<Response> {
    return [](std::shared_ptr<StreamLog> logged) -> boost::asio::awaitable<Response> {
      Response response;
      response.stream = std::make_unique<QuietStream>(logged);
      co_return response;
    }(log);
  });
  CancelSource source;
  std::thread gives_up([&] {
    EXPECT_TRUE(eventually([&] { return log->pulls.load() > 0; }));
    source.cancel();
  });
  EXPECT_EQ(fault_of(ask({.to = to(server), .cancel = source.token()})), Fault::kCancelled);
  gives_up.join();
  EXPECT_TRUE(eventually([&] { return log->destroyed.load(); }));
  EXPECT_EQ(fault_of(ask({.to = to(server), .cancel = source.token()})), Fault::kCancelled)
      << "before it began";
}

TEST_P(HttpClient, HoldsItsLimits) {
  TestServer server = serve([](Request request) -> boost::asio::awaitable<Response> {
    Response response = text_response(std::string(1000, 'a'));
    if (request.path == "/headers") {
      for (int i = 0; i < 100; ++i)
        response.headers.add(fmt::format("X-{}", i), std::string(100, 'v'));
    }
    co_return response;
  });
  EXPECT_TRUE(ask({.to = to(server), .max_body = 1000}));
  EXPECT_EQ(fault_of(ask({.to = to(server), .max_body = 999})), Fault::kTooLarge);
  use({.max_header_bytes = 5000});
  EXPECT_TRUE(ask({.to = to(server)}));
  EXPECT_EQ(fault_of(ask({.to = to(server), .target = "/headers"})), Fault::kTooLarge);
  use({.max_headers = 50});
  EXPECT_TRUE(ask({.to = to(server)}));
  EXPECT_EQ(fault_of(ask({.to = to(server), .target = "/headers"})), Fault::kTooLarge);
}

TEST_P(HttpClient, RefusesWhatCannotBeAsked) {
  TestServer server = serve(echo);
  ClientRequest base{.to = to(server)};
  const auto fault = [&](auto change) {
    ClientRequest request{.to = to(server)};
    change(request);
    return fault_of(ask(std::move(request)));
  };
  EXPECT_EQ(fault([](ClientRequest& r) { r.target = "/a b"; }), Fault::kInvalid);
  EXPECT_EQ(fault([](ClientRequest& r) { r.target = "a"; }), Fault::kInvalid);
  EXPECT_EQ(fault([](ClientRequest& r) { r.target = "/\r\nX: y"; }), Fault::kInvalid);
  EXPECT_EQ(fault([](ClientRequest& r) { r.method = "GET /"; }), Fault::kInvalid);
  EXPECT_EQ(fault([](ClientRequest& r) { r.headers.add("A", std::string_view("b\r\nC: d")); }),
            Fault::kInvalid);
  EXPECT_EQ(fault([](ClientRequest& r) { r.headers.add("A B", std::string_view("c")); }),
            Fault::kInvalid);
  EXPECT_EQ(fault([](ClientRequest& r) { r.to.host = "a/b"; }), Fault::kInvalid);
  EXPECT_EQ(fault([](ClientRequest& r) { r.to.host.clear(); }), Fault::kInvalid);
  EXPECT_EQ(server.server().stats().requests, 0u);
}

TEST_P(HttpClient, GoesToTheAddressesItIsGiven) {
  TestServer server = serve(mirror);
  Upstream there = to(server);
  there.host = "localhost";
  there.port = 12345;
  there.addresses = {{"127.0.0.1", 1}, {"127.0.0.1", server.server().port()}};
  const Reply reply = ask({.to = there});
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_THAT(reply->body, HasSubstr("Host=localhost:12345\n"));
}

TEST_P(HttpClient, LooksNamesUp) {
  TestServer server = serve(echo);
  Upstream there = to(server);
  there.host = "localhost";
  const Reply reply = ask({.to = there});
  ASSERT_TRUE(reply) << reply.error().message;
  there.host = "does-not-exist.invalid";
  EXPECT_EQ(fault_of(ask({.to = there})), Fault::kResolve);
}

TEST_P(HttpClient, TellsWhenNobodyListens) {
  Upstream there;
  {
    TestServer server = serve(echo);
    there = to(server);
  }
  EXPECT_EQ(fault_of(ask({.to = there})), Fault::kConnect);
}

TEST_P(HttpClient, AsksAgainWhenAKeptConnectionWasClosed) {
  auto server = std::make_unique<TestServer>(echo, ServerOptions(), is_tls());
  const Upstream there = to(*server);
  ASSERT_TRUE(ask({.to = there}));
  ServerOptions same;
  same.port = server->server().port();
  server.reset();
  TestServer again = serve(echo, same);
  EXPECT_TRUE(ask({.to = there}));
  EXPECT_TRUE(ask({.to = there, .method = "POST"}));
}

TEST_P(HttpClient, DropsWhatIsIdleForTooLong) {
  TestServer server = serve(echo);
  use({.idle_timeout = milliseconds(20)});
  ASSERT_TRUE(ask({.to = to(server)}));
  EXPECT_TRUE(eventually([&] { return stats().connections == 0; }));
  ASSERT_TRUE(ask({.to = to(server)}));
  EXPECT_EQ(stats().dialled, 2u);
}

TEST_P(HttpClient, SharesConnectionsWithinItsLimits) {
  TestServer server = serve(echo);
  use({.max_connections_per_host = 3});
  const std::vector<Reply> replies = ask_many(50, [&](std::size_t i) {
    return ClientRequest{.to = to(server), .target = fmt::format("/{}", i)};
  });
  for (std::size_t i = 0; i < replies.size(); ++i) {
    ASSERT_TRUE(replies[i]) << replies[i].error().message;
    EXPECT_THAT(replies[i]->body, HasSubstr(fmt::format("/{} ", i)));
  }
  EXPECT_EQ(stats().dialled, is_h2() ? 1u : 3u);
}

TEST_P(HttpClient, KeepsToTheServersLimitOfStreams) {
  ServerOptions few;
  few.max_streams = 2;
  TestServer server = serve(echo, few);
  use({.max_connections_per_host = 1});
  for (const Reply& reply :
       ask_many(40, [&](std::size_t) { return ClientRequest{.to = to(server)}; })) {
    ASSERT_TRUE(reply) << reply.error().message;
  }
  EXPECT_EQ(stats().retries, 0u);
}

TEST_P(HttpClient, MakesRoomAmongAllHosts) {
  TestServer one = serve(echo);
  TestServer other = serve(echo);
  use({.max_connections = 1});
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(ask({.to = to(one)}));
    ASSERT_TRUE(ask({.to = to(other)}));
  }
  EXPECT_EQ(stats().dialled, 6u);
  EXPECT_EQ(stats().connections, 1u);
  for (const Reply& reply : ask_many(
           20, [&](std::size_t i) { return ClientRequest{.to = to(i % 2 == 0 ? one : other)}; })) {
    EXPECT_TRUE(reply) << reply.error().message;
  }
}

TEST_P(HttpClient, WaitsForItsTurnNoLongerThanItMay) {
  const auto log = std::make_shared<StreamLog>();
  ServerOptions one_stream;
  one_stream.max_streams = 1;
  TestServer server = serve(
      [log](Request) -> boost::asio::awaitable<Response> {
        return [](std::shared_ptr<StreamLog> logged) -> boost::asio::awaitable<Response> {
          Response response;
          response.stream = std::make_unique<QuietStream>(logged);
          co_return response;
        }(log);
      },
      one_stream);
  use({.max_connections_per_host = 1});
  auto busy = start({.to = to(server)});
  ASSERT_TRUE(busy);
  EXPECT_EQ(fault_of(ask({.to = to(server), .try_timeout = milliseconds(50)})), Fault::kTimeout);
  destroy(std::move(busy));
  auto next = start({.to = to(server)});
  EXPECT_TRUE(next) << next.error().message;
  destroy(std::move(next));
}

// Under the address sanitizer too: `make asan`.
TEST_P(HttpClient, AsksTenThousandTimes) {
  TestServer server = serve(echo);
  use({.max_connections_per_host = 8});
  std::size_t good = 0;
  for (const Reply& reply : ask_many(
           10'000,
           [&](std::size_t i) {
             ClientRequest request{.to = to(server), .target = fmt::format("/{}", i)};
             if (i % 5 == 0) {
               request.method = "POST";
               request.body = std::string(i % 1000, 'b');
             }
             return request;
           },
           64)) {
    good += reply && reply->status == 200 ? 1 : 0;
  }
  EXPECT_EQ(good, 10'000u);
  EXPECT_EQ(stats().requests, 10'000u);
  EXPECT_LE(stats().dialled, 8u);
}

INSTANTIATE_TEST_SUITE_P(All, HttpClient,
                         ::testing::Values(Way::kH1, Way::kH1Tls, Way::kH2, Way::kH2Tls),
                         [](const auto& way) { return std::string(name_of(way.param)); });

// ---- TLS

class TlsClient : public HttpClient {};

INSTANTIATE_TEST_SUITE_P(All, TlsClient, ::testing::Values(Way::kH1Tls, Way::kH2Tls),
                         [](const auto& way) { return std::string(name_of(way.param)); });

boost::asio::awaitable<Response> whoami(Request request) {
  co_return text_response(request.peer ? request.peer->common_name : "nobody");
}

TEST_P(TlsClient, ShowsItsCertificate) {
  TestServer server = serve(whoami);
  Upstream there = to(server);
  EXPECT_EQ(ask({.to = there})->body, "nobody");
  const CertifiedKey jane = test_pki().client("jane", {});
  there.tls_context =
      TlsContext::make(ClientTlsOptions{.trust = ClientTlsOptions::Trust::kGiven,
                                        .ca_pem = test_pki().authority.certificate_pem,
                                        .certificate_pem = jane.certificate_pem,
                                        .key_pem = jane.key_pem})
          .value();
  EXPECT_EQ(ask({.to = there})->body, "jane");
}

TEST_P(TlsClient, TrustsOnlyWhomItIsTold) {
  TestServer server = serve(whoami);
  Upstream there = to(server);
  there.tls_context = nullptr;
  const Reply refused = ask({.to = there});
  EXPECT_EQ(fault_of(refused), Fault::kTls) << "the system does not know this authority";
  EXPECT_THAT(refused.error().message, HasSubstr("does not pass"));
  there.tls_context =
      TlsContext::make(ClientTlsOptions{.trust = ClientTlsOptions::Trust::kNobody}).value();
  EXPECT_TRUE(ask({.to = there}));
}

TEST_P(TlsClient, VerifiesTheNameItIsTold) {
  TestServer server = serve(mirror);
  Upstream there = to(server);
  there.server_name = "localhost";
  EXPECT_THAT(ask({.to = there})->body, HasSubstr("Host=127.0.0.1:"));
  there.server_name = "other.example";
  EXPECT_EQ(fault_of(ask({.to = there})), Fault::kTls);
}

TEST_P(TlsClient, TellsAServerWithoutTls) {
  TestServer plain(echo);
  Upstream there = to(plain);
  EXPECT_EQ(fault_of(ask({.to = there})), Fault::kTls);
}

}  // namespace
}  // namespace strake::http
