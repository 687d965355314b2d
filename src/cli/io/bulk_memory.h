#pragma once
// Memory for a run that goes through thousands of files: taken from the system in pages of 2 MiB,
// and handed out by each thread for itself. A run over a thousand manifests allocates 340,000 times
// and touches 45 MB; malloc and page faults of 4 KiB were a fifth of its time. The program's
// operator new (program_memory.cc) asks here first, and nobody else does.
//
// What is given back waits for the next taker and never returns to the system, so this is for runs
// that end. Any thread may take, and any other give back.
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>

namespace strake::cli {

class BulkMemory {
 public:
  static constexpr std::size_t kUnit = std::size_t{16} << 10;
  static constexpr std::size_t kLargest = std::size_t{4} << 20;
  static constexpr std::size_t kRoom = std::size_t{1} << 30;  // of addresses; memory as it is used

  constexpr BulkMemory() = default;
  BulkMemory(const BulkMemory&) = delete;
  BulkMemory& operator=(const BulkMemory&) = delete;

  // Memory is handed out from now on, unless the system has no room for it.
  void start();

  // Aligned to 16 bytes. Null when it has to come from elsewhere: before the start, above kLargest,
  // and when the room is used up.
  void* take(std::size_t bytes) {
    if (first_.load(std::memory_order_relaxed) == 0) [[likely]]
      return nullptr;
    return take_started(bytes);
  }
  bool owns(const void* block) const {
    const std::uintptr_t first = first_.load(std::memory_order_relaxed);
    return first != 0 && reinterpret_cast<std::uintptr_t>(block) - first < kRoom;
  }
  // Of a block that is owned.
  void give_back(void* block);

 private:
  struct Free {
    Free* next;
  };
  // Blocks up to 1 KiB come in steps of 16 bytes, larger ones up to half a unit in a few sizes; a
  // unit is cut into blocks of one size. From there on sizes are counted in units: 1, 2, 3, 4, then
  // four steps to each double.
  static constexpr std::size_t kFineSizes = 64;
  static constexpr std::size_t kSmallSizes = kFineSizes + 6;
  static constexpr std::size_t kLargeSizes = 4 + 4 * 6;

  // The small blocks that one thread has at hand.
  struct Shelf {
    struct Blocks {
      Free* free = nullptr;
      char* at = nullptr;  // the rest of a unit that was begun
      char* end = nullptr;
    };
    std::array<Blocks, kSmallSizes> blocks;
    Shelf* next = nullptr;
  };
  // Leaves a thread's shelf to the next one.
  struct Leaving {
    ~Leaving();
  };

  static std::size_t small_size_for(std::size_t bytes);
  void* take_started(std::size_t bytes);
  void* take_small(std::size_t size);
  void* take_units(std::size_t bytes);
  void* begin_block(std::size_t units, std::size_t size);
  Shelf* shelf();
  Shelf* find_shelf();

  static constinit thread_local Shelf* shelf_;

  std::atomic<std::uintptr_t> first_ = 0;  // where the room begins
  std::mutex mutex_;
  std::size_t used_ = 0;                      // guarded by mutex_: units, from the first
  std::array<Free*, kLargeSizes> free_ = {};  // guarded by mutex_
  Shelf* idle_ = nullptr;                     // guarded by mutex_
  // The size of the blocks that begin in a unit. Written before a block of it is handed out.
  std::array<std::uint8_t, kRoom / kUnit> size_ = {};
};

// The program's.
extern BulkMemory bulk_memory;

}  // namespace strake::cli
