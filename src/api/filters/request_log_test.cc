#include "api/filters/request_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/log.h"

namespace strake::api {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class RequestLogTest : public testing::Test {
 protected:
  RequestLogTest() { level(log::Level::kInfo); }
  ~RequestLogTest() override { log::configure({}); }

  void level(log::Level level) {
    log::configure({.style = log::Style::kText,
                    .level = level,
                    .sink = [this](std::string_view line) { lines_.emplace_back(line); }});
  }
  static UserPtr user(std::string name, std::string group) {
    return std::make_shared<const User>(
        User{.name = std::move(name), .uid = {}, .groups = {std::move(group)}, .extra = {}});
  }
  static Call call(UserPtr asking) {
    Call out;
    out.request.method = "GET";
    out.request.path = "/api/v1/namespaces";
    out.request.query = "token=in-the-query";
    out.request.body = "in-the-body";
    out.request.headers.add("Authorization", "Bearer in-the-header");
    out.request.headers.add("User-Agent", "kubectl/v1.36");
    out.request.remote_address = "10.0.0.7:4711";
    out.info.verb = "list";
    out.asking = out.user = std::move(asking);
    return out;
  }
  void note(RequestLog& log, const Call& one, int status, seconds at = seconds(0)) {
    log.note(one, {.status = status, .time = milliseconds(3), .audit_id = "a-1"},
             RequestLog::Time(at + std::chrono::hours(1)));
  }

  std::vector<std::string> lines_;
  RequestLogSettings settings_;
  const UserPtr jane_ = user("jane", "system:authenticated");
  const UserPtr nobody_ = user("system:anonymous", "system:unauthenticated");
};

TEST_F(RequestLogTest, SaysWhoAskedForWhatOnDemand) {
  settings_.all = true;
  RequestLog log(settings_);
  note(log, call(jane_), 200);
  ASSERT_EQ(lines_.size(), 1u);
  EXPECT_THAT(lines_[0],
              HasSubstr("INFO  api: request user=jane as=\"\" agent=kubectl/v1.36 "
                        "source=10.0.0.7:4711 verb=list path=/api/v1/namespaces code=200 ms=3 "
                        "audit=a-1"));
  EXPECT_THAT(lines_[0], Not(HasSubstr("in-the-")));
}

TEST_F(RequestLogTest, IsSilentAboutWhatWentWellUnlessAsked) {
  RequestLog log(settings_);
  note(log, call(jane_), 200);
  note(log, call(jane_), 404);
  EXPECT_TRUE(lines_.empty());
  level(log::Level::kDebug);
  note(log, call(jane_), 200);
  EXPECT_EQ(lines_.size(), 1u);
}

TEST_F(RequestLogTest, AlwaysTellsOfRefusals) {
  RequestLog log(settings_);
  level(log::Level::kWarn);
  note(log, call(nullptr), 401);
  note(log, call(jane_), 403);
  ASSERT_EQ(lines_.size(), 2u);
  EXPECT_THAT(lines_[0], AllOf(HasSubstr("request refused user=\"\""), HasSubstr("code=401")));
  EXPECT_THAT(lines_[1], AllOf(HasSubstr("user=jane"), HasSubstr("code=403")));
}

TEST_F(RequestLogTest, NamesBothWhenOneUserActsAsAnother) {
  settings_.all = true;
  RequestLog log(settings_);
  Call one = call(user("admin", "system:masters"));
  one.user = jane_;
  note(log, one, 200);
  EXPECT_THAT(lines_[0], HasSubstr("user=admin as=jane"));
}

TEST_F(RequestLogTest, StopsTellingWhenRefusalsComeInAFloodAndSaysHowManyItLeftOut) {
  RequestLog log(settings_);
  for (std::uint32_t i = 0; i < 1000; ++i) note(log, call(nobody_), 403);
  EXPECT_EQ(lines_.size(), RequestLog::kBurst);
  note(log, call(jane_), 403);
  EXPECT_THAT(lines_.back(), HasSubstr("user=jane")) << "strangers hide nobody else";
  lines_.clear();
  for (int i = 0; i < 10; ++i) note(log, call(nobody_), 403, seconds(2));
  ASSERT_EQ(lines_.size(), 3u) << "one for each second, and the count";
  EXPECT_THAT(lines_[0], HasSubstr("refused requests that were not logged count=900"));
}

TEST_F(RequestLogTest, KeepsTextOfClientsShortAndOnItsLine) {
  settings_.all = true;
  RequestLog log(settings_);
  Call one = call(jane_);
  one.request.headers.set("User-Agent", "a\n2024 ERROR fake" + std::string(100'000, 'x'));
  one.request.path = "/" + std::string(100'000, 'y');
  note(log, one, 200);
  EXPECT_LT(lines_[0].size(), 2500u);
  EXPECT_THAT(lines_[0], AllOf(Not(HasSubstr("\n")), HasSubstr("a\\n2024")));
}

TEST_F(RequestLogTest, SaysWhichRequestsWereSlowOnDemand) {
  RequestLog log(settings_);
  note(log, call(jane_), 200);
  EXPECT_THAT(lines_, testing::IsEmpty());
  settings_.slow = milliseconds(3);  // that is what note() says
  note(log, call(jane_), 200);
  EXPECT_THAT(lines_, testing::IsEmpty());
  settings_.slow = milliseconds(2);
  note(log, call(jane_), 200);
  ASSERT_EQ(lines_.size(), 1u);
  EXPECT_THAT(lines_[0], AllOf(HasSubstr("WARN  api: slow request user=jane"), HasSubstr("ms=3 ")));
  settings_.all = true;
  note(log, call(jane_), 200);
  EXPECT_EQ(lines_.size(), 2u) << "once, not twice";
}

}  // namespace
}  // namespace strake::api
