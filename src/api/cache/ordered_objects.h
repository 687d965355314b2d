#pragma once
// Objects by key, in blocks that readers may hold on to: what was taken stays as it was, and a
// write copies a block only while somebody holds it. To find a place, and to count what lies
// between two of them, costs a search among the blocks, never a walk over objects. Reading needs
// the owner's lock shared, writing exclusive; what was taken needs none.
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "api/cache/object.h"

namespace strake::api {

class OrderedObjects {
 private:
  struct Block {
    std::vector<ObjectPtr> objects;  // by key
    // Readers that hold it. Counted apart from the owners of the pointer, so that a writer who
    // finds none knows that they are done reading.
    std::atomic<std::uint32_t> held{0};
  };

  class Hold {
   public:
    Hold(std::shared_ptr<Block> block, std::uint32_t begin, std::uint32_t end)
        : block_(std::move(block)), begin_(begin), end_(end) {
      block_->held.fetch_add(1, std::memory_order_relaxed);
    }
    Hold(Hold&& other) noexcept = default;
    Hold& operator=(Hold&&) = delete;
    Hold(const Hold&) = delete;
    Hold& operator=(const Hold&) = delete;
    ~Hold() {
      if (block_) block_->held.fetch_sub(1, std::memory_order_release);
    }
    const ObjectPtr* begin() const { return block_->objects.data() + begin_; }
    const ObjectPtr* end() const { return block_->objects.data() + end_; }

   private:
    std::shared_ptr<Block> block_;
    std::uint32_t begin_;
    std::uint32_t end_;
  };

 public:
  // `common` is how much all keys begin with alike.
  explicit OrderedObjects(std::size_t common) : common_(common) {}

  void put(ObjectPtr object);  // in place of what has its key
  void erase(std::string_view key);
  std::size_t size() const { return size_; }

  // Some objects of a range, in order, as they were.
  class Taken {
   public:
    std::size_t size() const { return size_; }
    std::size_t behind() const { return behind_; }  // how many more the range had
    // Goes on until visit(const ObjectPtr&) returns false.
    template <typename Visit>
    void for_each(Visit&& visit) const {
      for (const Hold& part : parts_) {
        for (const ObjectPtr& object : part) {
          if (!visit(object)) return;
        }
      }
    }
    // Those from `first` on, `count` of them at most.
    std::vector<ObjectPtr> slice(std::size_t first, std::size_t count) const;

   private:
    friend OrderedObjects;
    std::vector<Hold> parts_;
    std::size_t size_ = 0;
    std::size_t behind_ = 0;
  };
  // The first `limit` of those whose key starts with `prefix`, which ends in a slash, and is not
  // less than `start`.
  Taken take(std::string_view prefix, std::string_view start, std::size_t limit) const;

  // The first whose key is not less; null when there is none.
  const ObjectPtr* at_or_after(std::string_view key) const;

 private:
  struct Slot {
    std::shared_ptr<Block> block;
    std::string_view first;  // its smallest key
    std::uint32_t count = 0;
  };
  struct Place {
    std::size_t slot = 0;
    std::size_t index = 0;
  };
  int compare(std::string_view a, std::string_view b) const;
  std::size_t slot_of(std::string_view key) const;  // the last that begins at or before it, else 0
  Place lower_bound(std::string_view key) const;
  std::size_t between(Place from, Place to) const;
  std::vector<ObjectPtr>& writable(Slot& slot);
  void settle(std::size_t slot);  // after its objects changed
  void split(std::size_t slot);

  std::size_t common_;
  std::size_t size_ = 0;
  std::vector<Slot> slots_;  // by key; none is empty
};

}  // namespace strake::api
