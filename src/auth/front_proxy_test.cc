#include "auth/front_proxy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "auth/authenticator.h"

namespace strake::auth {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;

// Authorities "clients" and "proxies"; the names are the sums of their certificates.
class FrontProxyTest : public testing::Test {
 protected:
  FrontProxyTest() { trust({"clients"}, {"proxies"}); }
  void trust(std::set<std::string> clients, std::set<std::string> proxies) {
    FrontProxyOptions options;
    options.allowed_names = {"front-proxy-client"};
    authenticator_.set_authorities(
        {.clients = std::move(clients), .proxy = FrontProxy(options, std::move(proxies))});
  }
  // Who it is; "401" for bad credentials and "nobody" for none.
  std::string who(std::string authority, std::string name,
                  const std::vector<http::Header>& headers = {}) {
    http::Request request;
    if (!authority.empty()) {
      http::PeerCertificate peer;
      peer.common_name = std::move(name);
      peer.authority_sha256 = std::move(authority);
      request.peer = std::make_shared<const http::PeerCertificate>(std::move(peer));
    }
    for (const http::Header& one : headers) request.headers.add(one.name, one.value);
    const auto user = authenticator_.authenticate(request);
    if (!user) return "401";
    last_ = *user;
    return *user ? (*user)->name : "nobody";
  }

  RequestAuthenticator authenticator_{std::vector<StaticToken>()};
  api::UserPtr last_;
};

const std::vector<http::Header> kAlice = {{"X-Remote-User", "alice"}};

// As measured on kube-apiserver 1.36.4.
TEST_F(FrontProxyTest, IsBelievedWithAnAllowedNameOfItsAuthority) {
  EXPECT_EQ(who("proxies", "front-proxy-client"), "401");
  EXPECT_EQ(who("proxies", "front-proxy-client", kAlice), "alice");
  EXPECT_EQ(who("proxies", "other"), "401");
  EXPECT_EQ(who("proxies", "other", kAlice), "401");
  EXPECT_EQ(who("clients", "jane"), "jane");
  EXPECT_EQ(who("clients", "jane", kAlice), "jane");
  EXPECT_EQ(who("clients", "front-proxy-client", kAlice), "front-proxy-client");
  EXPECT_EQ(who("", "", kAlice), "nobody");
}

TEST_F(FrontProxyTest, AndItsClientsMayShareAnAuthority) {
  trust({"one"}, {"one"});
  EXPECT_EQ(who("one", "front-proxy-client"), "front-proxy-client");
  EXPECT_EQ(who("one", "front-proxy-client", kAlice), "alice");
  EXPECT_EQ(who("one", "other", kAlice), "other");
}

TEST_F(FrontProxyTest, GivesGroupsUidAndExtras) {
  EXPECT_EQ(who("proxies", "front-proxy-client",
                {{"x-remote-user", "alice"},
                 {"X-Remote-Group", "a"},
                 {"X-Remote-Group", "b"},
                 {"X-Remote-Uid", "7"},
                 {"X-Remote-Extra-Scopes%2fView", "read"},
                 {"X-Remote-Extra-scopes%2fview", "write"}}),
            "alice");
  EXPECT_THAT(last_->groups, ElementsAre("a", "b", "system:authenticated"));
  EXPECT_EQ(last_->uid, "7");
  EXPECT_THAT(last_->extra, ElementsAre(Pair("scopes/view", ElementsAre("read", "write"))));
}

TEST_F(FrontProxyTest, TakesTheFirstHeaderThatSaysSomething) {
  FrontProxyOptions options;
  options.username_headers = {"X-First", "X-Second"};
  options.uid_headers = {};
  authenticator_.set_authorities({.clients = {}, .proxy = FrontProxy(options, {"proxies"})});
  EXPECT_EQ(
      who("proxies", "any name", {{"X-First", ""}, {"X-Second", "bob"}, {"X-Remote-Uid", "7"}}),
      "bob");
  EXPECT_EQ(last_->uid, "");
}

TEST_F(FrontProxyTest, LeavesATokenOfARefusedCertificateItsSay) {
  authenticator_.set_tokens(*read_token_file("secret,carol,1\n"));
  EXPECT_EQ(who("proxies", "other", {{"Authorization", "Bearer secret"}}), "carol");
}

TEST_F(FrontProxyTest, CannotBeOneWithACertificateThatDoesNotPass) {
  http::Request request;
  request.peer_refusal = std::make_shared<const std::string>("it has expired");
  request.headers.add("X-Remote-User", "alice");
  auto user = authenticator_.authenticate(request);
  ASSERT_FALSE(user);
  EXPECT_EQ(user.error().message(), "it has expired");
  // Other credentials may be good; what is none of them changes nothing.
  request.headers.add("Authorization", "Basic YTpi");
  EXPECT_FALSE(authenticator_.authenticate(request));
  authenticator_.set_tokens({{.token = Secret("good"), .user = {.name = "bob"}}});
  request.headers.set("Authorization", "Bearer good");
  user = authenticator_.authenticate(request);
  ASSERT_TRUE(user && *user);
  EXPECT_EQ((*user)->name, "bob");
}

TEST_F(FrontProxyTest, IsNotBelievedBeyondTheEndOfItsCertificate) {
  http::PeerCertificate peer;
  peer.common_name = "front-proxy-client";
  peer.authority_sha256 = "proxies";
  const auto now =
      std::chrono::duration_cast<std::chrono::seconds>(system_clock().now().time_since_epoch());
  http::Request request;
  request.headers.add("X-Remote-User", "alice");
  peer.not_after = now.count() + 3600;
  request.peer = std::make_shared<const http::PeerCertificate>(peer);
  EXPECT_TRUE(authenticator_.authenticate(request));
  peer.not_after = now.count() - 1;
  request.peer = std::make_shared<const http::PeerCertificate>(peer);
  const auto user = authenticator_.authenticate(request);
  ASSERT_FALSE(user);
  EXPECT_EQ(user.error().message(), "the certificate has expired");
}

TEST(FrontProxyOptions, WithoutTheStandardHeadersAreWarnedAbout) {
  EXPECT_THAT(warnings_about({}), IsEmpty());
  FrontProxyOptions odd;
  odd.group_headers = {"X-Group"};
  EXPECT_THAT(warnings_about(odd), ElementsAre(HasSubstr("API aggregation will not work")));
}

}  // namespace
}  // namespace strake::auth
