#pragma once
// Which part of the stored object a part of the new one stands for, and whether it is unchanged.
#include <optional>
#include <string_view>
#include <unordered_map>

#include "schema/node.h"
#include "value/value.h"

namespace strake::rules {

// The items of a stored list by their keys, for lists of list-type map; others have none.
class OldItems {
 public:
  OldItems(const schema::Node& list, const value::Value* old);
  // The first stored item with the keys of this one, or null.
  const value::Value* find(const value::Value& item) const;

 private:
  const schema::Node& list_;
  std::unordered_multimap<std::uint64_t, const value::Value*> items_;
};

// A part of the new object beside the same part of the stored one. Lives on the stack of a walk.
class Correlation {
 public:
  Correlation(const value::Value& now, const value::Value& old, const schema::Node& node)
      : now_(now), old_(old), node_(node) {}

  // Both sides of a member; nothing when either lacks it or the schema does not know it.
  std::optional<Correlation> member(std::string_view name) const;
  // Both sides of an item, `old` having been found by its keys.
  std::optional<Correlation> item(const value::Value& now, const value::Value* old) const;

  // Deep equality, as ratcheting sees it: items of a keyed list in any order, and members that the
  // schema does not know count as changed.
  bool unchanged() const;

 private:
  const value::Value& now_;
  const value::Value& old_;
  const schema::Node& node_;
  mutable std::optional<bool> unchanged_;
};

// Whose being unchanged forgives a failure.
struct Ratchet {
  const Correlation* current = nullptr;  // null where nothing stored corresponds
  const Correlation* nearest =
      nullptr;  // the closest part above that something stored corresponds to

  bool forgives() const {
    const Correlation* decisive = current != nullptr ? current : nearest;
    return decisive != nullptr && decisive->unchanged();
  }
};

}  // namespace strake::rules
