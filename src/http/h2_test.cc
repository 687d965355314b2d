#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "async/one_shot.h"
#include "async/run.h"
#include "http/h2_connection.h"
#include "http/h2_test_client.h"
#include "http/test_gunzip.h"
#include "http/test_server.h"
#include "http/test_streams.h"

namespace strake::http {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;
using namespace strake::http::testing;
using std::chrono::milliseconds;

// By ALPN with TLS, by prior knowledge without.
class H2 : public ::testing::TestWithParam<bool> {
 protected:
  static H2TestClient connect(const TestServer& server, bool auto_window = true) {
    return H2TestClient(GetParam() ? server.connect(ClientTls{.alpn = "h2"}) : server.connect(),
                        auto_window);
  }
  std::shared_ptr<StreamLog> log_ = std::make_shared<StreamLog>();
};

INSTANTIATE_TEST_SUITE_P(Plain, H2, ::testing::Values(false));
INSTANTIATE_TEST_SUITE_P(Tls, H2, ::testing::Values(true));

Headers one_header(std::string_view name, std::string_view value) {
  Headers headers;
  headers.add(name, value);
  return headers;
}

TEST_P(H2, AnswersAGet) {
  TestServer server(echo, {}, GetParam());
  H2TestClient client = connect(server);
  const auto id = client.get("/apis?limit=5");
  ASSERT_TRUE(client.run_until_closed(id));
  const auto& reply = client.reply(id);
  EXPECT_EQ(reply.status, 200);
  EXPECT_EQ(reply.body, "GET /apis?limit=5 version=20 body=0\n");
  EXPECT_EQ(reply.headers.get("content-type"), "text/plain");
  EXPECT_EQ(reply.headers.get("content-length"), "36");
  EXPECT_TRUE(reply.headers.has("date"));
  EXPECT_EQ(reply.error, 0u);
}

TEST_P(H2, ShowsTheHandlerTheAuthorityAsHost) {
  const auto tell = [](Request request) -> boost::asio::awaitable<Response> {
    co_return text_response(std::string(request.headers.get("Host")));
  };
  TestServer server(tell, {}, GetParam());
  H2TestClient client = connect(server);
  const auto id = client.get("/", one_header("host", "other"));
  ASSERT_TRUE(client.run_until_closed(id));
  EXPECT_EQ(client.reply(id).body, "test.example");
}

TEST_P(H2, TakesBodies) {
  TestServer server(echo, {}, GetParam());
  H2TestClient client = connect(server);
  const auto small = client.send("POST", "/a", "hello");
  const auto large = client.send("PUT", "/b", std::string(2'000'000, 'x'));
  ASSERT_TRUE(client.run_until_closed(small));
  ASSERT_TRUE(client.run_until_closed(large));
  EXPECT_THAT(client.reply(small).body, HasSubstr("body=5"));
  EXPECT_THAT(client.reply(large).body, HasSubstr("body=2000000"));
}

TEST_P(H2, AnswersManyRequestsAtATime) {
  TestServer server(echo, {}, GetParam());
  H2TestClient client = connect(server);
  std::vector<std::int32_t> ids;
  for (int i = 0; i < 1000; ++i) ids.push_back(client.get(fmt::format("/{}", i)));
  ASSERT_TRUE(client.run_until(
      [&] { return std::ranges::all_of(ids, [&](auto id) { return client.reply(id).closed; }); }));
  for (std::size_t i = 0; i < ids.size(); ++i) {
    EXPECT_THAT(client.reply(ids[i]).body, StartsWith(fmt::format("GET /{} ", i)));
  }
  EXPECT_EQ(server.server().stats().requests, 1000u);
}

TEST_P(H2, AFastRequestOvertakesASlowOne) {
  async::OneShot<> release;
  const auto mixed = [&](Request request) -> boost::asio::awaitable<Response> {
    return [](Request asked, async::OneShot<> released) -> boost::asio::awaitable<Response> {
      if (asked.path == "/slow") (void)co_await released.wait();
      co_return text_response(asked.path);
    }(std::move(request), release);
  };
  TestServer server(mixed, {}, GetParam());
  H2TestClient client = connect(server);
  const auto slow = client.get("/slow");
  const auto fast = client.get("/fast");
  ASSERT_TRUE(client.run_until_closed(fast));
  EXPECT_FALSE(client.reply(slow).closed);
  release.set({});
  ASSERT_TRUE(client.run_until_closed(slow));
  EXPECT_EQ(client.reply(slow).body, "/slow");
}

TEST_P(H2, SendsNoBodyForHead) {
  TestServer server(echo, {}, GetParam());
  H2TestClient client = connect(server);
  const auto id = client.get("/", {}, "HEAD");
  ASSERT_TRUE(client.run_until_closed(id));
  EXPECT_EQ(client.reply(id).body, "");
  EXPECT_NE(client.reply(id).headers.get("content-length"), "");
}

TEST_P(H2, AsksForTheBodyOfAClientThatWaits) {
  TestServer server(echo, {}, GetParam());
  H2TestClient client = connect(server);
  const auto id = client.send("POST", "/", "abc", one_header("expect", "100-continue"));
  ASSERT_TRUE(client.run_until_closed(id));
  EXPECT_EQ(client.reply(id).interim, std::vector<int>{100});
  EXPECT_EQ(client.reply(id).status, 200);
}

boost::asio::awaitable<Response> large_answer(Request) {
  Response response;
  const auto part = std::make_shared<const std::string>(std::string(10'000, 'a'));
  for (int i = 0; i < 1000; ++i) response.body.emplace_back(part);
  co_return response;
}

TEST_P(H2, SendsLargeBodies) {
  TestServer server(large_answer, {}, GetParam());
  H2TestClient client = connect(server);
  const auto first = client.get("/");
  const auto second = client.get("/");
  ASSERT_TRUE(client.run_until_closed(first));
  ASSERT_TRUE(client.run_until_closed(second));
  EXPECT_EQ(client.reply(first).body.size(), 10'000'000u);
  EXPECT_EQ(client.reply(second).body.size(), 10'000'000u);
}

TEST_P(H2, CompressesLargeBodies) {
  TestServer server(large_answer, {}, GetParam());
  H2TestClient client = connect(server);
  const auto id = client.get("/", one_header("accept-encoding", "gzip"));
  ASSERT_TRUE(client.run_until_closed(id));
  EXPECT_EQ(client.reply(id).headers.get("content-encoding"), "gzip");
  EXPECT_EQ(client.reply(id).headers.get("vary"), "Accept-Encoding");
  EXPECT_FALSE(client.reply(id).headers.has("content-length"));
  EXPECT_LT(client.reply(id).body.size(), 200'000u);
  const std::string large(10'000'000, 'a');  // NOLINT(bugprone-string-constructor)
  EXPECT_EQ(gunzip(client.reply(id).body), large);
}

// ---- Limits

TEST_P(H2, TheHandlerWordsTheAnswerToABodyThatIsTooLarge) {
  const auto tell = [](Request request) -> boost::asio::awaitable<Response> {
    co_return text_response(request.body_too_large ? "too large" : "fine", 413);
  };
  TestServer server(tell, {.max_body = 1000}, GetParam());
  H2TestClient client = connect(server);
  const auto large = client.send("POST", "/", std::string(5'000'000, 'x'));
  ASSERT_TRUE(client.run_until_closed(large));
  EXPECT_EQ(client.reply(large).status, 413);
  EXPECT_EQ(client.reply(large).body, "too large");
  const auto exact = client.send("POST", "/", std::string(1000, 'x'));
  ASSERT_TRUE(client.run_until_closed(exact));
  EXPECT_EQ(client.reply(exact).body, "fine");
}

TEST_P(H2, HeadersPastTheirSizeAre431) {
  TestServer server(echo, {.max_header_bytes = 1000}, GetParam());
  H2TestClient client = connect(server);
  const auto id = client.get("/", one_header("a", std::string(1000, 'a')));
  ASSERT_TRUE(client.run_until_closed(id));
  EXPECT_EQ(client.reply(id).status, 431);
}

TEST_P(H2, SlowBodiesAre408) {
  TestServer server(echo, {.body_timeout = milliseconds(50)}, GetParam());
  H2TestClient client = connect(server);
  const auto id = client.begin("POST", "/");
  ASSERT_TRUE(client.run_until_closed(id));
  EXPECT_EQ(client.reply(id).status, 408);
}

TEST_P(H2, IdleConnectionsAreClosed) {
  TestServer server(echo, {.idle_timeout = milliseconds(50)}, GetParam());
  H2TestClient client = connect(server);
  const auto id = client.get("/");
  ASSERT_TRUE(client.run_until_closed(id));
  EXPECT_FALSE(client.run_until([] { return false; }));
  EXPECT_TRUE(eventually([&] { return server.server().stats().connections == 0; }));
}

TEST_P(H2, AStreamThatTakesNothingIsReset) {
  TestServer server(large_answer, {.write_timeout = milliseconds(100)}, GetParam());
  H2TestClient client = connect(server, false);
  const auto id = client.get("/");
  ASSERT_TRUE(client.run_until_closed(id));
  EXPECT_EQ(client.reply(id).body.size(), 65'535u);
  EXPECT_EQ(client.reply(id).error, 8u);  // CANCEL
}

TEST_P(H2, GarbageEndsTheConnection) {
  TestServer server(echo, {}, GetParam());
  H2TestClient client = connect(server);
  client.send_raw(std::string(100, '\xff'));
  EXPECT_TRUE(client.run_until([&] { return client.got_goaway(); }));
  EXPECT_NE(client.goaway_code(), 0u);
  EXPECT_TRUE(eventually([&] { return server.server().stats().connections == 0; }));
}

TEST_P(H2, AFloodOfPingsFromAClientThatDoesNotReadEndsTheConnection) {
  TestServer server(echo, {}, GetParam());
  H2TestClient client = connect(server);
  // One PING: 8 bytes long, type 6, no flags, stream 0.
  const std::string ping = std::string("\0\0\x08\x06\0\0\0\0\0", 9) + std::string(8, 'p');
  std::string many;
  for (int i = 0; i < 1000; ++i) many += ping;
  ASSERT_TRUE(eventually([&] { return server.server().stats().connections == 1; }));
  std::thread sender([&] {
    for (int i = 0; i < 2000 && server.server().stats().connections > 0; ++i) client.send_raw(many);
  });
  sender.join();
  EXPECT_TRUE(eventually([&] { return server.server().stats().connections == 0; }));
}

// ---- Streams, and what ends them

FunctionHandler::Function streaming(std::function<std::unique_ptr<BodyStream>()> make) {
  return [make](Request) -> boost::asio::awaitable<Response> {
    return [](std::unique_ptr<BodyStream> stream) -> boost::asio::awaitable<Response> {
      Response response;
      response.stream = std::move(stream);
      co_return response;
    }(make());
  };
}

TEST_P(H2, StreamsTenThousandParts) {
  TestServer server(
      streaming([&] { return std::make_unique<CountedStream>(log_, "part\n", 10'000); }), {},
      GetParam());
  H2TestClient client = connect(server);
  const auto id = client.get("/");
  ASSERT_TRUE(client.run_until_closed(id));
  EXPECT_EQ(client.reply(id).body.size(), 50'000u);
  EXPECT_EQ(log_->pulls, 10'000u);
  EXPECT_TRUE(eventually([&] { return log_->destroyed.load(); }));
}

TEST_P(H2, AsksAStreamForNoMoreThanTheClientTakes) {
  const std::string part(16 * 1024, 'a');
  TestServer server(streaming([&] { return std::make_unique<CountedStream>(log_, part, 10'000); }),
                    {}, GetParam());
  H2TestClient client = connect(server, false);
  const auto id = client.get("/");
  ASSERT_TRUE(client.run_until([&] { return client.reply(id).body.size() == 65'535; }));
  // What it asks for beyond the window is the one part that did not fit.
  EXPECT_TRUE(eventually([&] { return log_->bytes >= 64 * 1024; }));
  EXPECT_LE(log_->bytes, 64u * 1024);
}

TEST_P(H2, CancelsAStreamThatIsReset) {
  TestServer server(streaming([&] { return std::make_unique<QuietStream>(log_); }), {}, GetParam());
  H2TestClient client = connect(server);
  const auto id = client.get("/");
  ASSERT_TRUE(client.run_until([&] { return client.reply(id).body == "first\n"; }));
  client.reset(id);
  EXPECT_TRUE(eventually([&] { return log_->destroyed.load(); }));
  EXPECT_TRUE(log_->cancelled);
  EXPECT_EQ(server.server().stats().connections, 1u);
}

TEST_P(H2, CancelsStreamsWhenTheClientGoes) {
  TestServer server(streaming([&] { return std::make_unique<QuietStream>(log_); }), {}, GetParam());
  {
    H2TestClient client = connect(server);
    const auto id = client.get("/");
    ASSERT_TRUE(client.run_until([&] { return client.reply(id).body == "first\n"; }));
  }
  EXPECT_TRUE(eventually([&] { return log_->destroyed.load(); }));
  EXPECT_TRUE(log_->cancelled);
  EXPECT_TRUE(eventually([&] { return server.server().stats().connections == 0; }));
}

TEST_P(H2, CancelsAHandlerWhoseRequestIsReset) {
  std::atomic<bool> begun = false;
  std::atomic<bool> cancelled = false;
  const auto stuck = [&](Request) -> boost::asio::awaitable<Response> {
    begun = true;
    return [](std::atomic<bool>& told) -> boost::asio::awaitable<Response> {
      const Result<> slept = co_await async::sleep_until(Deadline::never());
      told = !slept;
      co_return text_response("never");
    }(cancelled);
  };
  TestServer server(stuck, {}, GetParam());
  H2TestClient client = connect(server);
  const auto id = client.get("/");
  ASSERT_TRUE(eventually([&] { return begun.load(); }));
  client.reset(id);
  EXPECT_TRUE(eventually([&] { return cancelled.load(); }));
}

TEST_P(H2, ResetsAStreamThatBreaksOff) {
  TestServer server(streaming([] { return std::make_unique<FailingStream>(); }), {}, GetParam());
  H2TestClient client = connect(server);
  const auto id = client.get("/");
  ASSERT_TRUE(client.run_until_closed(id));
  EXPECT_EQ(client.reply(id).error, 2u);  // INTERNAL_ERROR
}

TEST_P(H2, DrainEndsStreamsCleanlyAndSaysGoodBye) {
  TestServer server(streaming([&] { return std::make_unique<QuietStream>(log_); }), {}, GetParam());
  H2TestClient client = connect(server);
  const auto id = client.get("/");
  ASSERT_TRUE(client.run_until([&] { return client.reply(id).body == "first\n"; }));
  std::thread drainer([&] {
    EXPECT_TRUE(
        async::run_blocking(server.loops().at(1), server.server().drain(Deadline::never())));
  });
  ASSERT_TRUE(client.run_until_closed(id));
  EXPECT_EQ(client.reply(id).error, 0u);
  EXPECT_TRUE(client.got_goaway());
  EXPECT_EQ(client.goaway_code(), 0u);
  drainer.join();
  EXPECT_TRUE(log_->destroyed);
}

TEST_P(H2, DrainLetsRequestsFinish) {
  async::OneShot<> release;
  std::atomic<bool> begun = false;
  const auto slow = [&](Request) -> boost::asio::awaitable<Response> {
    begun = true;
    return [](async::OneShot<> released) -> boost::asio::awaitable<Response> {
      (void)co_await released.wait();
      co_return text_response("done");
    }(release);
  };
  TestServer server(slow, {}, GetParam());
  H2TestClient client = connect(server);
  const auto id = client.get("/");
  ASSERT_TRUE(eventually([&] { return begun.load(); }));
  std::thread drainer([&] {
    EXPECT_TRUE(
        async::run_blocking(server.loops().at(1), server.server().drain(Deadline::never())));
  });
  ASSERT_TRUE(client.run_until([&] { return client.got_goaway(); }));
  release.set({});
  ASSERT_TRUE(client.run_until_closed(id));
  EXPECT_EQ(client.reply(id).body, "done");
  drainer.join();
}

// ---- Bodies that come to an end by themselves

FunctionHandler::Function a_list(std::shared_ptr<StreamLog> log, std::size_t parts) {
  return [=](Request) -> boost::asio::awaitable<Response> {
    Response response;
    response.body.emplace_back(std::string("begin\n"));
    response.stream = std::make_unique<FiniteStream>(log, std::string(50'000, 'a'), parts);
    return [](Response made) -> boost::asio::awaitable<Response> {
      co_return made;
    }(std::move(response));
  };
}

TEST_P(H2, CompressesStreamsThatHaveAnEnd) {
  TestServer server(a_list(log_, 40), {}, GetParam());
  H2TestClient client = connect(server);
  const auto packed = client.get("/", one_header("accept-encoding", "gzip"));
  const auto plain = client.get("/");
  ASSERT_TRUE(client.run_until_closed(packed));
  ASSERT_TRUE(client.run_until_closed(plain));
  EXPECT_EQ(client.reply(packed).headers.get("content-encoding"), "gzip");
  EXPECT_EQ(gunzip(client.reply(packed).body), "begin\n" + std::string(2'000'000, 'a'));
  EXPECT_EQ(client.reply(plain).body, "begin\n" + std::string(2'000'000, 'a'));
  EXPECT_EQ(client.reply(packed).error, 0u);
}

TEST_P(H2, FinishesStreamsThatHaveAnEndWhenItDrains) {
  TestServer server(a_list(log_, 40), {}, GetParam());
  H2TestClient client = connect(server);
  const auto id = client.get("/");
  ASSERT_TRUE(client.run_until([&] { return !client.reply(id).body.empty(); }));
  std::thread drainer([&] {
    EXPECT_TRUE(
        async::run_blocking(server.loops().at(0), server.server().drain(Deadline::never())));
  });
  EXPECT_TRUE(eventually([&] { return !can_connect(server.server().port()); }));
  EXPECT_TRUE(client.run_until_closed(id));
  EXPECT_EQ(client.reply(id).body.size(), 6u + 2'000'000u);
  EXPECT_EQ(client.reply(id).error, 0u);
  drainer.join();
}

TEST_P(H2, BreaksOffRevokedStreamsWhoseClientTakesNothing) {
  ServerOptions quick;
  quick.handshake_timeout = milliseconds(400);  // so that ticks are short
  TestServer server(a_list(log_, 1'000), quick, GetParam());
  H2TestClient client = connect(server, false);
  const auto id = client.get("/");
  ASSERT_TRUE(client.run_until([&] { return client.reply(id).body.size() > 60'000; }));
  log_->revoked = true;
  EXPECT_TRUE(client.run_until_closed(id));
  EXPECT_NE(client.reply(id).error, 0u);
  EXPECT_TRUE(eventually([&] { return log_->destroyed.load(); }));
}

TEST_P(H2, TellsHandlersOnOtherThreadsThatTheClientIsGone) {
  std::atomic<bool> begun = false;
  CancelToken seen;
  const auto stuck = [&](Request request) -> boost::asio::awaitable<Response> {
    seen = request.cancel;
    begun = true;
    return []() -> boost::asio::awaitable<Response> {
      (void)co_await async::sleep_until(Deadline::never());
      co_return text_response("never");
    }();
  };
  TestServer server(stuck, {}, GetParam());
  H2TestClient client = connect(server);
  const auto id = client.get("/");
  ASSERT_TRUE(client.run_until([&] { return begun.load(); }) || begun);
  client.reset(id);
  client.run_until_closed(id);
  EXPECT_TRUE(eventually([&] { return seen.cancelled(); }));
}

}  // namespace
}  // namespace strake::http
