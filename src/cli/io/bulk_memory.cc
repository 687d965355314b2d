#include "cli/io/bulk_memory.h"

#include <sys/mman.h>
#include <sys/resource.h>

#include <algorithm>
#include <bit>
#include <new>

namespace strake::cli {
namespace {

constexpr std::size_t kPage = std::size_t{2} << 20;
constexpr std::size_t kUnit = BulkMemory::kUnit;
constexpr std::size_t kFine = 16;
constexpr std::size_t kLargestFine = 1024;
// As many to a unit as fit: ten, eight, five, four, three, two.
constexpr std::array<std::size_t, 6> kCoarse = {1632, 2048, 3264, 4096, 5456, 8192};

constexpr std::size_t large_size_for(std::size_t units) {
  if (units <= 4) return units - 1;
  const auto doubles = static_cast<std::size_t>(std::bit_width(units - 1)) - 3;
  return 4 * doubles + ((units - 1) >> doubles);
}
constexpr std::size_t units_of(std::size_t large_size) {
  if (large_size < 4) return large_size + 1;
  const std::size_t doubles = large_size / 4 - 1;
  return (large_size % 4 + 5) << doubles;
}

// Each number of units has the smallest size that holds it.
constexpr bool sizes_agree() {
  for (std::size_t units = 1; units <= BulkMemory::kLargest / kUnit; ++units) {
    const std::size_t size = large_size_for(units);
    if (units_of(size) < units || (size > 0 && units_of(size - 1) >= units)) return false;
  }
  return true;
}
static_assert(sizes_agree());

}  // namespace

constinit BulkMemory bulk_memory;
constinit thread_local BulkMemory::Shelf* BulkMemory::shelf_ = nullptr;

void BulkMemory::start() {
  const std::lock_guard lock(mutex_);
  if (first_.load(std::memory_order_relaxed) != 0) return;
  // The room is addresses, most of which are never used: it comes on top of a limit on memory.
  rlimit limit{};
  const bool limited = ::getrlimit(RLIMIT_DATA, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
  if (limited) {
    limit.rlim_cur = std::min(limit.rlim_max, limit.rlim_cur + kRoom + kPage);
    static_cast<void>(::setrlimit(RLIMIT_DATA, &limit));
  }
  void* room = ::mmap(nullptr, kRoom + kPage, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (room == MAP_FAILED) return;
  const std::uintptr_t first = (reinterpret_cast<std::uintptr_t>(room) + kPage - 1) & ~(kPage - 1);
  // Refused where there are no large pages; small ones serve as well.
  static_cast<void>(::madvise(reinterpret_cast<void*>(first), kRoom, MADV_HUGEPAGE));
  first_.store(first, std::memory_order_release);
}

std::size_t BulkMemory::small_size_for(std::size_t bytes) {
  if (bytes <= kLargestFine) return (std::max<std::size_t>(bytes, 1) - 1) / kFine;
  std::size_t coarse = 0;
  while (kCoarse[coarse] < bytes) ++coarse;
  return kFineSizes + coarse;
}

void* BulkMemory::take_started(std::size_t bytes) {
  return bytes <= kCoarse.back() ? take_small(small_size_for(bytes)) : take_units(bytes);
}

void* BulkMemory::take_small(std::size_t size) {
  Shelf* const own = shelf();
  if (own == nullptr) return nullptr;
  Shelf::Blocks& blocks = own->blocks[size];
  if (Free* block = blocks.free) {
    blocks.free = block->next;
    return block;
  }
  const std::size_t bytes = size < kFineSizes ? (size + 1) * kFine : kCoarse[size - kFineSizes];
  if (static_cast<std::size_t>(blocks.end - blocks.at) < bytes) {
    const std::lock_guard lock(mutex_);
    blocks.at = static_cast<char*>(begin_block(1, size));
    if (blocks.at == nullptr) return blocks.end = nullptr;
    blocks.end = blocks.at + kUnit;
  }
  void* block = blocks.at;
  blocks.at += bytes;
  return block;
}

void* BulkMemory::take_units(std::size_t bytes) {
  if (bytes > kLargest) return nullptr;
  const std::size_t wanted = large_size_for((bytes + kUnit - 1) / kUnit);
  const std::lock_guard lock(mutex_);
  // A block of nearly twice the size is still better than memory that nobody has touched yet.
  for (std::size_t size = wanted; size < std::min(wanted + 4, kLargeSizes); ++size) {
    if (Free* block = free_[size]) {
      free_[size] = block->next;
      return block;
    }
  }
  return begin_block(units_of(wanted), kSmallSizes + wanted);
}

// With the mutex held.
void* BulkMemory::begin_block(std::size_t units, std::size_t size) {
  if (used_ + units > kRoom / kUnit) return nullptr;
  size_[used_] = static_cast<std::uint8_t>(size);
  void* block = reinterpret_cast<void*>(first_.load(std::memory_order_relaxed) + used_ * kUnit);
  used_ += units;
  return block;
}

void BulkMemory::give_back(void* block) {
  const std::uintptr_t first = first_.load(std::memory_order_relaxed);
  const std::size_t size = size_[(reinterpret_cast<std::uintptr_t>(block) - first) / kUnit];
  if (size >= kSmallSizes) {
    const std::lock_guard lock(mutex_);
    Free*& free = free_[size - kSmallSizes];
    free = new (block) Free{free};
  } else if (Shelf* const own = shelf()) {
    Free*& free = own->blocks[size].free;
    free = new (block) Free{free};
  }
}

BulkMemory::Shelf* BulkMemory::shelf() { return shelf_ != nullptr ? shelf_ : find_shelf(); }

BulkMemory::Shelf* BulkMemory::find_shelf() {
  thread_local Leaving leaving;
  static_cast<void>(leaving);
  const std::lock_guard lock(mutex_);
  if (idle_ != nullptr) {
    shelf_ = idle_;
    idle_ = shelf_->next;
  } else if (void* unit = begin_block(1, kSmallSizes)) {
    shelf_ = new (unit) Shelf;
  }
  return shelf_;
}

BulkMemory::Leaving::~Leaving() {
  if (shelf_ == nullptr) return;
  const std::lock_guard lock(bulk_memory.mutex_);
  shelf_->next = bulk_memory.idle_;
  bulk_memory.idle_ = shelf_;
  shelf_ = nullptr;
}

}  // namespace strake::cli
