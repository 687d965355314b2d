// How responses look on the wire.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "http/h1_response.h"
#include "http/test_gunzip.h"
#include "http/test_server.h"

namespace strake::http {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;
using namespace strake::http::testing;

constexpr std::string_view kGet = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";

TEST(ResponseHead, LeavesNoWayOutOfAHeader) {
  Response response;
  response.headers.add(std::string_view("X-A"), "a\r\nX-Evil: b");
  response.headers.add(std::string_view("X-B\r\nX-Evil"), "c");
  std::string text;
  write_head(text, response, {}, "now");
  EXPECT_EQ(text, "HTTP/1.1 200 OK\r\nX-A: a  X-Evil: b\r\nX-B  X-Evil: c\r\nDate: now\r\n\r\n");
}

TEST(ResponseHead, KeepsItsOwnBusiness) {
  Response response;
  for (const std::string_view name :
       {"Content-Length", "transfer-encoding", "Connection", "DATE", "Keep-Alive"}) {
    response.headers.add(name, "handler");
  }
  std::string text;
  write_head(text, response, {.length = ResponseFraming::Length::kKnown, .size = 5, .close = true},
             "now");
  EXPECT_EQ(text, "HTTP/1.1 200 OK\r\nDate: now\r\nContent-Length: 5\r\nConnection: close\r\n\r\n");
}

TEST(ResponseHead, WritesCodesThatHaveNoName) {
  Response response;
  response.status = 299;
  std::string text;
  write_head(text, response, {}, "now");
  EXPECT_THAT(text, StartsWith("HTTP/1.1 299 \r\n"));
}

class OnTheWire : public ::testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(Plain, OnTheWire, ::testing::Values(false));
INSTANTIATE_TEST_SUITE_P(Tls, OnTheWire, ::testing::Values(true));

TEST_P(OnTheWire, StatusesWithoutABodyHaveNone) {
  for (const int status : {204, 304}) {
    const auto handler = [status](Request) -> boost::asio::awaitable<Response> {
      return [](int code) -> boost::asio::awaitable<Response> {
        co_return text_response("not to be sent", code);
      }(status);
    };
    TestServer server(handler, {}, GetParam());
    TestClient client = server.connect();
    client.send(kGet);
    client.send("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    const std::string all = client.read_all();
    EXPECT_THAT(all, Not(HasSubstr("not to be sent")));
    EXPECT_THAT(all, Not(HasSubstr("Content-Length")));
    EXPECT_THAT(all, HasSubstr(fmt::format("\r\n\r\nHTTP/1.1 {} ", status)));
  }
}

TEST_P(OnTheWire, AFailingHandlerIsAnInternalErrorAndNoMore) {
  const auto handler = [](Request request) -> boost::asio::awaitable<Response> {
    if (request.path == "/throw") throw std::runtime_error("a mistake");
    co_return text_response("fine");
  };
  TestServer server(handler, {}, GetParam());
  TestClient client = server.connect();
  client.send("GET /throw HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_EQ(client.read_answer().status, 500);
  client.send(kGet);
  EXPECT_EQ(client.read_answer().body, "fine");
}

// A list of objects as the API sends it: many pieces that others hold too.
FunctionHandler::Function list_of(std::size_t count, std::string_view encoding = "") {
  return [=](Request) -> boost::asio::awaitable<Response> {
    Response response;
    if (!encoding.empty()) response.headers.add(std::string_view("Content-Encoding"), encoding);
    const auto object = std::make_shared<const std::string>(std::string(600, 'o'));
    response.body.push_back(Piece::literal("["));
    for (std::size_t i = 0; i < count; ++i) response.body.emplace_back(object);
    response.body.push_back(Piece::literal("]"));
    return [](Response made) -> boost::asio::awaitable<Response> {
      co_return made;
    }(std::move(response));
  };
}

TEST_P(OnTheWire, SendsTenThousandPieces) {
  TestServer server(list_of(10'000), {}, GetParam());
  TestClient client = server.connect();
  client.send(kGet);
  const auto answer = client.read_answer();
  EXPECT_EQ(answer.header("Content-Length"), "6000002");
  EXPECT_EQ(answer.body, "[" + std::string(6'000'000, 'o') + "]");
}

TEST_P(OnTheWire, CompressesLargeBodiesForThoseWhoAsk) {
  TestServer server(list_of(10'000), {}, GetParam());
  TestClient client = server.connect();
  client.send("GET / HTTP/1.1\r\nHost: x\r\nAccept-Encoding: gzip\r\n\r\n");
  const auto answer = client.read_answer();
  EXPECT_EQ(answer.header("Content-Encoding"), "gzip");
  EXPECT_EQ(answer.header("Vary"), "Accept-Encoding");
  EXPECT_EQ(answer.header("Transfer-Encoding"), "chunked");
  EXPECT_LT(answer.body.size(), 100'000u);
  EXPECT_EQ(gunzip(answer.body), "[" + std::string(6'000'000, 'o') + "]");
  client.send(kGet);
  EXPECT_EQ(client.read_answer().header("Content-Encoding"), "");
}

TEST_P(OnTheWire, CompressesFromTheStatedSizeOn) {
  constexpr std::string_view kAsk = "GET / HTTP/1.1\r\nHost: x\r\nAccept-Encoding: gzip\r\n\r\n";
  for (const std::size_t from : {602u, 603u, 0u}) {
    TestServer server(list_of(1), {.gzip_from = from}, GetParam());
    TestClient client = server.connect();
    client.send(kAsk);
    EXPECT_EQ(client.read_answer().header("Content-Encoding"), from == 602 ? "gzip" : "");
  }
}

TEST_P(OnTheWire, DoesNotCompressTwice) {
  TestServer server(list_of(1000, "br"), {}, GetParam());
  TestClient client = server.connect();
  client.send("GET / HTTP/1.1\r\nHost: x\r\nAccept-Encoding: gzip, br\r\n\r\n");
  const auto answer = client.read_answer();
  EXPECT_EQ(answer.header("Content-Encoding"), "br");
  EXPECT_EQ(answer.body.size(), 600'002u);
}

}  // namespace
}  // namespace strake::http
