#include "auth/tokens/verified_tokens.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace strake::auth {
namespace {

Sha256::Digest digest_of(int number) { return sha256(fmt::format("token {}", number)); }

TEST(VerifiedTokens, FindsWhatItKeeps) {
  VerifiedTokens tokens(10);
  EXPECT_EQ(tokens.find(digest_of(1)), nullptr);
  const auto token = std::make_shared<VerifiedToken>();
  tokens.keep(digest_of(1), token);
  EXPECT_EQ(tokens.find(digest_of(1)), token);
  EXPECT_EQ(tokens.find(digest_of(2)), nullptr);
}

TEST(VerifiedTokens, KeepsNoMoreThanItMayAndWhatIsInUse) {
  VerifiedTokens tokens(100);
  const auto used = std::make_shared<VerifiedToken>();
  tokens.keep(digest_of(0), used);
  for (int i = 1; i < 10'000; ++i) {
    tokens.keep(digest_of(i), std::make_shared<VerifiedToken>());
    ASSERT_LE(tokens.size(), 100u);
    if (i % 30 == 0) ASSERT_EQ(tokens.find(digest_of(0)), used) << i;
  }
  EXPECT_EQ(tokens.find(digest_of(5)), nullptr);
}

TEST(VerifiedTokens, KeepsNothingWhereThereIsNoRoom) {
  VerifiedTokens tokens(0);
  tokens.keep(digest_of(1), std::make_shared<VerifiedToken>());
  EXPECT_EQ(tokens.find(digest_of(1)), nullptr);
}

}  // namespace
}  // namespace strake::auth
