#include "api/request/deadlines.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "api/test_server.h"
#include "async/loops.h"

namespace strake::api {
namespace {

using namespace std::chrono_literals;
using testing::Answered;
using testing::TestServer;

TEST(TimeLimit, IsTheLesserOfTheServersAndTheClients) {
  const struct {
    std::string_view query;
    bool single_write;
    std::chrono::nanoseconds time;
    bool of_write;
  } cases[] = {
      {"", false, 60s, false},
      {"", true, 34s, true},
      {"timeout=", false, 60s, false},
      {"timeout=5s", false, 5s, false},
      {"timeout=5s", true, 5s, false},
      {"timeout=0s", true, 34s, true},
      {"timeout=-1s", false, 60s, false},
      {"timeout=2h", false, 60s, false},
      {"timeout=50s", true, 34s, true},
      {"timeout=50s", false, 50s, false},
  };
  for (const auto& one : cases) {
    const auto limit =
        time_limit(http::Query::parse(std::string(one.query)).value(), 60s, one.single_write);
    ASSERT_TRUE(limit) << one.query;
    EXPECT_EQ(limit->time, one.time) << one.query;
    EXPECT_EQ(limit->of_write, one.of_write) << one.query;
  }
}

TEST(TimeLimit, RefusesWhatIsNoDuration) {
  const struct {
    std::string_view query;
    std::string_view why;
  } cases[] = {
      {"timeout=abc", R"(time: invalid duration "abc")"},
      {"timeout=10", R"(time: missing unit in duration "10")"},
      {"timeout=10x", R"(time: unknown unit "x" in duration "10x")"},
  };
  for (const auto& one : cases) {
    const auto limit = time_limit(http::Query::parse(std::string(one.query)).value(), 60s, false);
    ASSERT_FALSE(limit) << one.query;
    EXPECT_EQ(limit.error().code, 400);
    EXPECT_EQ(limit.error().message,
              fmt::format("invalid timeout specified in the request URL - {}", one.why));
  }
}

TEST(Deadlines, CancelThoseWhoseTimeIsUp) {
  FakeClock clock;
  Deadlines deadlines(clock);
  CancelSource early;
  CancelSource late;
  const Deadlines::Entry first(deadlines, Deadline::after(1s, clock), early);
  const Deadlines::Entry second(deadlines, Deadline::after(2s, clock), late);
  deadlines.expire();
  EXPECT_FALSE(early.cancelled());
  clock.advance(1s);
  deadlines.expire();
  EXPECT_TRUE(early.cancelled());
  EXPECT_TRUE(first.has_expired());
  EXPECT_FALSE(late.cancelled());
  EXPECT_FALSE(second.has_expired());
}

TEST(Deadlines, ForgetThoseThatAreDone) {
  FakeClock clock;
  Deadlines deadlines(clock);
  CancelSource cancel;
  {
    const Deadlines::Entry done(deadlines, Deadline::after(1s, clock), cancel);
  }
  clock.advance(2s);
  deadlines.expire();
  EXPECT_FALSE(cancel.cancelled());
}

TEST(Deadlines, AreKeptByATimer) {
  async::Loops loops(1);
  Deadlines deadlines(system_clock());
  deadlines.start(loops.at(0));
  CancelSource cancel;
  const Deadlines::Entry entry(deadlines, Deadline::after(1ms), cancel);
  while (!cancel.cancelled()) std::this_thread::sleep_for(1ms);
  deadlines.stop();
  loops.stop();
}

constexpr std::string_view kMaps = "/api/v1/namespaces/default/configmaps";
constexpr std::string_view kMap =
    R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"}})";

// Asks while the store does not answer, and lets time pass once the write waits.
Answered ask_late(TestServer& server, FakeClock& clock, std::string_view target,
                  std::chrono::seconds passed) {
  server.hold_writes(true);
  Answered out;
  std::thread client([&] { out = server.post(target, kMap); });
  while (server.writes_waiting() == 0) std::this_thread::sleep_for(1ms);
  clock.advance(passed);
  server.expire_requests();
  client.join();
  server.hold_writes(false);
  return out;
}

TEST(RequestDeadline, EndsAWriteThatTheStoreDoesNotAnswer) {
  TestServer server;
  FakeClock& clock = server.clock();
  const Answered late = ask_late(server, clock, kMaps, 34s);
  EXPECT_EQ(late.code, 504) << late.body;
  EXPECT_EQ(late.at("reason"), R"("Timeout")");
  EXPECT_EQ(
      late.at("message"),
      R"("Timeout: request did not complete within requested timeout - context deadline exceeded")");
}

TEST(RequestDeadline, IsWhatTheClientAsksFor) {
  TestServer server;
  FakeClock& clock = server.clock();
  const Answered late = ask_late(server, clock, std::string(kMaps) + "?timeout=3s", 3s);
  EXPECT_EQ(late.code, 504) << late.body;
  EXPECT_EQ(late.at("message"),
            R"("Timeout: request did not complete within the allotted timeout")");
}

TEST(RequestDeadline, EndsAReadThatWaitsForARevision) {
  TestServer server;
  FakeClock& clock = server.clock();
  Answered out;
  std::atomic<bool> answered = false;
  std::thread client([&] {
    out = server.get(std::string(kMaps) + "?resourceVersion=999999&timeout=1s");
    answered = true;
  });
  // Without a deadline it would end by itself, as one that asks for too new a revision.
  while (!answered) {
    clock.advance(1s);
    server.expire_requests();
    std::this_thread::sleep_for(1ms);
  }
  client.join();
  EXPECT_EQ(out.at("message"),
            R"("Timeout: request did not complete within the allotted timeout")");
}

TEST(RequestDeadline, IsRefusedWhenItIsNone) {
  TestServer server;
  for (const char* method : {"GET", "POST", "DELETE"}) {
    const Answered refused = server.ask(method, std::string(kMaps) + "?timeout=soon", kMap);
    EXPECT_EQ(refused.code, 400) << method;
    EXPECT_EQ(
        refused.at("message"),
        R"("invalid timeout specified in the request URL - time: invalid duration \"soon\"")");
  }
}

TEST(RequestDeadline, IsNoneOfAWatch) {
  TestServer server;
  FakeClock& clock = server.clock();
  auto watch = server.call("GET", std::string(kMaps) + "?watch=true&timeout=1s");
  ASSERT_NE(watch.stream, nullptr);
  clock.advance(120s);
  server.expire_requests();
  EXPECT_EQ(server.post(kMaps, kMap).code, 201);
  EXPECT_TRUE(server.next(*watch.stream).contains("ADDED"));
  server.end(std::move(watch.stream));
}

}  // namespace
}  // namespace strake::api
