#include "http/proxy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

namespace strake::http {
namespace {

// "host:port" of the proxy, "direct", or "error".
std::string way(std::string_view url, std::map<std::string, std::string> environment) {
  const auto found = proxy_from_environment(Url::parse(url).value(), [&](const char* name) {
    const auto at = environment.find(name);
    return at == environment.end() ? std::string() : at->second;
  });
  if (!found) return "error";
  if (!*found) return "direct";
  return fmt::format("{}:{}", (*found)->host, (*found)->port);
}

TEST(Proxy, FollowsFromTheEnvironment) {
  EXPECT_EQ(way("https://a.example/", {}), "direct");
  EXPECT_EQ(way("https://a.example/", {{"https_proxy", "http://p:3128"}}), "p:3128");
  EXPECT_EQ(way("https://a.example/", {{"HTTPS_PROXY", "http://p:3128"}}), "p:3128");
  EXPECT_EQ(way("https://a.example/", {{"http_proxy", "http://p:3128"}}), "direct");
  EXPECT_EQ(way("http://a.example/", {{"http_proxy", "p:3128"}}), "p:3128");
  EXPECT_EQ(way("http://a.example/", {{"HTTP_PROXY", "p"}}), "p:80");
  EXPECT_EQ(way("http://a.example/", {{"HTTP_PROXY", "p"}, {"REQUEST_METHOD", "GET"}}), "direct");
  EXPECT_EQ(way("https://a.example/", {{"ALL_PROXY", "socks5://p"}}), "p:1080");
  EXPECT_EQ(way("https://a.example/", {{"https_proxy", "gopher://p"}}), "error");
}

TEST(Proxy, LeavesOutWhatNoProxyNames) {
  const struct {
    std::string_view url;
    std::string no_proxy;
    bool direct;
  } cases[] = {
      {"https://localhost/", "", true},
      {"https://127.0.0.9/", "", true},
      {"https://[::1]/", "", true},
      {"https://a.example/", "*", true},
      {"https://a.example/", "a.example", true},
      {"https://b.a.example/", "A.Example", true},
      {"https://ba.example/", "a.example", false},
      {"https://a.example/", ".a.example", false},
      {"https://b.a.example/", ".a.example", true},
      {"https://b.a.example/", "*.a.example", true},
      {"https://a.example/", " x.example , a.example ", true},
      {"https://a.example:8443/", "a.example:8443", true},
      {"https://a.example/", "a.example:8443", false},
      {"https://10.1.2.3/", "10.1.2.3", true},
      {"https://10.1.2.3/", "10.0.0.0/8", true},
      {"https://11.1.2.3/", "10.0.0.0/8", false},
      {"https://[fd00::7]/", "fd00::/8", true},
      {"https://[fd00::7]:1/", "[fd00::7]:1", true},
      {"https://10.1.2.3/", "fd00::/8,x/y,,:", false},
      {"https://a.example/", "10.0.0.0/8", false},
  };
  for (const auto& one : cases) {
    EXPECT_EQ(way(one.url, {{"https_proxy", "p:1"}, {"no_proxy", one.no_proxy}}),
              one.direct ? "direct" : "p:1")
        << one.url << " " << one.no_proxy;
  }
}

TEST(Proxy, ReadsItsUrl) {
  const Proxy proxy = read_proxy("http://me:s3%3Acret@[fd00::1]:3128/").value();
  EXPECT_EQ(proxy.host, "fd00::1");
  EXPECT_EQ(proxy.port, 3128);
  EXPECT_EQ(proxy.user_name, "me");
  EXPECT_EQ(proxy.password.reveal(), "s3:cret");
  EXPECT_EQ(read_proxy("socks5h://p:9050").value().kind, Proxy::Kind::kSocks5);
  EXPECT_EQ(read_proxy("socks5://u:p@h").value().port, 1080);
  EXPECT_EQ(read_proxy("https://p").error().code(), Code::kUnsupported);
  const auto bad = read_proxy("http://me:s3cret@h:x");
  EXPECT_EQ(bad.error().code(), Code::kInvalid);
  EXPECT_THAT(bad.error().message(), ::testing::Not(::testing::HasSubstr("s3cret")));
}

}  // namespace
}  // namespace strake::http
