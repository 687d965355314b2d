// Bodies that are read while they arrive, trailers and upgrades: the client and our server at both
// ends.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "async/signal.h"
#include "http/test_http_client.h"
#include "http/test_streams.h"

namespace strake::http {
namespace {

using ::testing::HasSubstr;
using namespace strake::http::testing;
using std::chrono::milliseconds;

class StreamClient : public HttpClient {
 protected:
  ClientRequest streaming(const TestServer& server, std::unique_ptr<BodyStream> body) {
    ClientRequest request{.to = to(server), .method = "POST"};
    request.headers.add("Streaming", std::string_view("yes"));
    request.stream = std::move(body);
    return request;
  }
};

INSTANTIATE_TEST_SUITE_P(All, StreamClient,
                         ::testing::Values(Way::kH1, Way::kH1Tls, Way::kH2, Way::kH2Tls),
                         [](const auto& way) { return std::string(name_of(way.param)); });

// Parts, and headers behind them.
class WithTrailers final : public BodyStream {
 public:
  async::Task<std::vector<Piece>> next() override {
    std::vector<Piece> parts;
    if (left_-- > 0) parts.emplace_back(std::string("part "));
    co_return parts;
  }
  Headers trailers() const override {
    Headers out;
    out.add("X-Checksum", std::string_view("7"));
    out.add("Content-Length", std::string_view("99"));
    return out;
  }

 private:
  int left_ = 3;
};

boost::asio::awaitable<Response> count_bytes(Request request) {
  std::size_t bytes = 0;
  while (true) {
    const Outcome<std::string> part = co_await request.stream->next();
    if (!part) co_return text_response(std::string(to_string(part.error().fault)), 400);
    if (part->empty()) break;
    bytes += part->size();
  }
  std::string text = fmt::format("{} bytes", bytes);
  for (const Header& header : request.stream->trailers().all()) {
    text += fmt::format(" {}={}", header.name, header.value);
  }
  co_return text_response(text);
}

TEST_P(StreamClient, AHandlerReadsABodyWhileItArrives) {
  TestServer server = serve(count_bytes);
  const auto log = std::make_shared<StreamLog>();
  const Reply reply =
      ask(streaming(server, std::make_unique<CountedStream>(log, std::string(100'000, 'a'), 100)));
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_EQ(reply->body, "10000000 bytes") << "more than the limit of a whole body";
  ClientRequest known =
      streaming(server, std::make_unique<CountedStream>(log, std::string(1000, 'a'), 5));
  known.stream_length = 5000;
  EXPECT_EQ(ask(std::move(known))->body, "5000 bytes");
  ClientRequest empty = streaming(server, nullptr);
  EXPECT_EQ(ask(std::move(empty))->body, "0 bytes");
  EXPECT_EQ(stats().dialled, 1u) << "what was read to its end leaves the connection as it was";
}

TEST_P(StreamClient, TrailersArePassedBothWays) {
  TestServer server = serve([](Request request) -> boost::asio::awaitable<Response> {
    if (request.stream) co_return co_await count_bytes(std::move(request));
    Response response;
    response.stream = std::make_unique<WithTrailers>();
    co_return response;
  });
  const Reply sent = ask(streaming(server, std::make_unique<WithTrailers>()));
  ASSERT_TRUE(sent) << sent.error().message;
  EXPECT_EQ(sent->body, is_h2() ? "15 bytes x-checksum=7" : "15 bytes X-Checksum=7");
  const Reply got = ask({.to = to(server)});
  ASSERT_TRUE(got) << got.error().message;
  EXPECT_EQ(got->body, "part part part ");
  EXPECT_EQ(got->trailers.get("X-Checksum"), "7");
  EXPECT_EQ(got->trailers.all().size(), 1u);
}

// Sends back what arrives.
class EchoStream final : public BodyStream {
 public:
  explicit EchoStream(std::shared_ptr<BodyReader> from) : from_(std::move(from)) {}
  async::Task<std::vector<Piece>> next() override {
    Outcome<std::string> part = co_await from_->next();
    if (!part) co_return std::unexpected(part.error().to_error());
    std::vector<Piece> parts;
    if (!part->empty()) parts.emplace_back(*std::move(part));
    co_return parts;
  }

 private:
  std::shared_ptr<BodyReader> from_;
};

boost::asio::awaitable<Response> echo_stream(Request request) {
  Response response;
  response.stream = std::make_unique<EchoStream>(std::move(request.stream));
  co_return response;
}

TEST_P(StreamClient, BothBodiesStreamAtTheSameTime) {
  TestServer server = serve(echo_stream);
  const auto log = std::make_shared<StreamLog>();
  for (int i = 0; i < 2; ++i) {
    const Reply reply =
        ask(streaming(server, std::make_unique<CountedStream>(log, std::string(10'000, 'e'), 500)));
    ASSERT_TRUE(reply) << reply.error().message;
    EXPECT_EQ(reply->body, std::string(5'000'000, 'e'));
  }
}

TEST_P(StreamClient, AHandlerThatDoesNotReadSlowsTheClientDown) {
  const auto log = std::make_shared<StreamLog>();
  std::atomic<bool> release = false;
  TestServer server = serve([&release](Request request) -> boost::asio::awaitable<Response> {
    return [](std::atomic<bool>& may_go, Request asked) -> boost::asio::awaitable<Response> {
      while (!may_go) (void)co_await async::sleep_for(milliseconds(5));
      co_return co_await count_bytes(std::move(asked));
    }(release, std::move(request));
  });
  std::thread watches([&] {
    std::size_t before = 1;
    EXPECT_TRUE(eventually([&] {
      std::this_thread::sleep_for(milliseconds(50));
      return std::exchange(before, log->bytes.load()) == log->bytes.load() && before > 0;
    }));
    EXPECT_LT(log->bytes.load(), 64u << 20);
    release = true;
  });
  const Reply reply = ask(
      streaming(server, std::make_unique<CountedStream>(log, std::string(64 * 1024, 's'), 2000)));
  watches.join();
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_EQ(reply->body, fmt::format("{} bytes", 2000 * 64 * 1024));
}

TEST_P(StreamClient, AHandlerNeedNotReadItAll) {
  TestServer server = serve([](Request request) -> boost::asio::awaitable<Response> {
    const Outcome<std::string> first = co_await request.stream->next();
    co_return text_response(first ? "enough" : "nothing", 403);
  });
  const auto log = std::make_shared<StreamLog>();
  const Reply reply = ask(
      streaming(server, std::make_unique<CountedStream>(log, std::string(10'000, 's'), 100'000)));
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_EQ(reply->status, 403);
  EXPECT_EQ(reply->body, "enough");
  EXPECT_TRUE(eventually([&] { return log->destroyed.load(); }));
  EXPECT_TRUE(ask(streaming(server, std::make_unique<WithTrailers>())));
}

TEST_P(StreamClient, StrangersMaySendLittle) {
  TestServer server = serve(count_bytes);
  ClientRequest request =
      streaming(server, std::make_unique<CountedStream>(std::make_shared<StreamLog>(),
                                                        std::string(10'000, 's'), 100));
  request.headers.add("Stranger", std::string_view("yes"));
  const Reply reply = ask(std::move(request));
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_EQ(reply->body, "too large");
}

TEST_P(StreamClient, AHandlerHearsThatItsClientIsGone) {
  const auto seen = std::make_shared<std::atomic<int>>(0);
  TestServer server = serve([seen](Request request) -> boost::asio::awaitable<Response> {
    return [](std::shared_ptr<std::atomic<int>> told,
              Request asked) -> boost::asio::awaitable<Response> {
      while (true) {
        const Outcome<std::string> part = co_await asked.stream->next();
        if (!part) {
          *told = part.error().fault == Fault::kClosed || part.error().fault == Fault::kCancelled
                      ? 1
                      : 2;
          break;
        }
      }
      co_return text_response("late");
    }(seen, std::move(request));
  });
  const auto log = std::make_shared<StreamLog>();
  ClientRequest request = streaming(server, std::make_unique<QuietStream>(log));
  request.deadline = Deadline::after(milliseconds(200));
  EXPECT_EQ(fault_of(ask(std::move(request))), Fault::kTimeout);
  EXPECT_TRUE(eventually([&] { return seen->load() == 1; }));
  EXPECT_TRUE(eventually([&] { return log->destroyed.load(); }));
}

TEST_P(StreamClient, ABodyThatStopsEndsAtItsTimeout) {
  ServerOptions quick;
  quick.body_timeout = milliseconds(100);
  TestServer server = serve(count_bytes, quick);
  const Reply reply =
      ask(streaming(server, std::make_unique<QuietStream>(std::make_shared<StreamLog>())));
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_EQ(reply->body, "timeout");
}

// ---- Upgrades

class UpgradeClient : public StreamClient {};

INSTANTIATE_TEST_SUITE_P(All, UpgradeClient, ::testing::Values(Way::kH1, Way::kH1Tls),
                         [](const auto& way) { return std::string(name_of(way.param)); });

boost::asio::awaitable<void> echo_raw(std::unique_ptr<RawStream> stream) {
  if (!co_await stream->write("hello ")) co_return;
  while (true) {
    Outcome<std::string> part = co_await stream->read();
    if (!part || part->empty()) break;
    if (!co_await stream->write(*std::move(part))) co_return;
  }
  (void)co_await stream->write("bye");
}

boost::asio::awaitable<Response> upgrade_to_echo(Request request) {
  if (request.upgrade != "echo") co_return text_response("not upgraded", 426);
  Response response;
  response.status = 101;
  response.headers.add("Upgrade", std::string_view("echo"));
  response.upgrade = echo_raw;
  co_return response;
}

Exchange<std::string> talk(Client& client, ClientRequest request, std::size_t size) {
  STRAKE_CO_TRY(ClientResponse response, co_await client.send(std::move(request)));
  if (response.status != 101 || !response.upgraded) {
    co_return failed(Fault::kInvalid, fmt::format("status {}", response.status));
  }
  RawStream& stream = *response.upgraded;
  std::string got;
  const std::string sent(size, 'x');
  // Less than the sockets hold at a time, since the echo answers before it reads on.
  for (std::size_t at = 0; at < size;) {
    const std::string part = sent.substr(at, 32 * 1024);
    STRAKE_CO_CHECK(co_await stream.write(part));
    at += part.size();
    while (got.size() < at) {
      STRAKE_CO_TRY(const std::string more, co_await stream.read());
      if (more.empty()) co_return failed(Fault::kClosed, "too early");
      got += more;
    }
  }
  stream.finish_writing();
  while (true) {
    STRAKE_CO_TRY(const std::string more, co_await stream.read());
    if (more.empty()) break;
    got += more;
  }
  co_return got;
}

TEST_P(UpgradeClient, HandsTheRawStreamOverAtBothEnds) {
  TestServer server = serve(upgrade_to_echo);
  for (const std::size_t size : {0, 5, 1'000'000}) {
    const auto got = run(talk(*client_, {.to = to(server), .upgrade = "echo"}, size));
    ASSERT_TRUE(got) << got.error().message;
    EXPECT_EQ(*got, "hello " + std::string(size, 'x') + "bye");
  }
  EXPECT_EQ(stats().connections, 0u) << "none of them can be used again";
}

TEST_P(UpgradeClient, AServerNeedNotAgree) {
  TestServer server = serve(upgrade_to_echo);
  const Reply reply = ask({.to = to(server), .upgrade = "other"});
  ASSERT_TRUE(reply) << reply.error().message;
  EXPECT_EQ(reply->status, 426);
  EXPECT_EQ(reply->body, "not upgraded");
  EXPECT_EQ(ask({.to = to(server)})->status, 426) << "nobody asked";
  EXPECT_EQ(stats().dialled, 1u);
}

TEST_P(UpgradeClient, NobodyChangesToAnotherHttp) {
  TestServer server = serve([](Request request) -> boost::asio::awaitable<Response> {
    co_return text_response("[" + request.upgrade + "]");
  });
  for (const auto& [asked, heard] : {std::pair("h2c", "[]"), std::pair("H2C", "[]"),
                                     std::pair("HTTP/2.0", "[]"), std::pair("http/1.1 , h2c", "[]"),
                                     std::pair("h2c, echo,HTTP/3, other/1", "[echo, other/1]"),
                                     std::pair("h2cool", "[h2cool]")}) {
    const Reply reply = ask({.to = to(server), .upgrade = asked});
    ASSERT_TRUE(reply) << reply.error().message;
    EXPECT_EQ(reply->body, heard) << asked;
  }
}

TEST_P(UpgradeClient, AnUpgradeThatNobodyAskedForIsAnError) {
  TestServer server = serve([](Request) -> boost::asio::awaitable<Response> {
    Response response;
    response.status = 101;
    response.headers.add("Upgrade", std::string_view("echo"));
    response.upgrade = echo_raw;
    co_return response;
  });
  EXPECT_EQ(ask({.to = to(server)})->status, 500);
}

TEST_P(UpgradeClient, IsReadAndWrittenAtTheSameTime) {
  TestServer server = serve(upgrade_to_echo);
  auto response = start({.to = to(server), .upgrade = "echo"});
  ASSERT_TRUE(response && response->upgraded);
  RawStream& stream = *response->upgraded;
  std::atomic<bool> wrote = false;
  const auto write = [](RawStream& to, std::atomic<bool>& done) -> Exchange<int> {
    for (int i = 0; i < 200; ++i) {
      STRAKE_CO_CHECK(co_await to.write(std::string(64 * 1024, 'w')));
    }
    to.finish_writing();
    done = true;
    co_return 0;
  };
  const auto read = [](RawStream& from) -> Exchange<std::size_t> {
    std::size_t bytes = 0;
    while (true) {
      STRAKE_CO_TRY(const std::string part, co_await from.read());
      if (part.empty()) co_return bytes;
      bytes += part.size();
    }
  };
  std::thread writer([&] { EXPECT_TRUE(run(write(stream, wrote))); });
  const auto bytes = run(read(stream));
  writer.join();
  ASSERT_TRUE(bytes) << bytes.error().message;
  EXPECT_EQ(*bytes, 200u * 64 * 1024 + 9);
  EXPECT_TRUE(wrote);
  destroy(std::move(response));
}

TEST_P(UpgradeClient, EndsWithItsServer) {
  auto server = std::make_unique<TestServer>(upgrade_to_echo, ServerOptions(), is_tls());
  auto response = start({.to = to(*server), .upgrade = "echo"});
  ASSERT_TRUE(response && response->upgraded);
  server.reset();
  const auto drain = [](RawStream& from) -> Exchange<int> {
    while (true) {
      STRAKE_CO_TRY(const std::string part, co_await from.read());
      if (part.empty()) co_return 0;
    }
  };
  (void)run(drain(*response->upgraded));
  destroy(std::move(response));
}

}  // namespace
}  // namespace strake::http
