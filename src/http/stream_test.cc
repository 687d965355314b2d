// Bodies that are made while they are sent, and what ends them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "async/one_shot.h"
#include "async/run.h"
#include "http/test_gunzip.h"
#include "http/test_server.h"
#include "http/test_streams.h"

namespace strake::http {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using namespace strake::http::testing;

constexpr std::string_view kGet = "GET /watch HTTP/1.1\r\nHost: x\r\n\r\n";

FunctionHandler::Function quiet(std::shared_ptr<StreamLog> log) {
  return [log](Request) -> boost::asio::awaitable<Response> {
    Response response;
    response.stream = std::make_unique<QuietStream>(log);
    return [](Response made) -> boost::asio::awaitable<Response> {
      co_return made;
    }(std::move(response));
  };
}

FunctionHandler::Function counted(std::shared_ptr<StreamLog> log, std::string part,
                                  std::size_t count) {
  return [=](Request) -> boost::asio::awaitable<Response> {
    Response response;
    response.body.emplace_back(std::string("begin\n"));
    response.stream = std::make_unique<CountedStream>(log, part, count);
    return [](Response made) -> boost::asio::awaitable<Response> {
      co_return made;
    }(std::move(response));
  };
}

class Streams : public ::testing::TestWithParam<bool> {
 protected:
  std::shared_ptr<StreamLog> log_ = std::make_shared<StreamLog>();
};

INSTANTIATE_TEST_SUITE_P(Plain, Streams, ::testing::Values(false));
INSTANTIATE_TEST_SUITE_P(Tls, Streams, ::testing::Values(true));

TEST_P(Streams, GoInChunksAndLeaveTheConnectionOpen) {
  TestServer server(counted(log_, "part\n", 10'000), {}, GetParam());
  TestClient client = server.connect();
  for (int i = 0; i < 2; ++i) {
    client.send(kGet);
    const auto answer = client.read_answer();
    EXPECT_EQ(answer.header("Transfer-Encoding"), "chunked");
    EXPECT_EQ(answer.body.size(), 6u + 50'000u);
  }
  EXPECT_EQ(log_->pulls, 20'000u);
}

TEST_P(Streams, GoToOldClientsUntilTheEndOfTheConnection) {
  TestServer server(counted(log_, "part\n", 3), {}, GetParam());
  TestClient client = server.connect();
  client.send("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
  const std::string all = client.read_all();
  EXPECT_THAT(all, HasSubstr("Connection: close"));
  EXPECT_THAT(all, EndsWith("begin\npart\npart\npart\n"));
  EXPECT_THAT(all, Not(HasSubstr("chunked")));
}

TEST_P(Streams, AreNotAskedForHead) {
  TestServer server(counted(log_, "part\n", 3), {}, GetParam());
  TestClient client = server.connect();
  client.send("HEAD / HTTP/1.1\r\nHost: x\r\n\r\n");
  client.send(kGet);
  EXPECT_EQ(client.read_answer(false).status, 200);
  EXPECT_EQ(client.read_answer().body, "begin\npart\npart\npart\n");
}

TEST_P(Streams, ShowTheirHeadAndFirstPartAtOnce) {
  TestServer server(quiet(log_), {}, GetParam());
  TestClient client = server.connect();
  client.send(kGet);
  EXPECT_THAT(client.read_until("first\n"), HasSubstr("HTTP/1.1 200 OK"));
}

TEST_P(Streams, AreCancelledWhenTheClientGoes) {
  TestServer server(quiet(log_), {}, GetParam());
  {
    TestClient client = server.connect();
    client.send(kGet);
    client.read_until("first\n");
  }
  EXPECT_TRUE(eventually([&] { return log_->destroyed.load(); }));
  EXPECT_TRUE(log_->cancelled);
  EXPECT_TRUE(eventually([&] { return server.server().stats().connections == 0; }));
}

TEST_P(Streams, AreAskedForNoMoreThanTheClientTakes) {
  const std::string part(64 * 1024, 'a');
  TestServer server(counted(log_, part, 10'000), {}, GetParam());
  TestClient client = server.connect();
  client.set_receive_buffer(16 * 1024);
  client.send(kGet);
  // It stops once the buffers of both kernels are full, far from the 640 MB there are.
  std::size_t last = 0;
  EXPECT_TRUE(eventually([&] {
    const std::size_t now = log_->bytes;
    const bool still = now > 0 && now == last;
    last = now;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    return still;
  }));
  EXPECT_LT(log_->bytes, 64u * 1024 * 1024);
}

TEST_P(Streams, ThatBreakOffAreNotEndedCleanly) {
  const auto failing = [](Request) -> boost::asio::awaitable<Response> {
    Response response;
    response.stream = std::make_unique<FailingStream>();
    co_return response;
  };
  TestServer server(failing, {}, GetParam());
  TestClient client = server.connect();
  client.send(kGet);
  const std::string all = client.read_all();
  EXPECT_THAT(all, HasSubstr("first\n"));
  EXPECT_THAT(all, Not(EndsWith("0\r\n\r\n")));
}

TEST_P(Streams, EndCleanlyWhenTheServerDrains) {
  TestServer server(quiet(log_), {}, GetParam());
  TestClient client = server.connect();
  client.send(kGet);
  client.read_until("first\n");
  const Result<> drained = async::run_blocking(
      server.loops().at(1), server.server().drain(Deadline::after(std::chrono::seconds(30))));
  EXPECT_TRUE(drained);
  EXPECT_THAT(client.read_all(), EndsWith("0\r\n\r\n"));
  EXPECT_TRUE(log_->destroyed);
}

// ---- Draining

TEST_P(Streams, DrainClosesIdleConnections) {
  TestServer server(echo, {}, GetParam());
  TestClient client = server.connect();
  client.send(kGet);
  EXPECT_EQ(client.read_answer().status, 200);
  EXPECT_TRUE(async::run_blocking(server.loops().at(0), server.server().drain(Deadline::never())));
  EXPECT_EQ(client.read_all(), "");
  EXPECT_EQ(server.server().stats().connections, 0u);
}

TEST_P(Streams, DrainLetsRequestsFinish) {
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
  TestClient client = server.connect();
  client.send(kGet);
  ASSERT_TRUE(eventually([&] { return begun.load(); }));
  std::thread drainer([&] {
    EXPECT_TRUE(
        async::run_blocking(server.loops().at(0), server.server().drain(Deadline::never())));
  });
  // The listening socket goes first: the drain has begun when nobody listens any more.
  EXPECT_TRUE(eventually([&] { return !can_connect(server.server().port()); }));
  release.set({});
  const auto answer = client.read_answer();
  EXPECT_EQ(answer.body, "done");
  EXPECT_EQ(answer.header("Connection"), "close");
  drainer.join();
  EXPECT_EQ(client.read_all(), "");
}

TEST_P(Streams, DrainEndsAtItsDeadlineWhateverRuns) {
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
  TestClient client = server.connect();
  client.send(kGet);
  ASSERT_TRUE(eventually([&] { return begun.load(); }));
  EXPECT_TRUE(async::run_blocking(
      server.loops().at(0), server.server().drain(Deadline::after(std::chrono::milliseconds(20)))));
  EXPECT_TRUE(cancelled);
  EXPECT_EQ(client.read_all(), "");
}

TEST_P(Streams, HandlersAreCancelledWhenTheClientGoes) {
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
  {
    TestClient client = server.connect();
    client.send(kGet);
    ASSERT_TRUE(eventually([&] { return begun.load(); }));
  }
  EXPECT_TRUE(eventually([&] { return cancelled.load(); }));
  EXPECT_TRUE(eventually([&] { return server.server().stats().connections == 0; }));
}

TEST_P(Streams, HandlersOnOtherThreadsAreToldThatTheClientIsGone) {
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
  {
    TestClient client = server.connect();
    client.send(kGet);
    ASSERT_TRUE(eventually([&] { return begun.load(); }));
    EXPECT_FALSE(seen.cancelled());
  }
  EXPECT_TRUE(eventually([&] { return seen.cancelled(); }));
}

// ---- Bodies that come to an end by themselves

FunctionHandler::Function finite(std::shared_ptr<StreamLog> log, std::string part,
                                 std::size_t count) {
  return [=](Request) -> boost::asio::awaitable<Response> {
    Response response;
    response.body.emplace_back(std::string("begin\n"));
    response.stream = std::make_unique<FiniteStream>(log, part, count);
    return [](Response made) -> boost::asio::awaitable<Response> {
      co_return made;
    }(std::move(response));
  };
}

TEST_P(Streams, WithAnEndGoCompressed) {
  TestServer server(finite(log_, std::string(50'000, 'a'), 40), {}, GetParam());
  TestClient client = server.connect();
  for (int i = 0; i < 2; ++i) {
    client.send("GET / HTTP/1.1\r\nHost: x\r\nAccept-Encoding: gzip\r\n\r\n");
    const auto answer = client.read_answer();
    EXPECT_EQ(answer.header("Content-Encoding"), "gzip");
    EXPECT_EQ(gunzip(answer.body), "begin\n" + std::string(2'000'000, 'a'));
  }
  client.send(kGet);
  EXPECT_EQ(client.read_answer().body, "begin\n" + std::string(2'000'000, 'a'));
}

TEST_P(Streams, WithAnEndAreFinishedWhenTheServerDrains) {
  const std::string part(64 * 1024, 'a');
  TestServer server(finite(log_, part, 200), {}, GetParam());
  TestClient client = server.connect();
  client.send(kGet);
  ASSERT_TRUE(eventually([&] { return log_->pulls > 2; }));
  std::thread drainer([&] {
    EXPECT_TRUE(
        async::run_blocking(server.loops().at(0), server.server().drain(Deadline::never())));
  });
  EXPECT_TRUE(eventually([&] { return !can_connect(server.server().port()); }));
  EXPECT_EQ(client.read_answer().body.size(), 6u + 200 * part.size());
  drainer.join();
}

TEST_P(Streams, WithAnEndAreBrokenOffAtTheDeadlineOfADrain) {
  const std::string part(64 * 1024, 'a');
  TestServer server(finite(log_, part, 10'000), {}, GetParam());
  TestClient client = server.connect();
  client.set_receive_buffer(16 * 1024);
  client.send(kGet);
  ASSERT_TRUE(eventually([&] { return log_->pulls > 2; }));
  EXPECT_TRUE(async::run_blocking(
      server.loops().at(0), server.server().drain(Deadline::after(std::chrono::milliseconds(20)))));
  EXPECT_THAT(client.read_all(), Not(EndsWith("0\r\n\r\n")));
  EXPECT_TRUE(log_->destroyed);
}

TEST_P(Streams, ThatAreRevokedWhileTheirClientReadsNothingAreBrokenOff) {
  const std::string part(64 * 1024, 'a');
  ServerOptions quick;
  quick.handshake_timeout = std::chrono::milliseconds(400);  // so that ticks are short
  TestServer server(finite(log_, part, 10'000), quick, GetParam());
  TestClient client = server.connect();
  client.set_receive_buffer(16 * 1024);
  client.send(kGet);
  ASSERT_TRUE(eventually([&] { return log_->pulls > 2; }));
  EXPECT_FALSE(log_->destroyed);
  log_->revoked = true;
  EXPECT_TRUE(eventually([&] { return log_->destroyed.load(); }));
}

TEST(Server, EndsWithStreamsStillOpen) {
  const auto log = std::make_shared<StreamLog>();
  auto server = std::make_unique<TestServer>(quiet(log));
  TestClient client = server->connect();
  client.send(kGet);
  client.read_until("first\n");
  server.reset();
  EXPECT_TRUE(log->destroyed);
}

}  // namespace
}  // namespace strake::http
