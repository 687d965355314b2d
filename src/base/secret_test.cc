#include "base/secret.h"

#include <gtest/gtest.h>

#include <sstream>

namespace strake {
namespace {

TEST(Secret, PrintsAsStars) {
  const Secret secret("hunter2");
  EXPECT_EQ(fmt::format("{}", secret), "***");
  EXPECT_EQ(fmt::format("[{:>5}]", secret), "[  ***]");
  EXPECT_EQ(fmt::format("{}", Secret()), "***");  // not even whether there is one
  std::ostringstream out;
  out << secret;
  EXPECT_EQ(out.str(), "***");
}

TEST(Secret, IsReadOnRequest) {
  const Secret secret("hunter2");
  EXPECT_EQ(secret.reveal(), "hunter2");
  EXPECT_FALSE(secret.empty());
}

TEST(Secret, LeavesNothingBehindWhenMoved) {
  Secret first("hunter2");
  Secret second = std::move(first);
  EXPECT_EQ(second.reveal(), "hunter2");
  EXPECT_TRUE(first.empty());  // NOLINT(bugprone-use-after-move): empty by contract
  Secret third("other");
  third = std::move(second);
  EXPECT_EQ(third.reveal(), "hunter2");
  EXPECT_TRUE(second.empty());  // NOLINT(bugprone-use-after-move)
  const Secret copy = third;
  EXPECT_EQ(copy.reveal(), third.reveal());
}

TEST(Secret, ComparesWhole) {
  const Secret secret("hunter2");
  EXPECT_TRUE(secret.equals("hunter2"));
  for (std::string_view other :
       {"", "hunter", "hunter22", "hunter3", "Hunter2", "hunter2hunter2"}) {
    EXPECT_FALSE(secret.equals(other)) << other;
  }
  EXPECT_TRUE(Secret().equals(""));
  EXPECT_FALSE(Secret().equals("x"));
}

}  // namespace
}  // namespace strake
