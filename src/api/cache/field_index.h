#pragma once
// The objects of a resource by the text of one of their fields, for selectors that ask for one
// value of it. ResourceCache::add_index() fills it and keeps it current; what is not const needs
// the lock of that cache, held by the writer alone.
#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "api/cache/object.h"
#include "api/cache/ordered_objects.h"

namespace strake::api {

class FieldIndex {
 public:
  // Always the same for the same object. Nothing when it cannot be told without waiting.
  using TextOf = std::function<std::optional<std::string>(const Object&)>;
  // `common` is how much all keys begin with alike.
  FieldIndex(TextOf text_of, std::size_t common)
      : text_of_(std::move(text_of)), common_(common), untold_(common) {}

  // An object with its text, which takes a while to find; none for null.
  struct Entry {
    ObjectPtr object;
    std::optional<std::string> text;
  };
  Entry entry_of(ObjectPtr object) const;

  // The object that had the key, and what has it now; either may be none.
  void replace(const Entry& before, Entry after);
  void clear();

  // Those with the text; nothing when there are objects whose text is not known.
  std::optional<OrderedObjects::Taken> take(std::string_view text, std::string_view key_prefix,
                                            std::string_view start) const;

  // Changes since somebody last asked: an index that nobody needs any more is not worth its keep.
  std::uint32_t count_change() { return unused_.fetch_add(1, std::memory_order_relaxed) + 1; }
  void note_use() { unused_.store(0, std::memory_order_relaxed); }
  // Whether the cache keeps it.
  bool is_kept() const { return kept_.load(std::memory_order_acquire); }
  void keep(bool kept) { kept_.store(kept, std::memory_order_release); }

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>()(text);
    }
  };

  const TextOf text_of_;
  const std::size_t common_;
  std::unordered_map<std::string, OrderedObjects, Hash, std::equal_to<>> by_text_;
  OrderedObjects untold_;
  std::atomic<std::uint32_t> unused_{0};
  std::atomic<bool> kept_{false};
};

}  // namespace strake::api
