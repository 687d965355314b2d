#include "rules/correlation.h"

#include <algorithm>

// Which part of the stored object a part of the new one corresponds to: members by name, items of
// list-type map by their keys, other items not at all. "Unchanged" follows the same correspondence,
// so reordering a keyed list is no change. It is computed once per place and only when a rule
// fails.

namespace strake::rules {
namespace {

using schema::Node;
using value::Value;

bool is_key_value(const Value& v) { return v.is_bool() || v.is_number() || v.is_string(); }

// Nothing when a key is missing or no scalar.
std::optional<std::uint64_t> key_hash(const Value& item, const Node& list) {
  if (!item.is_object()) return std::nullopt;
  std::uint64_t hash = 0;
  for (const std::string& key : list.map_keys) {
    const Value* v = item.find(key);
    if (v == nullptr || !is_key_value(*v)) return std::nullopt;
    hash = hash * 1099511628211u + value::hash(*v);
  }
  return hash;
}

bool same_keys(const Value& a, const Value& b, const Node& list) {
  return std::ranges::all_of(list.map_keys, [&](const std::string& key) {
    return value::identical(a.get(key), b.get(key));
  });
}

bool unchanged_value(const Value& now, const Value& old, const Node& node);

bool unchanged_list(const Value& now, const Value& old, const Node& node) {
  if (now.size() != old.size()) return false;
  if (node.list_type != schema::ListType::kMap || node.map_keys.empty() || node.items == nullptr) {
    return value::identical(now, old);
  }
  const OldItems old_items(node, &old);
  return std::ranges::all_of(now.items(), [&](const Value& item) {
    const Value* same = old_items.find(item);
    return same != nullptr && unchanged_value(item, *same, *node.items);
  });
}

bool unchanged_object(const Value& now, const Value& old, const Node& node) {
  if (now.size() != old.size()) return false;
  return std::ranges::all_of(now.members(), [&](const value::Member& m) {
    const Value* before = old.find(m.key);
    const Node* declared = node.member(m.key);
    return before != nullptr && declared != nullptr && unchanged_value(m.value, *before, *declared);
  });
}

bool unchanged_value(const Value& now, const Value& old, const Node& node) {
  if (now.is_array() && old.is_array()) return unchanged_list(now, old, node);
  if (now.is_object() && old.is_object()) return unchanged_object(now, old, node);
  return value::identical(now, old);
}

}  // namespace

OldItems::OldItems(const Node& list, const Value* old) : list_(list) {
  if (list.list_type != schema::ListType::kMap || list.map_keys.empty()) return;
  if (old == nullptr || !old->is_array()) return;
  for (const Value& item : old->items()) {
    const auto hash = key_hash(item, list);
    if (!hash) continue;
    const auto [first, last] = items_.equal_range(*hash);
    const bool repeated = std::any_of(
        first, last, [&](const auto& known) { return same_keys(*known.second, item, list_); });
    // Of old items with equal keys the first counts.
    if (!repeated) items_.emplace(*hash, &item);
  }
}

const Value* OldItems::find(const Value& item) const {
  if (items_.empty()) return nullptr;
  const auto hash = key_hash(item, list_);
  if (!hash) return nullptr;
  const auto [first, last] = items_.equal_range(*hash);
  const auto found = std::find_if(
      first, last, [&](const auto& known) { return same_keys(*known.second, item, list_); });
  return found == last ? nullptr : found->second;
}

std::optional<Correlation> Correlation::member(std::string_view name) const {
  const Value* now = now_.find(name);
  const Value* old = old_.find(name);
  const Node* declared = node_.member(name);
  if (now == nullptr || old == nullptr || declared == nullptr) return std::nullopt;
  return Correlation(*now, *old, *declared);
}

std::optional<Correlation> Correlation::item(const Value& now, const Value* old) const {
  if (old == nullptr || node_.items == nullptr) return std::nullopt;
  return Correlation(now, *old, *node_.items);
}

bool Correlation::unchanged() const {
  if (!unchanged_) unchanged_ = unchanged_value(now_, old_, node_);
  return *unchanged_;
}

}  // namespace strake::rules
