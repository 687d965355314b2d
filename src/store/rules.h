#pragma once
// What every backend holds to alike: limits of a write, and the words for revisions out of reach,
// which are etcd's because clients know them.
#include <chrono>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/time.h"
#include "store/store.h"

namespace strake::store {

// kBadRequest without a key, kRequestTooLarge past the limits.
Result<> check_write(const Write& write);

std::unexpected<Error> compacted_error();  // kExpired
std::unexpected<Error> future_error();     // kTimeout
std::unexpected<Error> closed_error();     // kServiceUnavailable

// When a key that is written now is to go.
WallTime expiry(WallTime now, std::chrono::seconds ttl);

// The least key that is greater than every key with the prefix.
std::string after_prefix(std::string_view prefix);

// The least key that a range can return.
inline std::string_view first_key(const Range& range) {
  return range.start > range.prefix ? range.start : range.prefix;
}

}  // namespace strake::store
