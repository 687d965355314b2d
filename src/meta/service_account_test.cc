#include "meta/service_account.h"

#include <gtest/gtest.h>

namespace strake::meta {
namespace {

TEST(ServiceAccountUser, IsReadAsItIsWritten) {
  const std::string user = service_account_user("shop", "cart.v1");
  EXPECT_EQ(user, "system:serviceaccount:shop:cart.v1");
  const auto account = parse_service_account_user(user);
  ASSERT_TRUE(account);
  EXPECT_EQ(account->namespace_name, "shop");
  EXPECT_EQ(account->name, "cart.v1");
  EXPECT_EQ(service_account_groups("shop"),
            (std::vector<std::string>{"system:serviceaccounts", "system:serviceaccounts:shop"}));
}

TEST(ServiceAccountUser, IsNobodyElse) {
  for (const std::string_view other :
       {"", "jane", "system:serviceaccount:", "system:serviceaccount:shop",
        "system:serviceaccount:shop:", "system:serviceaccount::cart",
        "system:serviceaccount:shop:Cart", "system:serviceaccount:a.b:cart",
        "system:serviceaccount:shop:cart:more", "system:serviceaccounts:shop:cart"}) {
    EXPECT_FALSE(parse_service_account_user(other)) << other;
  }
}

}  // namespace
}  // namespace strake::meta
