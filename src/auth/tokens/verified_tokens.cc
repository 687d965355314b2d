#include "auth/tokens/verified_tokens.h"

namespace strake::auth {

VerifiedTokenPtr VerifiedTokens::find(const Sha256::Digest& digest) {
  const std::lock_guard lock(mu_);
  if (const auto found = recent_.find(digest); found != recent_.end()) return found->second;
  const auto found = earlier_.find(digest);
  if (found == earlier_.end()) return nullptr;
  VerifiedTokenPtr token = std::move(found->second);
  earlier_.erase(found);
  put(digest, token);
  return token;
}

void VerifiedTokens::keep(const Sha256::Digest& digest, VerifiedTokenPtr token) {
  const std::lock_guard lock(mu_);
  put(digest, std::move(token));
}

void VerifiedTokens::put(const Sha256::Digest& digest, VerifiedTokenPtr token) {
  if (most_ < 2) return;
  if (recent_.size() >= most_ / 2) earlier_ = std::exchange(recent_, {});
  recent_[digest] = std::move(token);
}

std::size_t VerifiedTokens::size() const {
  const std::lock_guard lock(mu_);
  return recent_.size() + earlier_.size();
}

}  // namespace strake::auth
