#pragma once
// Reads and writes private keys as PEM, and public keys as DER, for the few files that see OpenSSL.
#include <string>
#include <string_view>

#include "base/secret.h"
#include "http/openssl_owned.h"

namespace strake::http {

// The first private key of the text, in any form that OpenSSL knows but encrypted ones. Null when
// there is none, with the reason among OpenSSL's errors.
Owned<EVP_PKEY> read_private_key(std::string_view pem);

// In PKCS #8.
Secret write_private_key(const EVP_PKEY* key);

// The public half, as a SubjectPublicKeyInfo (RFC 5280, 4.1) in DER. Empty when it has no such
// form.
std::string encode_public_key(const EVP_PKEY* key);

}  // namespace strake::http
