#include <gtest/gtest.h>

#include "auth/authenticator.h"
#include "auth/authorizer.h"

namespace strake::auth {
namespace {

http::Request with_token(std::string_view header) {
  http::Request request;
  if (!header.empty()) request.headers.add("Authorization", header);
  return request;
}

RequestAuthenticator authenticator() {
  return RequestAuthenticator(
      read_token_file("abc,eve,7,\"dev, ops\"\n# a comment\nxyz,root,,system:masters\n").value());
}

TEST(TokenFile, GivesUsersTheirGroups) {
  const auto tokens = read_token_file("abc,eve,7,\"dev, ops\"\n").value();
  ASSERT_EQ(tokens.size(), 1u);
  EXPECT_EQ(tokens[0].user.name, "eve");
  EXPECT_EQ(tokens[0].user.groups, (std::vector<std::string>{"dev", "ops"}));
}

TEST(TokenFile, NamesTheLineThatIsWrongButNotTheToken) {
  const auto tokens = read_token_file("abc,eve,7\nsecret,\n");
  ASSERT_FALSE(tokens);
  EXPECT_TRUE(tokens.error().message().starts_with("line 2:"));
  EXPECT_FALSE(tokens.error().message().contains("secret"));
}

TEST(TokenFile, RefusesAQuoteThatDoesNotEnd) { EXPECT_FALSE(read_token_file("a,b,c,\"d\n")); }

TEST(Authenticator, KnowsTheUserOfAToken) {
  const auto user = authenticator().authenticate(with_token("Bearer abc")).value();
  ASSERT_TRUE(user);
  EXPECT_EQ(user->name, "eve");
  EXPECT_TRUE(user->in_group("system:authenticated"));
}

TEST(Authenticator, RefusesATokenThatNobodyWasGiven) {
  const auto user = authenticator().authenticate(with_token("Bearer nope"));
  ASSERT_FALSE(user);
  EXPECT_EQ(user.error().code(), Code::kUnauthorized);
}

TEST(Authenticator, TakesNewTokensInPlaceOfTheOldOnes) {
  RequestAuthenticator known(read_token_file("abc,eve,7\n").value());
  known.set_tokens(read_token_file("new,ann,8\n").value());
  EXPECT_FALSE(known.authenticate(with_token("Bearer abc")));
  EXPECT_EQ(known.authenticate(with_token("Bearer new")).value()->name, "ann");
}

TEST(Authenticator, LeavesRequestsWithoutCredentialsToOthers) {
  EXPECT_EQ(authenticator().authenticate(with_token("")).value(), nullptr);
  EXPECT_EQ(authenticator().authenticate(with_token("Basic YTpi")).value(), nullptr);
}

TEST(Authenticator, TakesNameAndGroupsFromTheCertificate) {
  http::Request request;
  request.peer = std::make_shared<http::PeerCertificate>(http::PeerCertificate{
      .common_name = "admin", .organizations = {"system:masters"}, .sha256 = "00ff"});
  const auto user = authenticator().authenticate(request).value();
  ASSERT_TRUE(user);
  EXPECT_EQ(user->name, "admin");
  EXPECT_TRUE(user->in_group("system:masters"));
  EXPECT_EQ(user->extra.at("authentication.kubernetes.io/credential-id").at(0), "X509SHA256=00ff");
}

struct Case {
  std::vector<std::string> groups;
  api::RequestInfo request;
  bool allowed;
};

TEST(Authorizer, DecidesByGroup) {
  api::RequestInfo health{.verb = "get", .path = "/readyz"};
  api::RequestInfo discovery{.verb = "get", .path = "/apis/example.com/v1"};
  api::RequestInfo metrics{.verb = "get", .path = "/metrics"};
  api::RequestInfo write{.is_resource = true, .verb = "create", .resource = "configmaps"};
  api::RequestInfo self{.is_resource = true,
                        .verb = "create",
                        .group = "authorization.k8s.io",
                        .resource = "selfsubjectaccessreviews"};
  api::RequestInfo self_of_another_group = self;
  self_of_another_group.group = "evil.dev";
  api::RequestInfo self_with_another_end = self;
  self_with_another_end.resource = "selfsubjectpets";
  const std::vector<Case> cases = {
      {{"system:unauthenticated"}, health, true},
      {{"system:unauthenticated"}, discovery, false},
      {{"system:authenticated"}, discovery, true},
      {{"system:authenticated"}, metrics, false},
      {{"system:authenticated"}, write, false},
      {{"system:authenticated"}, self, true},
      {{"system:authenticated"}, self_of_another_group, false},
      {{"system:authenticated"}, self_with_another_end, false},
      {{"system:masters"}, write, true},
      {{"system:masters"}, metrics, true},
  };
  for (const Case& one : cases) {
    api::User user;
    user.groups = one.groups;
    EXPECT_EQ(GroupAuthorizer().authorize(user, one.request).allowed, one.allowed)
        << one.groups[0] << " " << one.request.verb << " " << one.request.path
        << one.request.resource;
  }
}

}  // namespace
}  // namespace strake::auth
