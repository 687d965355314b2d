#include "http/server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "async/one_shot.h"
#include "async/run.h"
#include "async/signal.h"
#include "http/test_server.h"

namespace strake::http {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;
using namespace strake::http::testing;

// Everything that does not depend on TLS holds with it and without.
class Serving : public ::testing::TestWithParam<bool> {};

INSTANTIATE_TEST_SUITE_P(Plain, Serving, ::testing::Values(false));
INSTANTIATE_TEST_SUITE_P(Tls, Serving, ::testing::Values(true));

TEST_P(Serving, AnswersAGet) {
  TestServer server(echo, {}, GetParam());
  TestClient client = server.connect();
  client.send("GET /apis?limit=5 HTTP/1.1\r\nHost: x\r\n\r\n");
  const auto answer = client.read_answer();
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.body, "GET /apis?limit=5 version=11 body=0\n");
  EXPECT_EQ(answer.header("Content-Type"), "text/plain");
  EXPECT_THAT(answer.header("Date"), ::testing::EndsWith(" GMT"));
  EXPECT_EQ(answer.header("Connection"), "");
}

TEST_P(Serving, KeepsTheConnectionForTheNextRequest) {
  TestServer server(echo, {}, GetParam());
  TestClient client = server.connect();
  for (int i = 0; i < 20; ++i) {
    client.send(fmt::format("GET /{} HTTP/1.1\r\nHost: x\r\n\r\n", i));
    EXPECT_THAT(client.read_answer().body, StartsWith(fmt::format("GET /{} ", i)));
  }
  EXPECT_EQ(server.server().stats().connections, 1u);
  EXPECT_EQ(server.server().stats().requests, 20u);
}

TEST_P(Serving, AnswersPipelinedRequestsInOrder) {
  TestServer server(echo, {}, GetParam());
  TestClient client = server.connect();
  std::string all;
  for (int i = 0; i < 500; ++i) {
    all += i % 2 == 0
               ? fmt::format("GET /{} HTTP/1.1\r\nHost: x\r\n\r\n", i)
               : fmt::format("POST /{} HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc", i);
  }
  client.send(all);
  for (int i = 0; i < 500; ++i) {
    EXPECT_THAT(client.read_answer().body, HasSubstr(fmt::format(" /{} ", i)));
  }
}

TEST_P(Serving, StopsAtTheRequestThatSaysClose) {
  TestServer server(echo, {}, GetParam());
  TestClient client = server.connect();
  client.send(
      "GET /1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\nGET /2 HTTP/1.1\r\nHost: x\r\n\r\n");
  const std::string all = client.read_all();
  EXPECT_THAT(all, HasSubstr("Connection: close\r\n"));
  EXPECT_THAT(all, HasSubstr("GET /1"));
  EXPECT_THAT(all, ::testing::Not(HasSubstr("GET /2")));
}

TEST_P(Serving, ReadsBodiesOfBothKinds) {
  TestServer server(echo, {}, GetParam());
  TestClient client = server.connect();
  client.send("PUT /a HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello");
  EXPECT_THAT(client.read_answer().body, HasSubstr("body=5"));
  client.send(
      "PUT /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nA;x=y\r\n"
      "0123456789\r\n0\r\nTrailer: z\r\n\r\n");
  EXPECT_THAT(client.read_answer().body, HasSubstr("body=13"));
}

TEST_P(Serving, TakesARequestByteByByte) {
  TestServer server(echo, {}, GetParam());
  TestClient client = server.connect();
  for (const char c : std::string_view("PUT /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: "
                                       "chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n")) {
    client.send({&c, 1});
  }
  EXPECT_THAT(client.read_answer().body, HasSubstr("body=3"));
}

TEST_P(Serving, AsksForTheBodyOfAClientThatWaits) {
  TestServer server(echo, {}, GetParam());
  TestClient client = server.connect();
  client.send("PUT /a HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n");
  EXPECT_EQ(client.read_until("\r\n\r\n"), "HTTP/1.1 100 Continue\r\n\r\n");
  client.send("hi");
  EXPECT_THAT(client.read_answer().body, HasSubstr("body=2"));
}

TEST_P(Serving, SendsNoBodyForHead) {
  TestServer server(echo, {}, GetParam());
  TestClient client = server.connect();
  client.send("HEAD /a HTTP/1.1\r\nHost: x\r\n\r\n");
  const auto answer = client.read_answer(false);
  EXPECT_EQ(answer.header("Content-Length"), "26");
  client.send("GET /b HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_THAT(client.read_answer().body, StartsWith("GET /b"));
}

TEST_P(Serving, ClosesAfterAnOldClientUnlessItAsks) {
  TestServer server(echo, {}, GetParam());
  TestClient client = server.connect();
  client.send("GET /a HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
  EXPECT_EQ(client.read_answer().header("Connection"), "keep-alive");
  client.send("GET /b HTTP/1.0\r\n\r\n");
  EXPECT_THAT(client.read_all(), HasSubstr("GET /b version=10"));
}

TEST(Server, ListensWhereItIsTold) {
  async::Loops loops(1);
  FunctionHandler handler(echo);
  for (const std::string_view host : {"127.0.0.1", "localhost", "0.0.0.0", "::1"}) {
    const auto server = Server::listen({.host = std::string(host)}, loops, handler);
    if (!server && host == "::1") continue;  // a machine without IPv6
    ASSERT_TRUE(server) << host;
    EXPECT_EQ((*server)->host(), host == "localhost" ? "127.0.0.1" : host);
    EXPECT_NE((*server)->port(), 0);
    if (host != "::1") EXPECT_TRUE(can_connect((*server)->port()));
  }
}

TEST(Server, SaysWhereItCannotListen) {
  TestServer first;
  async::Loops loops(1);
  FunctionHandler handler(echo);
  const std::uint16_t port = first.server().port();
  const auto second = Server::listen({.port = port}, loops, handler);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code(), Code::kIo);
  EXPECT_THAT(second.error().message(), HasSubstr(fmt::format("127.0.0.1:{}", port)));
  const auto nowhere = Server::listen({.host = "256.0.0.1"}, loops, handler);
  ASSERT_FALSE(nowhere);
  EXPECT_EQ(nowhere.error().code(), Code::kIo);
  EXPECT_THAT(nowhere.error().message(), HasSubstr("256.0.0.1"));
}

TEST(Server, RefusesCertificatesThatAreNone) {
  async::Loops loops(1);
  FunctionHandler handler(echo);
  const auto server = Server::listen({.tls = TlsOptions{"a", "b", ""}}, loops, handler);
  ASSERT_FALSE(server);
  EXPECT_EQ(server.error().code(), Code::kInvalid);
}

}  // namespace
}  // namespace strake::http
