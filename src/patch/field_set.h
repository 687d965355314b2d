#pragma once
// Which fields of an object someone owns: the sets behind metadata.managedFields. A set is an
// immutable tree in an arena, as cheap to pass as a span; the operations share what they do not
// change. An element may be a member itself, have members below it, or both: owning a list is not
// owning its items.
//
//   STRAKE_TRY(FieldSet owned, FieldSet::read(*entry.find("fieldsV1"), arena));
//   owned = difference(owned, changed, arena);
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/arena.h"
#include "base/result.h"
#include "patch/path_element.h"
#include "value/value.h"

namespace strake::patch {

// Deeper paths are not tracked: reading them fails, and so does finding them in an object.
inline constexpr std::size_t kMaxFieldDepth = 500;

class FieldSet {
 public:
  struct Entry;

  FieldSet() = default;
  // Entries in the arena, sorted, each a member or not empty below.
  explicit FieldSet(std::span<const Entry> sorted);
  // The set of one path of fields.
  static FieldSet of(std::initializer_list<std::string_view> path, Arena& arena);
  static FieldSet of(const FieldSteps& path, Arena& arena);

  bool empty() const { return size_ == 0; }
  std::span<const Entry> entries() const;
  std::size_t count() const;  // of members, at any depth
  const Entry* find(const PathElement& element) const;
  bool has(const FieldSteps& path) const;
  FieldSet below(const PathElement& element) const;

  // Each member with its path: those of a level first, then what is below them, in order.
  void each(const std::function<void(const FieldSteps&)>& visit) const;

  // The fieldsV1 form. Fails with kParse when it is not one, with kLimit when it is too deep; what
  // a newer server may have meant is left out. Texts of the value are shared.
  static Result<FieldSet> read(const value::Value& fields_v1, Arena& arena);
  // With members sorted by their text, as the API shows them.
  value::Value write(Arena& arena) const;

  friend bool operator==(const FieldSet& a, const FieldSet& b);
  // The very same tree, not only an equal one.
  bool same_tree(const FieldSet& other) const {
    return first_ == other.first_ && size_ == other.size_;
  }

 private:
  const Entry* first_ = nullptr;
  std::uint32_t size_ = 0;
};

struct FieldSet::Entry {
  PathElement element;
  bool member;
  FieldSet below;
};
static_assert(std::is_trivially_copyable_v<FieldSet::Entry>);

inline FieldSet::FieldSet(std::span<const Entry> sorted)
    : first_(sorted.data()), size_(static_cast<std::uint32_t>(sorted.size())) {}
inline std::span<const FieldSet::Entry> FieldSet::entries() const { return {first_, size_}; }

FieldSet unite(const FieldSet& a, const FieldSet& b, Arena& arena);
FieldSet intersection(const FieldSet& a, const FieldSet& b, Arena& arena);
// Without the members of b. What is below a member of b stays.
FieldSet difference(const FieldSet& a, const FieldSet& b, Arena& arena);
// Without the members of b and all that is below them.
FieldSet recursive_difference(const FieldSet& a, const FieldSet& b, Arena& arena);
// The members that have none below them.
FieldSet leaves(const FieldSet& set, Arena& arena);

// Gathers the entries of one level after another on one stack, innermost first, and lays out each
// finished level in the arena. Entries that are neither members nor hold any are left out. Most
// walks need few entries at a time, so the stack begins in the builder itself.
class FieldSetBuilder {
 public:
  explicit FieldSetBuilder(Arena& arena) : arena_(arena) {}
  FieldSetBuilder(const FieldSetBuilder&) = delete;
  FieldSetBuilder& operator=(const FieldSetBuilder&) = delete;

  std::size_t begin() const { return size_; }
  void add(const FieldSet::Entry& entry) {
    if (!entry.member && entry.below.empty()) return;
    if (size_ == capacity_) [[unlikely]]
      grow();
    new (stack_ + size_++) FieldSet::Entry(entry);
  }
  // The level that began there.
  FieldSet finish(std::size_t begun);
  // Gives back `like` when nothing differs from it, so that equal trees stay one.
  FieldSet finish(std::size_t begun, const FieldSet& like);
  // For entries in any order; those of one element become one.
  FieldSet finish_unsorted(std::size_t begun);
  void drop(std::size_t begun) { size_ = begun; }

  Arena& arena() { return arena_; }

 private:
  static constexpr std::size_t kRoom = 24;
  union Room {
    Room() {}  // nothing is there yet
    FieldSet::Entry entries[kRoom];
  };
  void grow();

  Arena& arena_;
  std::size_t size_ = 0;
  std::size_t capacity_ = kRoom;
  std::unique_ptr<std::byte[]> more_;
  Room room_;
  FieldSet::Entry* stack_ = room_.entries;
};

}  // namespace strake::patch
