#pragma once
// Memory that is handed out piece by piece and freed all at once. Nothing in it has a destructor
// run. One thread at a time. Blocks grow, so a small document costs one allocation and a large one
// few. A process that serves others limits what one arena may take: see docs/adr/0003.
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <string_view>
#include <type_traits>

namespace strake {

// Thrown when an arena would pass its limit: the one exception of ours. Whoever works for a client
// or on one object of many catches it there, and only that work fails.
class ArenaFull final : public std::bad_alloc {
 public:
  const char* what() const noexcept override {
    return "the memory limit of one document is reached";
  }
};

class Arena {
 public:
  // How much every arena of the process may take from now on. Any thread.
  static void limit_each(std::size_t bytes);

  explicit Arena(std::size_t first_block = 1024)
      : next_size_(first_block < 64 ? 64 : first_block) {}
  ~Arena() { release(); }
  Arena(Arena&& other) noexcept { *this = static_cast<Arena&&>(other); }
  Arena& operator=(Arena&& other) noexcept;
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  // Aligned to 16 bytes.
  void* allocate(std::size_t bytes) {
    bytes = (bytes + 15) & ~std::size_t{15};
    if (bytes > static_cast<std::size_t>(end_ - at_)) [[unlikely]]
      return allocate_slow(bytes);
    void* out = at_;
    at_ += bytes;
    return out;
  }

  template <typename T>
  T* allocate_array(std::size_t count) {
    static_assert(std::is_trivially_destructible_v<T> && alignof(T) <= 16);
    return static_cast<T*>(allocate(count * sizeof(T)));
  }

  // Bytes need no alignment, so text is packed tightly from the other end of the block.
  char* allocate_text(std::size_t bytes) {
    if (bytes > static_cast<std::size_t>(end_ - at_)) [[unlikely]]
      grow(bytes);
    end_ -= bytes;
    return end_;
  }

  std::string_view copy(std::string_view text) {
    if (text.empty()) return {};
    char* out = allocate_text(text.size());
    std::memcpy(out, text.data(), text.size());
    return {out, text.size()};
  }

  // Forgets everything but keeps the newest block for what comes next.
  void reset();

  std::size_t bytes_reserved() const { return reserved_; }

 private:
  struct Block {
    Block* previous;
    std::size_t size;  // with this header
  };
  void* allocate_slow(std::size_t bytes);
  void grow(std::size_t at_least);
  void release();

  Block* newest_ = nullptr;
  char* at_ = nullptr;   // next aligned piece goes here, upwards
  char* end_ = nullptr;  // text goes below here, downwards
  std::size_t next_size_ = 1024;
  std::size_t reserved_ = 0;
};

}  // namespace strake
