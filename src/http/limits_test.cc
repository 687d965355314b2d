// What the server does about requests that are too large, too slow, or made to deceive.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "http/test_server.h"

namespace strake::http {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;
using namespace strake::http::testing;
using std::chrono::milliseconds;

boost::asio::awaitable<Response> tell_size(Request request) {
  if (request.body_too_large) co_return text_response("too large", 413);
  co_return text_response(fmt::format("{}", request.body.size()));
}

std::string all_of(TestServer& server, std::string_view request) {
  TestClient client = server.connect();
  client.send(request);
  return client.read_all();
}

TEST(Limits, RefusesDeceptionAndAnswersNothingAfterIt) {
  TestServer server;
  const std::string all = all_of(server,
                                 "POST /a HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n"
                                 "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
                                 "GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_THAT(all, StartsWith("HTTP/1.1 400 Bad Request\r\n"));
  EXPECT_THAT(all, HasSubstr("Connection: close\r\n"));
  EXPECT_THAT(all, HasSubstr("both Content-Length and Transfer-Encoding"));
  EXPECT_THAT(all, Not(HasSubstr("smuggled")));
}

TEST(Limits, RefusesBrokenChunks) {
  TestServer server;
  EXPECT_THAT(all_of(server,
                     "POST /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
                     "5\r\nhelloX\r\n0\r\n\r\nGET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n"),
              StartsWith("HTTP/1.1 400 "));
}

TEST(Limits, AnswersTheGoodRequestBeforeTheBadOne) {
  TestServer server;
  const std::string all =
      all_of(server, "GET /good HTTP/1.1\r\nHost: x\r\n\r\nGET /bad HTTP/1.1\nHost: x\n\n");
  EXPECT_THAT(all, StartsWith("HTTP/1.1 200 OK"));
  EXPECT_THAT(all, HasSubstr("GET /good"));
  EXPECT_THAT(all, HasSubstr("HTTP/1.1 400 Bad Request"));
}

TEST(Limits, HeadersPastTheirSizeAre431) {
  TestServer server(echo, {.max_header_bytes = 1000});
  EXPECT_THAT(all_of(server, fmt::format("GET / HTTP/1.1\r\nHost: x\r\nA: {}\r\n\r\n",
                                         std::string(1000, 'a'))),
              StartsWith("HTTP/1.1 431 Request Header Fields Too Large"));
}

TEST(Limits, TheHandlerWordsTheAnswerToABodyThatIsTooLarge) {
  TestServer server(tell_size, {.max_body = 1000});
  for (const std::string_view framing : {"Content-Length: 1001", "Transfer-Encoding: chunked"}) {
    TestClient client = server.connect();
    client.send(fmt::format("POST / HTTP/1.1\r\nHost: x\r\n{}\r\n\r\n", framing));
    client.send(framing.starts_with("C") ? std::string(1001, 'a')
                                         : "3e9\r\n" + std::string(1001, 'a') + "\r\n0\r\n\r\n");
    const auto answer = client.read_answer();
    EXPECT_EQ(answer.status, 413) << framing;
    EXPECT_EQ(answer.body, "too large") << framing;
    EXPECT_EQ(answer.header("Connection"), "close") << framing;
    EXPECT_EQ(client.read_all(), "") << framing;
  }
}

TEST(Limits, AnUnauthenticatedClientMaySendLittle) {
  TestServer server(tell_size, {.max_body = 1000, .max_unauthenticated_body = 100});
  for (const auto& [who, size, want] :
       {std::tuple{"Stranger: yes", 100, "100"}, std::tuple{"Stranger: yes", 101, "too large"},
        std::tuple{"Friend: yes", 101, "101"}}) {
    TestClient client = server.connect();
    client.send(fmt::format("POST / HTTP/1.1\r\nHost: x\r\n{}\r\nContent-Length: {}\r\n\r\n{}", who,
                            size, std::string(static_cast<std::size_t>(size), 'a')));
    EXPECT_EQ(client.read_answer().body, want) << who << " " << size;
  }
}

TEST(Limits, BodiesThatDoNotFitTogetherAre429BeforeTheyAreRead) {
  TestServer server(tell_size, {.max_body = 1000,
                                .max_unauthenticated_body = 1000,
                                .max_input_bytes = 1500,
                                .max_unauthenticated_input_bytes = 1000});
  const auto begin = [&](std::string_view who) {
    TestClient client = server.connect();
    client.send(
        fmt::format("POST / HTTP/1.1\r\nHost: x\r\n{}: yes\r\nContent-Length: 800\r\n"
                    "Expect: 100-continue\r\n\r\n",
                    who));
    return client;
  };
  TestClient stranger = begin("Stranger");
  EXPECT_THAT(stranger.read_until("\r\n\r\n"), HasSubstr("100 Continue"));
  const auto refused = begin("Stranger").read_answer();
  EXPECT_EQ(refused.status, 429);
  EXPECT_EQ(refused.header("Retry-After"), "1");
  // Those who are known have room of their own.
  TestClient known = begin("Friend");
  EXPECT_THAT(known.read_until("\r\n\r\n"), HasSubstr("100 Continue"));
  EXPECT_EQ(begin("Friend").read_answer().status, 429);
  known.send(std::string(800, 'a'));
  EXPECT_EQ(known.read_answer().body, "800");
  // What has arrived holds no room any more.
  TestClient next = begin("Friend");
  EXPECT_THAT(next.read_until("\r\n\r\n"), HasSubstr("100 Continue"));
}

TEST(Limits, LargeHeadersThatDoNotFitTogetherAre431) {
  TestServer server(echo, {.max_unauthenticated_input_bytes = 50'000});
  const std::string head = "GET / HTTP/1.1\r\nHost: x\r\nA: " + std::string(40'000, 'a');
  TestClient first = server.connect();
  first.send(head);
  ASSERT_TRUE(eventually([&] { return server.server().stats().input_bytes >= 40'000; }));
  TestClient second = server.connect();
  second.send(head);
  EXPECT_EQ(second.read_answer().status, 431);
  first.send("\r\n\r\n");
  EXPECT_EQ(first.read_answer().status, 200);
}

TEST(Limits, AFullTableClosesTheUnauthenticatedConnectionThatWasQuietLongest) {
  const auto answer = [](Request request) -> boost::asio::awaitable<Response> {
    Response response = text_response("hello");
    response.to_authenticated = request.headers.has("Friend");
    co_return response;
  };
  TestServer server(answer, {.max_connections = 4});
  TestClient known = server.connect();
  known.send("GET / HTTP/1.1\r\nHost: x\r\nFriend: yes\r\n\r\n");
  EXPECT_EQ(known.read_answer().status, 200);
  std::vector<TestClient> strangers;
  for (int i = 0; i < 12; ++i) {
    strangers.push_back(server.connect());
    strangers.back().send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    EXPECT_EQ(strangers.back().read_answer().status, 200) << i;
  }
  known.send("GET / HTTP/1.1\r\nHost: x\r\nFriend: yes\r\n\r\n");
  EXPECT_EQ(known.read_answer().status, 200);
}

TEST(Limits, ABodyOfExactlyTheLimitIsTaken) {
  TestServer server(tell_size, {.max_body = 1000});
  TestClient client = server.connect();
  client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n" +
              std::string(1000, 'a'));
  EXPECT_EQ(client.read_answer().body, "1000");
  client.send("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3e8\r\n" +
              std::string(1000, 'a') + "\r\n0\r\n\r\n");
  EXPECT_EQ(client.read_answer().body, "1000");
}

TEST(Limits, DoesNotAskForABodyThatIsTooLarge) {
  TestServer server(tell_size, {.max_body = 1000});
  TestClient client = server.connect();
  client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5000\r\nExpect: 100-continue\r\n\r\n");
  EXPECT_EQ(client.read_answer().status, 413);
}

TEST(Limits, AClientStillSendingReadsTheAnswer) {
  TestServer server(tell_size, {.max_body = 1000}, true);
  TestClient client = server.connect();
  client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3000000\r\n\r\n");
  for (int i = 0; i < 3000; ++i) client.send(std::string(1000, 'a'));
  EXPECT_EQ(client.read_answer().status, 413);
}

TEST(Limits, SlowHeadersAre408) {
  TestServer server(echo, {.header_timeout = milliseconds(50)});
  TestClient client = server.connect();
  client.send("GET / HTTP/1.1\r\n");
  EXPECT_THAT(client.read_all(), StartsWith("HTTP/1.1 408 Request Timeout"));
}

TEST(Limits, SlowBodiesAre408) {
  TestServer server(echo, {.body_timeout = milliseconds(50)}, true);
  TestClient client = server.connect();
  client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabc");
  EXPECT_THAT(client.read_all(), StartsWith("HTTP/1.1 408 Request Timeout"));
}

TEST(Limits, IdleConnectionsAreClosedWithoutAWord) {
  TestServer server(echo, {.idle_timeout = milliseconds(50)});
  TestClient client = server.connect();
  EXPECT_EQ(client.read_all(), "");
  TestClient second = server.connect();
  second.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_EQ(second.read_answer().status, 200);
  EXPECT_EQ(second.read_all(), "");
}

TEST(Limits, HandshakesThatNeverEndAreCutOff) {
  TestServer server(echo, {.handshake_timeout = milliseconds(50)}, true);
  TestClient client(server.server().port());
  client.send("\x16\x03\x01");
  EXPECT_EQ(client.read_all(), "");
  EXPECT_TRUE(eventually([&] { return server.server().stats().connections == 0; }));
}

boost::asio::awaitable<Response> large_answer(Request) {
  Response response;
  const auto part = std::make_shared<const std::string>(std::string(1024 * 1024, 'a'));
  for (int i = 0; i < 64; ++i) response.body.emplace_back(part);
  co_return response;
}

TEST(Limits, AClientThatTakesNothingIsDropped) {
  for (const bool tls : {false, true}) {
    TestServer server(large_answer, {.write_timeout = milliseconds(100)}, tls);
    TestClient client = server.connect();
    client.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    EXPECT_TRUE(eventually([&] { return server.server().stats().requests == 1; }));
    EXPECT_TRUE(eventually([&] { return server.server().stats().connections == 0; }));
  }
}

TEST(Limits, ConnectionsPastTheirNumberWaitForAPlace) {
  // Nobody has to go for others once it is known.
  const auto known = [](Request) -> boost::asio::awaitable<Response> {
    Response response = text_response("hello");
    response.to_authenticated = true;
    co_return response;
  };
  TestServer server(known, {.max_connections = 2});
  auto first = std::make_optional(server.connect());
  TestClient second = server.connect();
  for (TestClient* client : {&*first, &second}) {
    client->send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    EXPECT_EQ(client->read_answer().status, 200);
  }
  TestClient third = server.connect();
  third.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  second.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_EQ(second.read_answer().status, 200);
  EXPECT_EQ(server.server().stats().connections, 2u);
  first.reset();
  EXPECT_EQ(third.read_answer().status, 200);
}

}  // namespace
}  // namespace strake::http
