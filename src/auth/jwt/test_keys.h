#pragma once
// Keys for tests, made in the test program so that none stands in the source.
#include <openssl/evp.h>
#include <openssl/pem.h>

#include <memory>
#include <string>

#include "base/secret.h"
#include "http/openssl_owned.h"

namespace strake::auth::testing {

inline Secret pem_of(http::Owned<EVP_PKEY> key) {
  const http::Owned<BIO> bio(BIO_new(BIO_s_mem()));
  PEM_write_bio_PKCS8PrivateKey(bio.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr);
  char* bytes = nullptr;
  const long size = BIO_get_mem_data(bio.get(), &bytes);
  return Secret(std::string(bytes, static_cast<std::size_t>(size)));
}
inline Secret rsa_key(unsigned bits = 2048) {
  return pem_of(http::Owned<EVP_PKEY>(EVP_RSA_gen(bits)));
}
inline Secret ec_key(const char* curve) { return pem_of(http::Owned<EVP_PKEY>(EVP_EC_gen(curve))); }

}  // namespace strake::auth::testing
