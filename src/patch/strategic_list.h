#pragma once
// The lists of strategic merge patches: items found by their merge key or value, and put in order.
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/hash.h"
#include "base/result.h"
#include "value/value.h"

namespace strake::patch {

using ValueList = std::vector<value::Value>;

// "map: … does not contain declared merge key: …"
std::unexpected<Error> no_merge_key(const value::Value& item, std::string_view key);
// "expected a …, but received a …"
std::unexpected<Error> bad_type(std::string_view expected, const value::Value& actual);

// What an item is told apart by: its merge key, or itself when there is none.
class ItemIndex {
 public:
  explicit ItemIndex(std::string_view merge_key) : merge_key_(merge_key) {}
  ItemIndex(std::span<const value::Value> items, std::string_view merge_key);

  void add(const value::Value& item);  // at the next place
  // The place of the first item that is told apart by the same.
  std::optional<std::size_t> find(const value::Value& item) const;

 private:
  std::string identity(const value::Value& item) const;

  std::string_view merge_key_;
  std::unordered_map<std::string, std::size_t, TextHash, std::equal_to<>> places_;
  std::size_t count_ = 0;
};

// Whether the items of both lists are objects; fails when they are not all of one type, or are
// lists.
Result<bool> holds_objects(std::span<const value::Value> a, std::span<const value::Value> b);

// Puts merged items in order: those that `wanted` names as it has them, and the others among them
// as `server` has them.
Result<ValueList> put_in_order(std::span<const value::Value> merged,
                               std::span<const value::Value> wanted,
                               std::span<const value::Value> server, std::string_view merge_key);

}  // namespace strake::patch
