#include "auth/jwt/key_set.h"

#include <gtest/gtest.h>

#include "auth/jwt/test_keys.h"

namespace strake::auth {
namespace {

struct Signer {
  explicit Signer(const Secret& pem) : key(SigningKey::read(pem).value()) {}
  std::string jwk() const { return key.verifying().jwk(); }
  std::string token() const { return write_token(R"({"sub":"me"})", key).value(); }
  SigningKey key;
};

KeySet set_of(std::string_view keys) {
  return KeySet::read(fmt::format(R"({{"keys":[{}]}})", keys)).value();
}

bool verifies(const KeySet& keys, const std::string& token) {
  return keys.verifies(read_token(token).value());
}

TEST(KeySet, VerifiesWithEveryTypeOfKey) {
  for (const Secret& pem : {testing::rsa_key(), testing::ec_key("P-256"), testing::ec_key("P-384"),
                            testing::ec_key("P-521")}) {
    const Signer one(pem);
    const Signer other(testing::ec_key("P-256"));
    EXPECT_TRUE(verifies(set_of(one.jwk() + "," + other.jwk()), one.token())) << one.jwk();
    EXPECT_FALSE(verifies(set_of(other.jwk()), one.token()));
    EXPECT_FALSE(verifies(set_of(""), one.token()));
  }
}

TEST(KeySet, PassesOverKeysThatItCannotUse) {
  const Signer one(testing::rsa_key());
  const KeySet keys = set_of(R"({"kty":"OKP","crv":"Ed25519","x":"AA"},{"kty":"EC","crv":"P-192"},)"
                             R"({"kty":"RSA","n":"AQ","e":"AQAB"},7,)" +
                             one.jwk());
  EXPECT_EQ(keys.size(), 1u);
  EXPECT_TRUE(verifies(keys, one.token()));
}

TEST(KeySet, TakesAKeyForNothingButWhatItIsFor) {
  const Signer one(testing::rsa_key());
  const auto with = [&](std::string_view from, std::string_view to) {
    std::string text = one.jwk();
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << text;
    return set_of(text.replace(at, from.size(), to));
  };
  EXPECT_TRUE(verifies(with(R"("use":"sig",)", ""), one.token()));
  EXPECT_FALSE(verifies(with(R"("use":"sig")", R"("use":"enc")"), one.token()));
  EXPECT_FALSE(verifies(with(R"("alg":"RS256")", R"("alg":"RS512")"), one.token()));
  EXPECT_FALSE(verifies(with(R"("alg":"RS256")", R"("alg":"ES256")"), one.token()));
  EXPECT_FALSE(verifies(with(R"("kid":")", R"("kid":"x)"), one.token())) << "another key's name";
  EXPECT_FALSE(verifies(with(R"("kty":"RSA")", R"("kty":"oct")"), one.token()));
  EXPECT_FALSE(verifies(with(R"("e":"AQAB")", R"("e":"AQ")"), one.token())) << "exponent 1";
}

TEST(KeySet, RefusesWhatIsNone) {
  EXPECT_FALSE(KeySet::read("{}"));
  EXPECT_FALSE(KeySet::read("[]"));
  EXPECT_FALSE(KeySet::read("nonsense"));
  EXPECT_FALSE(KeySet::read(std::string(kMostKeySetBytes + 1, ' ')));
  std::string many = "{}";
  for (std::size_t i = 0; i < kMostKeys; ++i) many += ",{}";
  EXPECT_FALSE(KeySet::read(fmt::format(R"({{"keys":[{}]}})", many)));
}

TEST(KeySet, RefusesPointsThatAreNotOnTheCurve) {
  const Signer one(testing::ec_key("P-256"));
  std::string text = one.jwk();
  const std::size_t at = text.find("\"x\":\"") + 8;
  text[at] = text[at] == 'A' ? 'B' : 'A';
  EXPECT_EQ(set_of(text).size(), 0u);
}

}  // namespace
}  // namespace strake::auth
