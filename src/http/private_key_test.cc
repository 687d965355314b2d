#include "http/private_key.h"

#include <gtest/gtest.h>
#include <openssl/ec.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>

#include <string>

namespace strake::http {
namespace {

std::string text_of(BIO* bio) {
  char* bytes = nullptr;
  const long size = BIO_get_mem_data(bio, &bytes);
  return {bytes, static_cast<std::size_t>(size)};
}

// As OpenSSL writes it.
std::string peer(EVP_PKEY* key) {
  const Owned<BIO> bio(BIO_new(BIO_s_mem()));
  PEM_write_bio_PKCS8PrivateKey(bio.get(), key, nullptr, nullptr, 0, nullptr, nullptr);
  return text_of(bio.get());
}

void expect_round_trip(EVP_PKEY* key) {
  ASSERT_NE(key, nullptr);
  const std::string pem = write_private_key(key).reveal();
  EXPECT_EQ(pem, peer(key));
  const Owned<EVP_PKEY> again = read_private_key(pem);
  ASSERT_NE(again, nullptr);
  EXPECT_EQ(EVP_PKEY_eq(key, again.get()), 1);
  EXPECT_EQ(peer(again.get()), pem);  // and the secret part is there
}

TEST(PrivateKey, IsWrittenAsOpenSslWritesIt) {
  // Some numbers begin with zeros.
  for (int i = 0; i < 300; ++i) expect_round_trip(Owned<EVP_PKEY>(EVP_EC_gen("P-256")).get());
}

TEST(PrivateKey, MayBeOfAnyOtherType) {
  expect_round_trip(Owned<EVP_PKEY>(EVP_EC_gen("P-384")).get());
  expect_round_trip(Owned<EVP_PKEY>(EVP_RSA_gen(2048)).get());
  expect_round_trip(Owned<EVP_PKEY>(EVP_PKEY_Q_keygen(nullptr, nullptr, "ED25519")).get());
}

TEST(PrivateKey, MayBeInTheOlderForm) {
  const Owned<EVP_PKEY> key(EVP_EC_gen("P-256"));
  const Owned<BIO> bio(BIO_new(BIO_s_mem()));
  PEM_write_bio_PrivateKey_traditional(bio.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr);
  const std::string pem = text_of(bio.get());
  ASSERT_NE(pem.find("BEGIN EC PRIVATE KEY"), std::string::npos);
  const Owned<EVP_PKEY> again = read_private_key(pem);
  ASSERT_NE(again, nullptr);
  EXPECT_EQ(EVP_PKEY_eq(key.get(), again.get()), 1);
}

TEST(PublicKey, IsEncodedAsOpenSslEncodesIt) {
  for (const char* curve : {"P-256", "P-256", "P-256", "P-384"}) {
    const Owned<EVP_PKEY> key(EVP_EC_gen(curve));
    unsigned char* bytes = nullptr;
    const int size = i2d_PUBKEY(key.get(), &bytes);
    ASSERT_GT(size, 0);
    EXPECT_EQ(encode_public_key(key.get()), std::string(bytes, bytes + size)) << curve;
    OPENSSL_free(bytes);
  }
}

TEST(PrivateKey, IsTheFirstOfTheText) {
  const Owned<EVP_PKEY> first(EVP_EC_gen("P-256"));
  const Owned<EVP_PKEY> second(EVP_EC_gen("P-256"));
  const Owned<EVP_PKEY> read = read_private_key(
      "-----BEGIN CERTIFICATE-----\nAAAA\n"
      "-----END CERTIFICATE-----\n" +
      peer(first.get()) + peer(second.get()));
  ASSERT_NE(read, nullptr);
  EXPECT_EQ(EVP_PKEY_eq(first.get(), read.get()), 1);
}

TEST(PrivateKey, IsNotReadFromSomethingElse) {
  const Owned<EVP_PKEY> key(EVP_EC_gen("P-256"));
  std::string pem = peer(key.get());
  for (const std::string& text :
       {std::string(), std::string("text"), pem.substr(0, pem.size() / 2),
        std::string("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n")}) {
    EXPECT_EQ(read_private_key(text), nullptr) << text;
  }
}

TEST(PrivateKey, OfAPointThatIsNotOnTheCurveIsRefused) {
  const Owned<EVP_PKEY> key(EVP_EC_gen("P-256"));
  std::string pem = peer(key.get());
  // In the last line but one stands the end of the point.
  const std::size_t at = pem.find("\n-----END") - 8;
  pem[at] = pem[at] == 'A' ? 'B' : 'A';
  EXPECT_EQ(read_private_key(pem), nullptr);
}

}  // namespace
}  // namespace strake::http
