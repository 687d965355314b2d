#include "auth/jwt/jwt.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <openssl/rsa.h>

#include "auth/jwt/test_keys.h"
#include "base/base64.h"
#include "value/fields.h"
#include "value/json_reader.h"

namespace strake::auth {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// The examples of RFC 7515, A.2 and A.3.
constexpr std::string_view kRfcRsaKey = R"(-----BEGIN PUBLIC KEY-----
MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAofgWCuLjybRlzo0tZWJj
NiuSfb4p4fAkd/wWJcyQoTbji9k0l8W26mPddxHmfHQp+Vaw+4qPCJrcS2mJPMEz
P1Pt0Bm4d4QlL+yRT+SFd2lZS+pCgNMsD1W/YpRPEwOWvG6b32690r2jZ47soMZo
9wGzjb/7OMg0LOL+bSf63kpaSHSXndS5z5rexMdbBYUsLA9e+KXBdQOS+UTo7WTB
EMa2R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6/I5IhlJH7aGhyxX
FvUK+DWNmoudF8NAco9/h9iaGNj8q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXp
oQIDAQAB
-----END PUBLIC KEY-----
)";
constexpr std::string_view kRfcEcKey = R"(-----BEGIN PUBLIC KEY-----
MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEf83OJ3D2xF1Bg8vub9tLe1gHMzV7
6e8Tus9uPHvRVEXH8UTNG72bfocs3+257rn0s2ldbqkLJK2KRiMohYjlrQ==
-----END PUBLIC KEY-----
)";
constexpr std::string_view kRfcClaims =
    "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlf"
    "Q";
constexpr std::string_view kRfcRsaSignature =
    "cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5ju"
    "jGbds9uJdbF9CUAr7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb1L07"
    "Qe7K0GarZRmB_eSN9383LcOLn6_dO--xi12jzDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QOYEUipU"
    "TI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQGe77Rw";
constexpr std::string_view kRfcEcSignature =
    "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q";

std::string part(std::string_view json) { return base64_encode(json, Base64::kUrlRaw); }

std::string token_with(std::string_view header, std::string_view claims = R"({"iss":"me"})",
                       std::string_view signature = "c2lnbmVk") {
  return fmt::format("{}.{}.{}", part(header), part(claims), signature);
}

VerifyingKey key_of(std::string_view pem) { return VerifyingKey::read(pem).value().at(0); }

TEST(Token, OfTheStandardIsSignedByItsKeyAndNoOther) {
  const std::string rsa =
      fmt::format("{}.{}.{}", part(R"({"alg":"RS256"})"), kRfcClaims, kRfcRsaSignature);
  const std::string ec =
      fmt::format("{}.{}.{}", part(R"({"alg":"ES256"})"), kRfcClaims, kRfcEcSignature);
  const UnverifiedToken by_rsa = read_token(rsa).value();
  const UnverifiedToken by_ec = read_token(ec).value();
  EXPECT_EQ(value::text_of(by_rsa.claims.root(), "iss"), "joe");
  EXPECT_TRUE(by_rsa.is_signed_by(key_of(kRfcRsaKey)));
  EXPECT_TRUE(by_ec.is_signed_by(key_of(kRfcEcKey)));
  EXPECT_FALSE(by_rsa.is_signed_by(key_of(kRfcEcKey)));
  EXPECT_FALSE(by_ec.is_signed_by(key_of(kRfcRsaKey)));
}

TEST(Token, IsSignedWithTheAlgorithmOfItsKey) {
  struct Case {
    Secret pem;
    std::string_view algorithm;
  };
  for (const Case& one :
       {Case{testing::rsa_key(), "RS256"}, Case{testing::ec_key("P-256"), "ES256"},
        Case{testing::ec_key("P-384"), "ES384"}, Case{testing::ec_key("P-521"), "ES512"}}) {
    SCOPED_TRACE(one.algorithm);
    const SigningKey key = SigningKey::read(one.pem).value();
    const std::string text = write_token(R"({"sub":"me"})", key).value();
    const UnverifiedToken token = read_token(text).value();
    EXPECT_EQ(to_string(token.algorithm), one.algorithm);
    EXPECT_EQ(token.key_id, key.verifying().id());
    EXPECT_TRUE(token.is_signed_by(key.verifying()));
    EXPECT_TRUE(token.is_signed_by(key_of(key.verifying().pem())));
    EXPECT_FALSE(token.is_signed_by(SigningKey::make().value().verifying()));
    // One bit of what was signed, and one of the signature.
    std::string changed = text;
    changed[changed.find('.') + 3] ^= 1;
    const auto other = read_token(changed);
    EXPECT_FALSE(other && other->is_signed_by(key.verifying()));
    UnverifiedToken broken = read_token(text).value();
    broken.signature[7] = static_cast<char>(broken.signature[7] ^ 1);
    EXPECT_FALSE(broken.is_signed_by(key.verifying()));
    broken.signature.resize(broken.signature.size() - 1);
    EXPECT_FALSE(broken.is_signed_by(key.verifying()));
  }
}

// What signs with any padding and digest.
std::string rsa_signature(const Secret& pem, std::string_view message, const EVP_MD* digest,
                          bool pss) {
  const auto bio = http::open_text(pem.reveal());
  const http::Owned<EVP_PKEY> key(
      PEM_read_bio_PrivateKey(bio.get(), nullptr, http::no_password, nullptr));
  const http::Owned<EVP_MD_CTX> context(EVP_MD_CTX_new());
  EVP_PKEY_CTX* options = nullptr;
  EVP_DigestSignInit(context.get(), &options, digest, nullptr, key.get());
  if (pss) {
    EVP_PKEY_CTX_set_rsa_padding(options, RSA_PKCS1_PSS_PADDING);
    EVP_PKEY_CTX_set_rsa_pss_saltlen(options, RSA_PSS_SALTLEN_DIGEST);
  }
  std::string out(256, '\0');
  std::size_t size = out.size();
  EVP_DigestSign(context.get(), reinterpret_cast<unsigned char*>(out.data()), &size,
                 reinterpret_cast<const unsigned char*>(message.data()), message.size());
  out.resize(size);
  return out;
}

TEST(Token, MayHaveAnyAlgorithmOfAnRsaKey) {
  const Secret pem = testing::rsa_key();
  const VerifyingKey key = SigningKey::read(pem).value().verifying();
  const auto signed_as = [&](std::string_view name, const EVP_MD* digest, bool pss) {
    const std::string text = fmt::format(R"({}.{})", part(fmt::format(R"({{"alg":"{}"}})", name)),
                                         part(R"({"iss":"me"})"));
    return text + "." + base64_encode(rsa_signature(pem, text, digest, pss), Base64::kUrlRaw);
  };
  struct Case {
    std::string_view name;
    const EVP_MD* digest;
    bool pss;
  };
  for (const Case& one : {Case{"RS256", EVP_sha256(), false}, Case{"RS384", EVP_sha384(), false},
                          Case{"RS512", EVP_sha512(), false}, Case{"PS256", EVP_sha256(), true},
                          Case{"PS384", EVP_sha384(), true}, Case{"PS512", EVP_sha512(), true}}) {
    SCOPED_TRACE(one.name);
    const std::string text = signed_as(one.name, one.digest, one.pss);
    EXPECT_TRUE(read_token(text).value().is_signed_by(key));
    // The same signature under another name is none.
    const std::string_view other = one.name == "RS256" ? "PS256" : "RS256";
    const std::string renamed = signed_as(other, one.digest, one.pss);
    EXPECT_FALSE(read_token(renamed).value().is_signed_by(key));
  }
}

TEST(Token, IsRefusedWhenItsAlgorithmBelongsToNoKey) {
  for (const std::string_view alg : {"none", "None", "NONE", "HS256", "HS384", "HS512", "RS1", "",
                                     "ES256K", "EdDSA", "dir", "rs256"}) {
    SCOPED_TRACE(alg);
    const std::string text = token_with(fmt::format(R"({{"alg":"{}"}})", alg));
    const auto token = read_token(text);
    ASSERT_FALSE(token);
    EXPECT_EQ(token.error().code(), Code::kUnsupported);
  }
  const std::string unsigned_token = token_with(R"({"alg":"none"})", R"({"iss":"me"})", "");
  EXPECT_FALSE(read_token(unsigned_token));
}

// A public key is no secret: who signs with it as one must not be believed.
TEST(Token, IsNotVerifiedWithAKeyOfAnotherType) {
  const SigningKey key = SigningKey::read(testing::ec_key("P-384")).value();
  const std::string text = write_token("{}", key).value();
  UnverifiedToken token = read_token(text).value();
  for (const Algorithm other :
       {Algorithm::kRs256, Algorithm::kPs512, Algorithm::kEs256, Algorithm::kEs512}) {
    EXPECT_FALSE(key.verifying().takes(other));
    token.algorithm = other;
    EXPECT_FALSE(token.is_signed_by(key.verifying()));
  }
}

TEST(Token, IsRefusedWhenItIsNone) {
  const std::string good = token_with(R"({"alg":"RS256"})");
  ASSERT_TRUE(read_token(good));
  const std::string header = part(R"({"alg":"RS256"})");
  const std::string claims = part(R"({"iss":"me"})");
  const std::string cases[] = {
      "",
      "a.b",
      "..",
      good + ".",
      good + "=",
      " " + good,
      good + "\n",
      header + "\n." + claims + ".c2ln",
      header + "." + claims + ".c2lnbmVkK",             // six bits too many
      header + "." + claims + ".c2lnbmVk+",             // of the other alphabet
      header + "." + claims + ".c2lnbmW",               // bits that are not zero
      token_with(R"({"alg":"RS256","crit":["exp"]})"),  // none is known
      token_with(R"({"alg":"RS256","crit":[]})"),       // nor may it be empty
      token_with(R"({"alg":"RS256","alg":"RS256"})"),   // twice
      token_with(R"({"alg":"RS256"})", R"({"a":1,"a":2})"),
      token_with(R"({"alg":["RS256"]})"),
      token_with(R"({"alg":"RS256","kid":7})"),
      token_with(R"(["alg"])"),
      token_with(R"({"alg":"RS256"} )", "[]"),
      token_with(R"({"alg":"RS256"})", "null"),
      token_with(R"({"alg":"RS256"})", "{} {}"),
  };
  for (const std::string& text : cases) EXPECT_FALSE(read_token(text)) << text;
}

TEST(Token, HasALimitOfSizeAndDepth) {
  const auto with_claim = [](std::string value) {
    return token_with(R"({"alg":"RS256"})", fmt::format(R"({{"a":{}}})", value));
  };
  const std::string big = with_claim('"' + std::string(kMostTokenBytes, 'x') + '"');
  const auto refused = read_token(big);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), Code::kLimit);
  EXPECT_TRUE(read_token(with_claim('"' + std::string(kMostTokenBytes / 2, 'x') + '"')));
  const auto nested = [](std::size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  EXPECT_TRUE(read_token(with_claim(nested(kMostTokenDepth - 1))));
  EXPECT_FALSE(read_token(with_claim(nested(kMostTokenDepth))));
}

TEST(Token, IsNotShownByErrors) {
  const std::string text = token_with(R"({"alg":"RS256")", R"({"secret":"hush"})", "c2Vj");
  const auto token = read_token(text);
  ASSERT_FALSE(token);
  EXPECT_THAT(token.error().to_string(), Not(HasSubstr("RS256")));
}

TEST(VerifyingKey, IsReadFromAnyPemThatHoldsOne) {
  const SigningKey key = SigningKey::make().value();
  EXPECT_EQ(key_of(key.verifying().pem()).id(), key.verifying().id());
  EXPECT_EQ(key_of(key.pem().reveal()).id(), key.verifying().id());
  const auto both = VerifyingKey::read(std::string(kRfcRsaKey) + std::string(kRfcEcKey)).value();
  ASSERT_EQ(both.size(), 2u);
  EXPECT_EQ(to_string(both[0].algorithm()), "RS256");
  EXPECT_EQ(to_string(both[1].algorithm()), "ES256");
  EXPECT_EQ(VerifyingKey::read("nothing").error().code(), Code::kParse);
  EXPECT_EQ(VerifyingKey::read(testing::rsa_key(1024).reveal()).error().code(), Code::kUnsupported);
  EXPECT_EQ(VerifyingKey::read(testing::ec_key("secp256k1").reveal()).error().code(),
            Code::kUnsupported);
}

TEST(VerifyingKey, IsPublishedAsAJsonWebKey) {
  const value::Document rsa = value::read_json(key_of(kRfcRsaKey).jwk()).value();
  EXPECT_EQ(value::text_of(rsa.root(), "kty"), "RSA");
  EXPECT_EQ(value::text_of(rsa.root(), "e"), "AQAB");
  EXPECT_TRUE(value::text_of(rsa.root(), "n").starts_with("ofgWCuLjybRlzo0t"));
  const value::Document ec = value::read_json(key_of(kRfcEcKey).jwk()).value();
  EXPECT_EQ(value::text_of(ec.root(), "crv"), "P-256");
  EXPECT_EQ(value::text_of(ec.root(), "x"), "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU");
  EXPECT_EQ(value::text_of(ec.root(), "y"), "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0");
}

TEST(SigningKey, SurvivesBeingWritten) {
  const SigningKey key = SigningKey::make().value();
  const SigningKey again = SigningKey::read(key.pem()).value();
  EXPECT_EQ(again.verifying().id(), key.verifying().id());
  EXPECT_TRUE(key.verifying().verify(Algorithm::kEs256, "m", again.sign("m").value()));
  EXPECT_FALSE(SigningKey::read(Secret("nothing")));
  EXPECT_FALSE(SigningKey::read(Secret(key.verifying().pem())));
}

}  // namespace
}  // namespace strake::auth
