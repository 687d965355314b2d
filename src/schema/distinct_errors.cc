#include "schema/distinct_errors.h"

#include <algorithm>

#include "base/hash.h"

namespace strake::schema {
namespace {

using value::FieldError;

constexpr std::size_t kFew = 8;

thread_local std::uint64_t rendered_count = 0;

std::string render(const FieldError& error) {
  ++rendered_count;
  return error.to_string();
}

std::uint64_t hash_of(const FieldError& error) {
  return hash_combine(hash64(render(error)), static_cast<std::uint64_t>(error.type));
}

}  // namespace

std::uint64_t DistinctErrors::rendered() { return rendered_count; }

void DistinctErrors::clear() {
  errors_.clear();
  hashes_.clear();
  by_hash_.reset();
}

bool DistinctErrors::knows(const FieldError& error, std::uint64_t hash) const {
  const FieldError* known = nullptr;
  if (by_hash_ != nullptr) {
    if (const auto found = by_hash_->find(hash); found != by_hash_->end())
      known = &errors_[found->second];
  } else if (const auto found = std::ranges::find(hashes_, hash); found != hashes_.end()) {
    known = &errors_[static_cast<std::size_t>(found - hashes_.begin())];
  }
  // Equal hashes are equal messages but for chance, which the messages themselves rule out.
  return known != nullptr && known->type == error.type && render(*known) == render(error);
}

void DistinctErrors::add(FieldError error, std::uint64_t hash) {
  if (knows(error, hash)) return;
  const std::size_t kept = errors_.size();
  errors_.push_back(std::move(error));
  if (errors_.size() == kept) return;  // past the limit: counted
  if (by_hash_ != nullptr) by_hash_->try_emplace(hash, kept);
  hashes_.push_back(hash);
  if (by_hash_ != nullptr || errors_.size() <= kFew) return;
  by_hash_ = std::make_unique<std::unordered_map<std::uint64_t, std::size_t>>();
  for (std::size_t i = 0; i < hashes_.size(); ++i) by_hash_->try_emplace(hashes_[i], i);
}

void DistinctErrors::add(FieldError error) {
  const std::uint64_t hash = hash_of(error);
  add(std::move(error), hash);
}

void DistinctErrors::add_all(value::FieldErrors&& errors) {
  for (FieldError& error : errors) add(std::move(error));
  errors_.omit(errors.omitted());
}

void DistinctErrors::merge(DistinctErrors&& others) {
  if (errors_.empty()) {
    *this = std::move(others);
    return;
  }
  for (std::size_t i = 0; i < others.errors_.size(); ++i)
    add(std::move(others.errors_[i]), others.hashes_[i]);
  errors_.omit(others.errors_.omitted());
  others.clear();
}

}  // namespace strake::schema
