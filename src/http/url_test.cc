#include "http/url.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace strake::http {
namespace {

TEST(Url, ReadsItsParts) {
  const Url url = Url::parse("HTTPS://jane:p%40ss@Example.com:8443/a/b?c=d#e").value();
  EXPECT_TRUE(url.tls);
  EXPECT_EQ(url.host, "example.com");
  EXPECT_EQ(url.port, 8443);
  EXPECT_EQ(url.target, "/a/b?c=d");
  EXPECT_EQ(url.user_name, "jane");
  EXPECT_EQ(url.password.reveal(), "p@ss");
  EXPECT_EQ(url.text(), "https://example.com:8443/a/b?c=d");
  EXPECT_EQ(url.shown(), "https://example.com:8443/a/b");
  const Url plain = Url::parse("http://[::1]?q").value();
  EXPECT_EQ(plain.host, "::1");
  EXPECT_EQ(plain.port, 80);
  EXPECT_EQ(plain.text(), "http://[::1]/?q");
}

TEST(Url, RefusesWhatCannotBeFetched) {
  for (const std::string_view text :
       {"", "a", "//host/", "ftp://host/", "file:///etc/passwd", "http://", "http:///a",
        "http://a:0/", "http://a:65536/", "http://a:b/", "http://[::1", "http://[::g]/",
        "http://a b/", "http://a/b c", "http://a/\r\nX: y", "http://a%00b/", "http://u:p%zz@a/",
        "http://a\\b/"}) {
    const auto url = Url::parse(text);
    ASSERT_FALSE(url) << text;
    EXPECT_EQ(url.error().code(), Code::kInvalid) << text;
  }
}

TEST(Url, FollowsALocation) {
  const Url base = Url::parse("https://host:1/a/b/c?q").value();
  const struct {
    std::string_view location;
    std::string_view result;
  } cases[] = {
      {"http://other/x", "http://other/x"}, {"//other/x", "https://other/x"},
      {"/x", "https://host:1/x"},           {"x", "https://host:1/a/b/x"},
      {"../x", "https://host:1/a/x"},       {"../../../x", "https://host:1/x"},
      {"./", "https://host:1/a/b/"},        {"..", "https://host:1/a/"},
      {"?y", "https://host:1/a/b/c?y"},     {"x?a=../b", "https://host:1/a/b/x?a=../b"},
      {"#f", "https://host:1/a/b/c?q"},     {"", "https://host:1/a/b/c?q"},
  };
  for (const auto& one : cases) {
    const auto url = base.resolve(one.location);
    ASSERT_TRUE(url) << one.location;
    EXPECT_EQ(url->text(), one.result) << one.location;
  }
  EXPECT_FALSE(base.resolve("file:///etc/passwd"));
  EXPECT_FALSE(base.resolve("javascript:x"));
  EXPECT_FALSE(base.resolve("a b"));
}

}  // namespace
}  // namespace strake::http
