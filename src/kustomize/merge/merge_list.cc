#include "kustomize/merge/merge_list.h"

#include <algorithm>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "kustomize/tree/node_value.h"

// Lists of objects merged by one or more keys, as in merge2 of kyaml (kustomize 5.5). Containers
// have one key (name); ports of a service have two (port, protocol), of which an item may leave one
// out. So items are not matched with items: the distinct tuples of key values of both lists are
// collected first, tuples that do not contradict each other are united, and each tuple then finds
// its item in either list.
//
// That takes quadratic time. Nearly all lists have one key that every item has; for them PlainList
// does the same by hash in linear time. Both must give the same result, quirks included (items with
// equal keys are all replaced; a blank item is dropped when the list is next written to).

namespace strake::kustomize {
namespace {

bool is_blank_item(const Node& item) {
  return item.is_null() || (item.is_map() && item.count == 0);
}

// Whether the item has the field with that value; any value when none is asked for.
bool has_field(const Node& item, std::string_view key, std::string_view value) {
  if (key.empty()) return item.is_scalar() && item.text == value;
  const Node* field = item.find(key);
  return field != nullptr && (value.empty() || field->text == value);
}

// Keys past the end of the values count as the last one compared did. With no values at all nothing
// matches, and set_item() then drops every item. Both are kyaml's, and results depend on them.
bool matches(const Node& item, const Keys& keys, const KeyValues& values) {
  bool last = false;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (i < values.size()) last = has_field(item, keys[i], values[i]);
    if (!last) return false;
  }
  return true;
}

std::string_view field_value(const Node& item, std::string_view key) {
  const Node* field = item.find(key);
  return field == nullptr || field->is_empty() ? std::string_view() : field->text;
}

// Tuples without repeats, in order.
class TupleList {
 public:
  void add(KeyValues values) {
    std::string key;
    for (const std::string_view value : values) key.append(value).append(1, '\0');
    if (seen_.insert(std::move(key)).second) list_.push_back(std::move(values));
  }
  std::vector<KeyValues> take() { return std::move(list_); }

 private:
  std::vector<KeyValues> list_;
  std::unordered_set<std::string> seen_;
};

void collect(const Node* list, const Keys& keys, TupleList& out) {
  if (list == nullptr) return;
  for (const Node* item : list->elements()) {
    if (keys.empty()) {
      out.add({item->text});
      continue;
    }
    KeyValues values;
    for (const std::string_view key : keys) values.push_back(field_value(*item, key));
    out.add(std::move(values));
  }
}

// Tuples that agree somewhere and contradict nowhere become one.
bool unite(const KeyValues& a, const KeyValues& b, KeyValues& out) {
  bool common = false;
  out.clear();
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] == b[i]) {
      common = true;
    } else if (!a[i].empty() && !b[i].empty()) {
      return false;
    }
    out.push_back(a[i].empty() ? b[i] : a[i]);
  }
  return common;
}

// tuples[i] may change while j runs, but is compared as it was at the start of i. Every pair is
// visited in both orders, as in kyaml: an early union can take part in later ones.
void unite_all(std::vector<KeyValues>& tuples) {
  KeyValues united;
  for (std::size_t i = 0; i < tuples.size(); ++i) {
    const KeyValues fixed = tuples[i];
    for (std::size_t j = 0; j < tuples.size(); ++j) {
      if (!unite(fixed, tuples[j], united)) continue;
      tuples[i] = united;
      tuples[j] = united;
    }
  }
}

// The keys that have a value somewhere; all when none has.
Keys used_keys(const std::vector<KeyValues>& tuples, const Keys& keys) {
  Keys out;
  for (std::size_t k = 0; k < keys.size(); ++k) {
    if (std::ranges::any_of(tuples, [k](const KeyValues& tuple) { return !tuple[k].empty(); }))
      out.push_back(keys[k]);
  }
  return out.empty() ? keys : out;
}

KeyValues values_for(const Keys& used, const Keys& keys, const KeyValues& tuple) {
  KeyValues out;
  for (std::size_t k = 0; k < keys.size(); ++k) {
    if (std::ranges::find(used, keys[k]) != used.end()) out.push_back(tuple[k]);
  }
  return out;
}

// The first item that fits the values that are there; when none is, one whose fields are there and
// empty.
Node* find_item(const Node* list, const Keys& keys, const KeyValues& values) {
  if (list == nullptr) return nullptr;
  const bool all_empty =
      std::ranges::all_of(values, [](std::string_view value) { return value.empty(); });
  for (Node* item : list->elements()) {
    bool fits = true;
    for (std::size_t k = 0; fits && k < keys.size(); ++k) {
      if (keys[k].empty()) {
        fits = item->text == values[k];
      } else if (!item->is_map()) {
        fits = false;
      } else if (!values[k].empty() || all_empty) {
        const Node* field = item->find(keys[k]);
        fits = field != nullptr && field->text == values[k];
      }
    }
    if (fits) return item;
  }
  return nullptr;
}

Result<> append_all(Node& to, const Node& from, const Keys& keys, NodeArena& arena) {
  for (Node* item : from.elements()) {
    if (keys[0].empty()) {
      set_item(to, keys, {item->text}, item, &arena);
      continue;
    }
    KeyValues values;
    for (const std::string_view key : keys) {
      if (!item->is_map() && !item->is_null()) {
        return fail(Code::kInvalid,
                    "wrong node kind: expected MappingNode but got {}: node contents:\n{}",
                    item->is_list() ? "SequenceNode" : "ScalarNode", to_text(*item));
      }
      const Node* field = item->find(key);
      if (field == nullptr) {
        arena.append(to, item);
      } else {
        values.push_back(field->text);
      }
    }
    // With several keys the item moves to the end; with one it replaces the earlier one in its
    // place.
    if (keys.size() > 1) set_item(to, keys, values, nullptr);
    set_item(to, keys, values, item, &arena);
  }
  return {};
}

// What an item is known by in a list of one key; nothing when it has no such text.
std::optional<std::string_view> plain_key(const Node& item, std::string_view key) {
  const Node* field = item.is_map() ? item.find(key) : nullptr;
  if (field == nullptr || !field->is_scalar() || field->is_null() || field->text.empty())
    return std::nullopt;
  return field->text;
}

bool has_plain_keys(const Node* list, const Keys& keys) {
  if (keys.size() != 1 || keys[0].empty()) return false;
  return list == nullptr || std::ranges::all_of(list->elements(), [&](const Node* item) {
           return plain_key(*item, keys[0]).has_value();
         });
}

// A list whose items each have the one key, as nearly all have: found by hash instead of one by
// one, with the same outcome as find_item, set_item and append_all.
class PlainList {
 public:
  PlainList(Node* list, std::string_view key) : list_(list) {
    if (list == nullptr) return;
    for (std::uint32_t i = 0; i < list->count; ++i)
      places_[*plain_key(*list->items[i], key)].push_back(i);
  }
  Node* find(std::string_view value) const {
    const auto found = places_.find(value);
    return found != places_.end() ? list_->items[found->second.front()] : nullptr;
  }
  // All items of that key become this one; a null takes them out, once all is done.
  void change(std::string_view value, Node* item) { changes_[value] = item; }
  void apply_changes() {
    if (changes_.empty()) return;
    std::uint32_t kept = 0;
    for (const auto& [place, item] : changed_places()) list_->items[place] = item;
    for (std::uint32_t i = 0; i < list_->count; ++i) {
      if (list_->items[i] != nullptr) list_->items[kept++] = list_->items[i];
    }
    list_->count = kept;
    changes_.clear();
  }

  // Items take the place of those with their key, or come last.
  static void append_all(Node& to, const Node& from, std::string_view key, NodeArena& arena) {
    PlainList all(&to, key);
    for (Node* item : from.elements()) {
      std::vector<std::uint32_t>& places = all.places_[*plain_key(*item, key)];
      for (const std::uint32_t place : places) to.items[place] = item;
      if (!places.empty()) continue;
      places.push_back(to.count);
      arena.append(to, item);
    }
  }

 private:
  std::vector<std::pair<std::uint32_t, Node*>> changed_places() const {
    std::vector<std::pair<std::uint32_t, Node*>> out;
    for (const auto& [value, item] : changes_) {
      if (const auto found = places_.find(value); found != places_.end()) {
        for (const std::uint32_t place : found->second) out.emplace_back(place, item);
      }
    }
    return out;
  }

  Node* list_;
  std::unordered_map<std::string_view, std::vector<std::uint32_t>> places_;
  std::unordered_map<std::string_view, Node*> changes_;
};

void fill_in_keys(Node& item, const Keys& keys, const KeyValues& values, NodeArena& arena) {
  for (std::size_t k = 0; k < keys.size(); ++k) {
    if (values[k].empty()) continue;
    if (keys[k].empty()) {
      if (item.is_scalar() && !item.tagged) item.tag = Tag::kNone;
    } else if (item.find(keys[k]) == nullptr) {
      arena.append(item, arena.keep(keys[k]), arena.scalar(values[k]));
    }
  }
}

}  // namespace

// Replaces, adds or (with null) removes. Null and empty items are dropped on the way, whatever was
// asked for.
void set_item(Node& list, const Keys& keys, const KeyValues& values, Node* item, NodeArena* arena) {
  const bool for_maps = !keys.empty() && !keys[0].empty() && !values.empty() && !values[0].empty();
  std::uint32_t kept = 0;
  bool found = false;
  for (std::uint32_t i = 0; i < list.count; ++i) {
    Node* one = list.items[i];
    if (is_blank_item(*one)) continue;
    if ((!one->is_map() && for_maps) || !matches(*one, keys, values)) {
      if ((!one->is_map() && for_maps) || !values.empty()) list.items[kept++] = one;
      continue;
    }
    found = true;
    if (item != nullptr) list.items[kept++] = item;
  }
  list.count = kept;
  if (item != nullptr && !item->is_null() && !found && arena != nullptr) arena->append(list, item);
}

Result<Node*> merge_list(Node* base, Node* patch, const SchemaAt& items, const Keys& given_keys,
                         ItemMerger& merger, NodeArena& arena) {
  const Keys keys = given_keys.empty() ? Keys{std::string_view()} : given_keys;
  TupleList collected;
  if (merger.keep_order()) collect(base, given_keys, collected);
  collect(patch, given_keys, collected);
  collect(base, given_keys, collected);
  std::vector<KeyValues> tuples = collected.take();
  if (tuples.empty()) return base;
  if (keys.size() > 1) unite_all(tuples);
  const Keys used = used_keys(tuples, keys);

  Node* added = arena.list();
  added->origin = base->origin;
  added->line = base->line;
  // The base is only marked while tuples are worked off (PlainList::change): later tuples must find
  // the items where they were.
  const bool plain = has_plain_keys(base, keys) && has_plain_keys(patch, keys);
  PlainList plain_base(plain ? base : nullptr, keys[0]);
  const PlainList plain_patch(plain ? patch : nullptr, keys[0]);
  for (const KeyValues& tuple : tuples) {
    const KeyValues values = values_for(used, keys, tuple);
    if (plain) {
      Node* ours = plain_base.find(values[0]);
      STRAKE_TRY(Node * merged, merger.merge_items(ours, plain_patch.find(values[0]), items));
      if (merged == nullptr || is_blank_item(*merged)) {
        plain_base.change(values[0], nullptr);
        continue;
      }
      fill_in_keys(*merged, used, values, arena);
      if (merger.replace_items() && ours != nullptr && merged != ours)
        plain_base.change(values[0], merged);
      arena.append(*added, merged);
      continue;
    }
    Node* ours = find_item(base, used, values);
    Node* theirs = find_item(patch, used, values);
    STRAKE_TRY(Node * merged, merger.merge_items(ours, theirs, items));
    if (merged == nullptr || is_blank_item(*merged)) {
      set_item(*base, used, values, nullptr);
      continue;
    }
    fill_in_keys(*merged, used, values, arena);
    if (merger.replace_items() && ours != nullptr && merged != ours)
      set_item(*base, used, values, merged, &arena);
    set_item(*added, used, values, merged, &arena);
  }
  plain_base.apply_changes();
  // kustomize puts the items of the patch first, then those of the base. keep_order turns that
  // around; it is an extension of Strake.
  Node& to = merger.keep_order() ? *base : *added;
  const Node& from = merger.keep_order() ? *added : *base;
  if (has_plain_keys(&to, used) && has_plain_keys(&from, used)) {
    PlainList::append_all(to, from, used[0], arena);
  } else {
    STRAKE_CHECK(append_all(to, from, used, arena));
  }
  return &to;
}

}  // namespace strake::kustomize
