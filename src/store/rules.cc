#include "store/rules.h"

#include <algorithm>

namespace strake::store {

Result<> check_write(const Write& write) {
  if (write.key.empty()) return fail(Code::kBadRequest, "etcdserver: key is not provided");
  const std::size_t value_bytes = write.value ? write.value->size() : 0;
  if (write.key.size() > kMaxKeyBytes || write.key.size() + value_bytes > kMaxWriteBytes)
    return fail(Code::kRequestTooLarge, "etcdserver: request is too large");
  return {};
}

std::unexpected<Error> compacted_error() {
  return fail(Code::kExpired, "etcdserver: mvcc: required revision has been compacted");
}

std::unexpected<Error> future_error() {
  return fail(Code::kTimeout, "etcdserver: mvcc: required revision is a future revision");
}

std::unexpected<Error> closed_error() {
  return fail(Code::kServiceUnavailable, "the store is closed");
}

WallTime expiry(WallTime now, std::chrono::seconds ttl) {
  // Far enough, and no clock runs over.
  constexpr std::chrono::seconds kLongest = std::chrono::years(100);
  return now + std::min(ttl, kLongest);
}

std::string after_prefix(std::string_view prefix) {
  while (!prefix.empty() && prefix.back() == '\xff') prefix.remove_suffix(1);
  // Keys have a limit, so this is greater than all of them.
  if (prefix.empty()) return std::string(kMaxKeyBytes + 1, '\xff');
  std::string out(prefix);
  out.back() = static_cast<char>(static_cast<unsigned char>(out.back()) + 1);
  return out;
}

}  // namespace strake::store
