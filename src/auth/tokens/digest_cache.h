#pragma once
// What is known of tokens, by the digest of their text: never the text itself. Bounded; what is in
// use stays. May be used from any thread.
#include <cstddef>
#include <cstring>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>

#include "base/sha256.h"

namespace strake::auth {

template <typename T>
class DigestCache {
 public:
  using Entry = std::shared_ptr<const T>;
  explicit DigestCache(std::size_t most) : most_(most) {}

  // Null when it is not here.
  Entry find(const Sha256::Digest& digest) {
    const std::lock_guard lock(mu_);
    if (const auto found = recent_.find(digest); found != recent_.end()) return found->second;
    const auto found = earlier_.find(digest);
    if (found == earlier_.end()) return nullptr;
    Entry entry = std::move(found->second);
    earlier_.erase(found);
    put(digest, entry);
    return entry;
  }
  void keep(const Sha256::Digest& digest, Entry entry) {
    const std::lock_guard lock(mu_);
    put(digest, std::move(entry));
  }
  std::size_t size() const {
    const std::lock_guard lock(mu_);
    return recent_.size() + earlier_.size();
  }

 private:
  struct Hash {
    std::size_t operator()(const Sha256::Digest& digest) const {
      std::size_t out = 0;
      std::memcpy(&out, digest.data(), sizeof out);
      return out;
    }
  };
  using Entries = std::unordered_map<Sha256::Digest, Entry, Hash>;

  void put(const Sha256::Digest& digest, Entry entry) {  // under mu_
    if (most_ < 2) return;
    if (recent_.size() >= most_ / 2) earlier_ = std::exchange(recent_, {});
    recent_[digest] = std::move(entry);
  }

  // What was asked for lately, and what was before that: when the first is full, it takes the place
  // of the second. In constant time, an entry that is in use stays.
  std::size_t most_;
  mutable std::mutex mu_;
  Entries recent_;   // guarded by mu_
  Entries earlier_;  // guarded by mu_
};

}  // namespace strake::auth
