#include "auth/tokens/keyed_digest.h"

#include <gtest/gtest.h>

#include <vector>

namespace strake::auth {
namespace {

using Audiences = std::vector<std::string>;

TEST(KeyedDigest, IsThatOfTheStandard) {
  // RFC 4231, cases 2 and 6.
  EXPECT_EQ(to_hex(hmac_sha256("Jefe", "what do ya want for nothing?")),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  EXPECT_EQ(to_hex(hmac_sha256(std::string(131, '\xaa'),
                               "Test Using Larger Than Block-Size Key - Hash Key First")),
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
}

TEST(KeyedDigest, TellsTokensAudiencesAndProcessesApart) {
  const KeyedDigest one;
  const KeyedDigest other;
  EXPECT_EQ(one.of("t", Audiences{"a"}), one.of("t", Audiences{"a"}));
  EXPECT_NE(one.of("t", Audiences{"a"}), other.of("t", Audiences{"a"}));
  EXPECT_NE(one.of("t", Audiences{"a"}), one.of("ta", Audiences{}));
  EXPECT_NE(one.of("t", Audiences{"ab"}), one.of("t", Audiences{"a", "b"}));
}

}  // namespace
}  // namespace strake::auth
