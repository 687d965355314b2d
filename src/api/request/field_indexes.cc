#include "api/request/field_indexes.h"

namespace strake::api {

std::shared_ptr<FieldIndex> FieldIndexes::find(const kinds::ServedVersion& version,
                                               std::string_view field) const {
  const std::lock_guard lock(mu_);
  const auto found = indexes_.find(Making::Key(&version, field));
  return found == indexes_.end() || !found->second || !found->second->is_kept() ? nullptr
                                                                                : found->second;
}

std::optional<FieldIndexes::Making> FieldIndexes::begin(const kinds::ServedVersion& version,
                                                        std::string_view field) const {
  Making::Key key(&version, field);
  const std::lock_guard lock(mu_);
  const auto [at, is_first] = indexes_.try_emplace(key);
  if (!is_first) {
    if (!at->second || at->second->is_kept()) return std::nullopt;
    at->second = nullptr;
  }
  return Making(*this, std::move(key));
}

void FieldIndexes::Making::done(std::shared_ptr<FieldIndex> index) {
  const std::lock_guard lock(indexes_->mu_);
  indexes_->indexes_[key_] = std::move(index);
}

FieldIndexes::Making::~Making() {
  if (indexes_ == nullptr) return;
  const std::lock_guard lock(indexes_->mu_);
  const auto at = indexes_->indexes_.find(key_);
  if (at != indexes_->indexes_.end() && !at->second) indexes_->indexes_.erase(at);
}

}  // namespace strake::api
