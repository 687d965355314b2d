#include "http/input_budget.h"

namespace strake::http {

bool InputBudget::Claim::resize_to(std::size_t bytes) {
  if (pool_ == nullptr || bytes == bytes_) return true;
  if (bytes < bytes_) {
    pool_->held.fetch_sub(bytes_ - bytes, std::memory_order_relaxed);
    bytes_ = bytes;
    return true;
  }
  // Added first and taken back when it does not fit, so that no two claims pass the limit together.
  // For a moment the sum may stand above the limit, and another claim may be refused because of it.
  // Relaxed order is enough: nothing else is published through the counter.
  const std::size_t more = bytes - bytes_;
  if (pool_->held.fetch_add(more, std::memory_order_relaxed) + more > pool_->limit) {
    pool_->held.fetch_sub(more, std::memory_order_relaxed);
    return false;
  }
  bytes_ = bytes;
  return true;
}

void InputBudget::Claim::release() {
  if (bytes_ > 0) pool_->held.fetch_sub(std::exchange(bytes_, 0), std::memory_order_relaxed);
}

}  // namespace strake::http
