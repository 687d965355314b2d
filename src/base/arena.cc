#include "base/arena.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <new>
#include <utility>

namespace strake {
namespace {
constexpr std::size_t kLargestBlock = std::size_t{1} << 20;
std::atomic<std::size_t> most_bytes = SIZE_MAX;
}  // namespace

void Arena::limit_each(std::size_t bytes) { most_bytes.store(bytes, std::memory_order_relaxed); }

Arena& Arena::operator=(Arena&& other) noexcept {
  if (this == &other) return *this;
  release();
  newest_ = std::exchange(other.newest_, nullptr);
  at_ = std::exchange(other.at_, nullptr);
  end_ = std::exchange(other.end_, nullptr);
  next_size_ = other.next_size_;
  reserved_ = std::exchange(other.reserved_, 0);
  return *this;
}

void* Arena::allocate_slow(std::size_t bytes) {
  grow(bytes);
  void* out = at_;
  at_ += bytes;
  return out;
}

void Arena::grow(std::size_t at_least) {
  const std::size_t size = std::max(next_size_, at_least + sizeof(Block) + 16);
  const std::size_t most = most_bytes.load(std::memory_order_relaxed);
  if (size > most - std::min(reserved_, most)) throw ArenaFull();
  void* memory = ::operator new(size);
  newest_ = new (memory) Block{newest_, size};
  at_ = static_cast<char*>(memory) + sizeof(Block);
  end_ = static_cast<char*>(memory) + (size & ~std::size_t{15});
  reserved_ += size;
  next_size_ = std::min(kLargestBlock, std::max(next_size_, size) * 2);
}

void Arena::reset() {
  if (newest_ == nullptr) return;
  while (newest_->previous != nullptr) {
    Block* older = newest_->previous;
    newest_->previous = older->previous;
    reserved_ -= older->size;
    ::operator delete(older);
  }
  at_ = reinterpret_cast<char*>(newest_) + sizeof(Block);
  end_ = reinterpret_cast<char*>(newest_) + (newest_->size & ~std::size_t{15});
}

void Arena::release() {
  while (newest_ != nullptr) {
    Block* older = newest_->previous;
    ::operator delete(newest_);
    newest_ = older;
  }
  at_ = end_ = nullptr;
  reserved_ = 0;
}

}  // namespace strake
