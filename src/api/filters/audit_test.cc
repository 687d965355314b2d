#include "api/filters/audit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/filters/cache_control.h"
#include "api/filters/test_stages.h"
#include "base/log.h"

namespace strake::api {
namespace {

using testing::call_for;
using ::testing::HasSubstr;

std::string id_of(const CallPtr& call) {
  const RequestLogSettings settings;
  AuditStage stage(settings);
  http::Response response;
  testing::code_of(stage.enter(*call));
  stage.leave(*call, response);
  return std::string(response.headers.get("Audit-Id"));
}

TEST(AuditStage, GivesEveryResponseAnId) {
  const std::string first = id_of(call_for("GET", "/api"));
  EXPECT_EQ(first.size(), 36u);
  EXPECT_NE(first, id_of(call_for("GET", "/api")));
}

TEST(AuditStage, TakesTheIdOfAProxyUnlessItIsTooLong) {
  EXPECT_EQ(id_of(call_for("GET", "/api", {{"Audit-ID", "mine"}})), "mine");
  EXPECT_EQ(id_of(call_for("GET", "/api", {{"Audit-ID", std::string(129, 'x')}})).size(), 36u);
}

TEST(AuditStage, LogsTheResponseWithItsId) {
  std::vector<std::string> lines;
  log::configure({.style = log::Style::kText,
                  .level = log::Level::kInfo,
                  .sink = [&lines](std::string_view line) { lines.emplace_back(line); }});
  RequestLogSettings settings;
  settings.all = true;
  AuditStage stage(settings);
  const CallPtr call = call_for("GET", "/api", {{"Audit-ID", "mine"}});
  testing::code_of(stage.enter(*call));
  http::Response response;
  response.status = 418;
  stage.leave(*call, response);
  log::configure({});
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_THAT(lines[0], HasSubstr("code=418"));
  EXPECT_THAT(lines[0], HasSubstr("audit=mine"));
}

TEST(CacheControlStage, KeepsResponsesOutOfSharedCachesUnlessARouteSaysOtherwise) {
  CacheControlStage stage;
  Call call;
  http::Response plain;
  stage.leave(call, plain);
  EXPECT_EQ(plain.headers.get("Cache-Control"), "no-cache, private");
  http::Response own;
  own.headers.add("Cache-Control", "public");
  stage.leave(call, own);
  EXPECT_EQ(own.headers.get_all("Cache-Control").size(), 1u);
}

}  // namespace
}  // namespace strake::api
