#include "server/clock_route.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/test_server.h"
#include "base/rfc3339.h"

namespace strake::server {
namespace {

using api::testing::Answered;
using api::testing::TestServer;
using std::chrono::seconds;
using ::testing::HasSubstr;

constexpr std::string_view kClock = "/testserver/clock";

WallTime at(std::string_view time) { return parse_rfc3339(time).value().to_wall(); }

TEST(TestClock, StandsStillOrRunsAtItsOwnSpeed) {
  FakeClock machine;
  TestClock frozen(at("2026-01-01T00:00:00Z"), 0, machine);
  TestClock fast(at("2026-01-01T00:00:00Z"), 60, machine);
  machine.advance(seconds(2));
  EXPECT_EQ(frozen.now(), at("2026-01-01T00:00:00Z"));
  EXPECT_EQ(fast.now(), at("2026-01-01T00:02:00Z"));
  EXPECT_EQ(fast.steady_now(), machine.steady_now());
  ASSERT_TRUE(fast.set_speed(0.5));
  machine.advance(seconds(2));
  EXPECT_EQ(fast.now(), at("2026-01-01T00:02:01Z"));
}

TEST(TestClock, IsMovedForwardAlone) {
  FakeClock machine;
  TestClock clock(at("2026-01-01T00:00:00Z"), 0, machine);
  ASSERT_TRUE(clock.advance(seconds(90)));
  EXPECT_EQ(clock.now(), at("2026-01-01T00:01:30Z"));
  ASSERT_TRUE(clock.set(at("2026-02-01T00:00:00Z")));
  EXPECT_EQ(clock.now(), at("2026-02-01T00:00:00Z"));
  EXPECT_FALSE(clock.set(at("2026-01-31T23:59:59Z")));
  EXPECT_FALSE(clock.advance(seconds(-1)));
  EXPECT_FALSE(clock.set_speed(-1));
  EXPECT_FALSE(clock.set_speed(2e6));
  EXPECT_EQ(clock.now(), at("2026-02-01T00:00:00Z"));
}

TEST(TestClock, StopsBeforeTheEndOfTheCalendar) {
  FakeClock machine;
  TestClock clock(WallTime::max(), TestClock::kMostSpeed, machine);
  machine.advance(std::chrono::hours(24 * 365));
  EXPECT_EQ(clock.now(), at("2200-01-01T00:00:00Z"));
  EXPECT_FALSE(clock.advance(seconds(1)));
}

class Part final : public api::testing::TestPart {
 public:
  Part(TestClock& clock, int& moves) : route_(clock, [&moves] { ++moves; }) {}
  std::vector<api::Route*> routes() override { return {&route_}; }

 private:
  ClockRoute route_;
};

class ClockOverHttp : public ::testing::Test {
 protected:
  int moves_ = 0;
  FakeClock machine_;
  TestClock clock_{at("2026-01-01T00:00:00Z"), 0, machine_};
  TestServer server_{
      {.may = [](const api::User& user, const api::RequestInfo&) { return user.name != "eve"; },
       .part = [this](api::Hub&) { return std::make_unique<Part>(clock_, moves_); }}};
};

TEST_F(ClockOverHttp, TellsTheTimeAndIsMoved) {
  EXPECT_EQ(server_.get(kClock).body, "{\"time\":\"2026-01-01T00:00:00Z\",\"speed\":0}\n");
  EXPECT_EQ(server_.put(kClock, R"({"advance":"1h30m"})").body,
            "{\"time\":\"2026-01-01T01:30:00Z\",\"speed\":0}\n");
  EXPECT_EQ(server_.put(kClock, R"({"time":"2026-02-01T00:00:00Z","speed":2})").body,
            "{\"time\":\"2026-02-01T00:00:00Z\",\"speed\":2}\n");
  EXPECT_EQ(moves_, 2);
}

TEST_F(ClockOverHttp, SaysWhatIsWrongAndMovesNothing) {
  const auto refused = [&](std::string_view body) {
    const Answered answer = server_.put(kClock, body);
    EXPECT_EQ(answer.code, 400);
    return answer.text("message");
  };
  EXPECT_THAT(refused("{"), HasSubstr("unexpected end of JSON input"));
  EXPECT_EQ(refused("{}"), "must be an object with advance, time or speed");
  EXPECT_THAT(refused(R"({"advance":"1d"})"), HasSubstr("advance: time: unknown unit"));
  EXPECT_EQ(refused(R"({"advance":1})"), "advance: must be text");
  EXPECT_EQ(refused(R"({"speed":"fast"})"), "speed: must be a number");
  EXPECT_EQ(refused(R"({"pace":"1"})"), "pace: is none of advance, time and speed");
  EXPECT_THAT(refused(R"({"time":"2025-12-31T00:00:00Z"})"),
              HasSubstr("time: must be from 2026-01-01T00:00:00Z"));
  EXPECT_EQ(moves_, 0);
  EXPECT_EQ(clock_.now(), at("2026-01-01T00:00:00Z"));
}

TEST_F(ClockOverHttp, IsForThoseWhoMay) {
  EXPECT_EQ(server_.ask({.method = "PUT", .target = kClock, .body = "{}", .user = "eve"}).code,
            403);
  EXPECT_EQ(server_.remove(kClock).code, 405);
}

}  // namespace
}  // namespace strake::server
