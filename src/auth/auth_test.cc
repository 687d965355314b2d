#include <gtest/gtest.h>

#include "auth/authenticator.h"

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

}  // namespace
}  // namespace strake::auth
