#include "aggregator/user_headers.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace strake::aggregator {
namespace {

using namespace std::string_view_literals;

std::string shown(const http::Headers& headers) {
  std::string out;
  for (const http::Header& one : headers.all())
    out += fmt::format("{}{}={}", out.empty() ? "" : " ", one.name, one.value);
  return out;
}

http::Headers of(std::vector<http::Header> all) {
  http::Headers out;
  for (http::Header& one : all) out.add(one.name, one.value);
  return out;
}

TEST(WithoutUser, LeavesOutWhatSpeaksOfUsersInAnySpelling) {
  const http::Headers sent = of({{"Authorization", "Bearer t"},
                                 {"X-Remote-User", "root"},
                                 {"x-remote-group", "system:masters"},
                                 {"X-Remote-Uid", "1"},
                                 {"X-REMOTE-EXTRA-scopes", "all"},
                                 {"X_Remote_User", "root"},
                                 {"X-Remote_User", "root"},
                                 {"Impersonate-User", "root"},
                                 {"impersonate_group", "g"},
                                 {"Cookie", "c=1"},
                                 {"Accept", "application/json"}});
  EXPECT_EQ(shown(without_user(sent, {})), "Cookie=c=1 Accept=application/json");
}

TEST(WithoutUser, LeavesOutTheHeadersOfThisServersOwnProxies) {
  const http::Headers sent =
      of({{"X-My-User", "root"}, {"x-my-extra-a", "b"}, {"X-Mine", "kept"}, {"x_my_user", "root"}});
  EXPECT_EQ(shown(without_user(sent, {.names = {"x-my-user"}, .prefixes = {"X-My-Extra-"}})),
            "X-Mine=kept");
  EXPECT_EQ(shown(without_user(of({{"A", "1"}}), {.names = {}, .prefixes = {""}})), "A=1");
}

TEST(WithoutUser, LeavesOutWhatEndsAtThisConnection) {
  const http::Headers sent = of({{"Connection", "close, X-Secret"},
                                 {"X-Secret", "s"},
                                 {"Te", "trailers"},
                                 {"Transfer-Encoding", "chunked"},
                                 {"Content-Length", "3"},
                                 {"Expect", "100-continue"},
                                 {"Host", "main"},
                                 {"Proxy-Authorization", "p"},
                                 {"A", "1"}});
  EXPECT_EQ(shown(without_user(sent, {})), "A=1");
}

TEST(WithoutUser, LeavesOutTokensAmongTheProtocolsOfAWebSocket) {
  const http::Headers sent =
      of({{"Sec-WebSocket-Protocol", "base64url.bearer.authorization.k8s.io.dG9r, v4.channel"},
          {"Sec-WebSocket-Protocol", "BASE64URL.bearer.authorization.k8s.io.dG9r"}});
  EXPECT_EQ(shown(without_user(sent, {})), "Sec-WebSocket-Protocol=v4.channel");
}

TEST(AddUser, TellsAllOfTheUser) {
  http::Headers out;
  ASSERT_TRUE(add_user({.name = "jane",
                        .uid = "u1",
                        .groups = {"a", "b"},
                        .extra = {{"example.com/scope%", {"x", "y"}}}},
                       out));
  EXPECT_EQ(shown(out),
            "X-Remote-User=jane X-Remote-Uid=u1 X-Remote-Group=a X-Remote-Group=b "
            "X-Remote-Extra-example.com%2Fscope%25=x X-Remote-Extra-example.com%2Fscope%25=y");
}

TEST(AddUser, RefusesWhatWouldBeReadAsSomebodyElse) {
  for (const std::string_view name : {" root"sv, "root\t"sv, "a\r\nX-Remote-Group: system:masters"sv,
                                      "a\0b"sv}) {
    http::Headers out;
    const Result<> told = add_user({.name = std::string(name)}, out);
    ASSERT_FALSE(told) << name;
    EXPECT_EQ(told.error().message(), "the value of X-Remote-User cannot be sent");
  }
  http::Headers out;
  EXPECT_FALSE(add_user({.name = "a", .groups = {"fine", "g\n"}}, out));
  EXPECT_FALSE(add_user({.name = "a", .extra = {{"k", {"v\r"}}}}, out));
}

}  // namespace
}  // namespace strake::aggregator
