#include "auth/authorization/review_cache.h"

namespace strake::auth {

std::optional<AccessReviewStatus> ReviewCache::find(std::string_view question, SteadyTime now) {
  const std::lock_guard lock(mu_);
  const auto found = by_question_.find(question);
  if (found == by_question_.end()) return std::nullopt;
  const auto entry = found->second;
  if (now >= entry->until) {
    by_question_.erase(found);
    entries_.erase(entry);
    return std::nullopt;
  }
  entries_.splice(entries_.begin(), entries_, entry);
  return entry->status;
}

void ReviewCache::add(std::string question, AccessReviewStatus status, SteadyTime until) {
  const std::lock_guard lock(mu_);
  if (const auto found = by_question_.find(question); found != by_question_.end()) {
    found->second->status = std::move(status);
    found->second->until = until;
    return;
  }
  if (entries_.size() >= kMost) {
    by_question_.erase(entries_.back().question);
    entries_.pop_back();
  }
  entries_.push_front(
      {.question = std::move(question), .status = std::move(status), .until = until});
  by_question_.emplace(entries_.front().question, entries_.begin());
}

std::size_t ReviewCache::size() const {
  const std::lock_guard lock(mu_);
  return entries_.size();
}

}  // namespace strake::auth
