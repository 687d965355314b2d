#include "kustomize/merge_list.h"

#include <algorithm>
#include <string>
#include <unordered_set>

#include "base/hash.h"
#include "kustomize/node_value.h"

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
    if (keys.size() > 1) set_item(to, keys, values, nullptr);
    set_item(to, keys, values, item, &arena);
  }
  return {};
}

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
  for (const KeyValues& tuple : tuples) {
    const KeyValues values = values_for(used, keys, tuple);
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
  if (merger.keep_order()) {
    STRAKE_CHECK(append_all(*base, *added, used, arena));
    return base;
  }
  STRAKE_CHECK(append_all(*added, *base, used, arena));
  return added;
}

}  // namespace strake::kustomize
