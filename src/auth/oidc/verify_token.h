#pragma once
// What is looked at of an issuer's token before its signature: as kube-apiserver 1.36 and the
// library that it uses do it.
#include <cstdint>

#include "auth/jwt/jwt.h"
#include "auth/oidc/config.h"
#include "base/time.h"

namespace strake::auth {

// Seconds since 1970.
struct TokenTimes {
  std::int64_t expires = 0;
  std::int64_t not_before = 0;
};

// Audience, times and algorithm. Fails with kUnauthorized.
Result<TokenTimes> check_unsigned(const UnverifiedToken& token, const TokenSource& source,
                                  const Clock& clock);
// The times again.
Result<> check_times(const TokenTimes& times, const Clock& clock);

}  // namespace strake::auth
