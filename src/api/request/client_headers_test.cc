#include "api/request/client_headers.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace strake::api {
namespace {

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
  EXPECT_EQ(shown(without_user(sent, UserHeaders({"x-my-user"}, {"X-My-Extra-"}))), "X-Mine=kept");
  EXPECT_EQ(shown(without_user(of({{"A", "1"}}), UserHeaders({}, {""}))), "A=1");
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

}  // namespace
}  // namespace strake::api
