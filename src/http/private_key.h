#pragma once
// Reads and writes private keys as PEM, for the few files that see OpenSSL.
#include <string_view>

#include "base/secret.h"
#include "http/openssl_owned.h"

namespace strake::http {

// The first private key of the text, in any form that OpenSSL knows but encrypted ones. Null when
// there is none, with the reason among OpenSSL's errors.
Owned<EVP_PKEY> read_private_key(std::string_view pem);

// In PKCS #8.
Secret write_private_key(const EVP_PKEY* key);

}  // namespace strake::http
