#include "http/input_budget.h"

namespace strake::http {

bool InputBudget::Claim::resize_to(std::size_t bytes) {
  if (pool_ == nullptr || bytes == bytes_) return true;
  if (bytes < bytes_) {
    pool_->held.fetch_sub(bytes_ - bytes, std::memory_order_relaxed);
    bytes_ = bytes;
    return true;
  }
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
