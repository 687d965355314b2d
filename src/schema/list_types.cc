#include <algorithm>
#include <unordered_map>

#include "base/hash.h"
#include "schema/list_key.h"
#include "schema/path_trail.h"
#include "schema/property_cursor.h"
#include "schema/validate.h"
#include "value/json_writer.h"

// Uniqueness in lists of type set and map. Identity is an element's type and JSON text, or that of
// its key fields: linear in the size of the list. Short lists are first compared pairwise without
// building texts, which settles nearly all of them.

namespace strake::schema {
namespace {

using value::FieldError;
using value::FieldErrors;
using value::Member;
using value::Value;

bool same_key(const Value* a, const Value* b) {
  if (a == nullptr || b == nullptr) return a == b;
  return value::identical(*a, *b);
}

enum class Likeness : std::uint8_t { kSame, kDifferent, kUnclear };

// Texts, integers and booleans are what they look like; the rest is left to element_identity.
Likeness compare_plainly(const Value& a, const Value& b) {
  const auto is_plain = [](const Value& v) {
    return v.is_string() || v.type() == value::Type::kInt || v.is_bool();
  };
  if (!is_plain(a) || !is_plain(b)) return Likeness::kUnclear;
  if (a.type() != b.type()) return Likeness::kDifferent;
  const bool same = a.is_string() ? a.as_string() == b.as_string() : a.as_int() == b.as_int();
  return same ? Likeness::kSame : Likeness::kDifferent;
}

Likeness compare_by_keys(const Value& a, const Value& b, const std::vector<std::string>& keys) {
  for (const std::string& key : keys) {
    const Value* in_a = a.find(key);
    const Value* in_b = b.find(key);
    // Two elements that both lack a key agree on it.
    if (in_a == nullptr && in_b == nullptr) continue;
    if (in_a == nullptr || in_b == nullptr) return Likeness::kDifferent;
    const Likeness field = compare_plainly(*in_a, *in_b);
    if (field != Likeness::kSame) return field;
  }
  return Likeness::kSame;
}

// Whether each element of a short list is seen at once to differ from every other. Most lists are
// short, and comparing is cheaper than writing their elements down.
template <typename Compare>
bool surely_differ(const Value& list, const Compare& compare) {
  constexpr std::size_t kShort = 12;
  const std::span<const Value> items = list.items();
  if (items.size() > kShort) return false;
  for (std::size_t i = 1; i < items.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (compare(items[i], items[j]) != Likeness::kDifferent) return false;
    }
  }
  return true;
}

class ListChecker {
 public:
  void walk(const Value& v, const Node& schema, const PathTrail& at) {
    if (!schema.has_lists_below) return;
    if (v.is_array()) {
      if (schema.list_type == ListType::kSet) check_set(v, at);
      if (schema.list_type == ListType::kMap) check_map(v, schema, at);
      if (!schema.items) return;
      for (std::size_t i = 0; i < v.size(); ++i)
        walk(v.items()[i], *schema.items, PathTrail::index(at, i));
    } else if (v.is_object()) {
      if (schema.additional_schema) {
        for (const Member& m : v.members())
          walk(m.value, *schema.additional_schema, PathTrail::key(at, m.key));
      }
      PropertyCursor properties(schema);
      for (const Member& m : v.members()) {
        if (const Node* property = properties.find(m.key))
          walk(m.value, *property, PathTrail::field(at, m.key));
      }
    }
  }

  FieldErrors errors;

 private:
  // Each repeated value is reported once, at its second place.
  void check_set(const Value& list, const PathTrail& at) {
    if (surely_differ(list, compare_plainly)) return;
    std::unordered_map<std::string, Seen> seen;
    for (std::size_t i = 0; i < list.size(); ++i) {
      const Value& item = list.items()[i];
      Seen& before = seen.try_emplace(element_identity(item), Seen{.first = i}).first->second;
      if (++before.count == 2) add_duplicate(item, PathTrail::index(at, i), before.first);
    }
  }

  void check_map(const Value& list, const Node& schema, const PathTrail& at) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      const Value& item = list.items()[i];
      if (item.is_object() || item.is_null()) continue;
      errors.push_back(FieldError::invalid(PathTrail::index(at, i).path(), item,
                                           "must be an object for an array of list-type map"));
      return;
    }
    if (surely_differ(list, [&](const Value& a, const Value& b) {
          return compare_by_keys(a, b, schema.map_keys);
        }))
      return;
    std::unordered_map<std::string, Seen> seen;
    for (std::size_t i = 0; i < list.size(); ++i) {
      const Value& item = list.items()[i];
      Seen& before =
          seen.try_emplace(element_identity(item, schema.map_keys), Seen{.first = i}).first->second;
      if (++before.count != 2) continue;
      Arena arena;
      add_duplicate(key_fields(item, schema.map_keys, arena), PathTrail::index(at, i),
                    before.first);
    }
  }

  void add_duplicate(const Value& shown, const PathTrail& at, std::size_t first) {
    FieldError error = FieldError::duplicate(at.path(), shown);
    error.first = first;
    errors.push_back(std::move(error));
  }

  struct Seen {
    std::size_t first;
    int count = 0;
  };
};

}  // namespace

std::string element_identity(const Value& item) {
  std::string out;
  if (!item.is_array() && !item.is_object())
    out += static_cast<char>('a' + static_cast<int>(item.type()));
  value::write_json(item, out);
  return out;
}

std::string element_identity(const Value& item, const std::vector<std::string>& keys) {
  std::string out;
  for (const std::string& key : keys) {
    const Value* field = item.find(key);
    // A missing key differs from a null one, and the line break, which JSON text never contains
    // unescaped, keeps adjacent fields apart.
    out += field != nullptr ? element_identity(*field) : std::string("-");
    out += '\n';
  }
  return out;
}

Value key_fields(const Value& item, const std::vector<std::string>& keys, Arena& arena) {
  Value out = Value::object({});
  for (const std::string& key : keys) {
    if (const Value* field = item.find(key)) out.set(key, *field, arena);
  }
  return out;
}

ItemsByKey::ItemsByKey(const Value* list, const std::vector<std::string>& keys) : keys_(keys) {
  if (list == nullptr || !list->is_array()) return;
  for (const Value& item : list->items()) {
    if (!item.is_object()) continue;
    // Of many with the same keys only the first is ever found.
    if (find(item) == nullptr) items_[hash_of(item)].push_back(&item);
  }
}

std::uint64_t ItemsByKey::hash_of(const Value& item) const {
  std::uint64_t hash = 0;
  for (const std::string& key : keys_) {
    const Value* field = item.find(key);
    hash = hash_combine(hash, field != nullptr ? value::hash(*field) : 0);
  }
  return hash;
}

const Value* ItemsByKey::find(const Value& item) const {
  if (items_.empty() || !item.is_object()) return nullptr;
  const auto found = items_.find(hash_of(item));
  if (found == items_.end()) return nullptr;
  for (const Value* candidate : found->second) {
    const bool same = std::ranges::all_of(keys_, [&](const std::string& key) {
      return same_key(candidate->find(key), item.find(key));
    });
    if (same) return candidate;
  }
  return nullptr;
}

FieldErrors validate_list_types(const Value& v, const Node& schema, const FieldPath& at) {
  ListChecker checker;
  checker.walk(v, schema, PathTrail(at));
  return std::move(checker.errors);
}

}  // namespace strake::schema
