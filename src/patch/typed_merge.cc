#include "patch/typed_merge.h"

#include <map>
#include <optional>
#include <vector>

#include "patch/containers.h"

// The merge of server-side apply: an applied configuration over the live object, by the schema, as
// the Merge of structured-merge-diff does it. Nothing is removed here: what the manager applied
// before and has left out now goes in a second step (apply_prune.cc).
//
// Maps are merged as two sorted lists, in linear time. Associative lists are merged by the names of
// their items; a map from name to item makes that n log n.

namespace strake::patch {

using value::Member;
using value::Value;
using Form = FieldType::Form;

namespace {

// The items of a list by name. What stands there twice is null: it cannot be merged with.
struct NamedList {
  std::vector<PathElement> names;
  std::vector<const Value*> items;
  std::map<PathElement, Value, PathElementLess> by_name;

  NamedList(const Value* list, const FieldType& type, Arena& arena) {
    if (list == nullptr || !list->is_array()) return;
    for (const Value& item : list->items()) {
      const auto name = name_item(type, item, arena);
      if (!name) continue;
      const auto [there, fresh] = by_name.try_emplace(*name, item);
      if (!fresh) there->second = Value();
      names.push_back(*name);
      items.push_back(&item);
    }
  }
  const Value* find(const PathElement& name) const {
    const auto found = by_name.find(name);
    return found != by_name.end() ? &found->second : nullptr;
  }
};

class TypedMerger {
 public:
  explicit TypedMerger(Arena& arena) : arena_(arena) {}

  // Null stands for a value that is not there; one of the two is.
  std::optional<Value> merge(const Value* live, const Value* config, const FieldType& type) {
    const Value& leaf = config != nullptr ? *config : *live;
    switch (type.form(&leaf)) {
      case Form::kScalar: return leaf;
      case Form::kList:
        if (type.atomic_list() || !(holds_items(live) || holds_items(config))) return leaf;
        return merge_lists(live, config, type);
      case Form::kMap:
        if (type.atomic_map() || !(holds_members(live) || holds_members(config))) return leaf;
        return merge_maps(live, config, type);
    }
    return leaf;
  }

 private:
  static bool holds_items(const Value* v) {
    return v != nullptr && v->is_array() && v->size() != 0;
  }
  static bool holds_members(const Value* v) {
    return v != nullptr && v->is_object() && v->size() != 0;
  }

  std::optional<Value> merge_maps(const Value* live, const Value* config, const FieldType& type) {
    const std::span<const Member> none;
    const auto a = holds_members(live) ? live->members() : none;
    const auto b = holds_members(config) ? config->members() : none;
    std::vector<Member> out;
    out.reserve(a.size() + b.size());
    auto x = a.begin();
    auto y = b.begin();
    while (x != a.end() || y != b.end()) {
      const int order = x == a.end() ? 1 : y == b.end() ? -1 : value::compare_keys(x->key, y->key);
      const std::string_view key = order <= 0 ? x->key : y->key;
      const auto merged = merge(order <= 0 ? &x->value : nullptr, order >= 0 ? &y->value : nullptr,
                                type.member(key));
      if (merged) out.push_back({key, *merged});
      if (order <= 0) ++x;
      if (order >= 0) ++y;
    }
    if (out.empty()) return std::nullopt;
    return object_of(out, arena_);
  }

  // Walks both lists at once. Items of one side come as they are met; those of both come in the
  // order of the config, so that its next shared item is waited for.
  std::optional<Value> merge_lists(const Value* live, const Value* config, const FieldType& type) {
    const NamedList ours(live, type, arena_);
    const NamedList given(config, type, arena_);
    // The items that both sides have, in the order of the config: the order they must have in the
    // result. The walk emits live items as it meets them, but a shared one only in its turn, so
    // that new items of the config come where the config has them.
    std::vector<PathElement> shared;
    for (const PathElement& name : given.names) {
      if (ours.find(name) != nullptr) shared.push_back(name);
    }
    std::size_t next_shared = 0;
    std::map<PathElement, bool, PathElementLess> done;
    std::vector<Value> out;
    const FieldType items = type.items();
    const auto take = [&](const Value* a, const Value* b) {
      if (const auto merged = merge(a, b, items)) out.push_back(*merged);
    };
    std::size_t l = 0;
    std::size_t r = 0;
    while (l < ours.names.size() || r < given.names.size()) {
      if (l < ours.names.size() && r < given.names.size()) {
        const PathElement& name = ours.names[l];
        if (name == given.names[r]) {
          done.emplace(name, true);
          take(ours.find(name), given.find(name));
          ++l;
          ++r;
          if (next_shared < shared.size()) ++next_shared;
          continue;
        }
        if (given.find(name) != nullptr && next_shared < shared.size() &&
            !(shared[next_shared] == name)) {
          // It comes later, at its place in the config, with what the live side has of it.
          ++l;  // shared, but not the one whose turn it is
          continue;
        }
      }
      if (l < ours.names.size()) {
        const PathElement& name = ours.names[l];
        if (given.find(name) == nullptr) {
          take(ours.items[l], nullptr);
          ++l;
          continue;
        }
        // A shared item that the config has brought already.
        if (done.contains(name)) ++l;
      }
      if (r < given.names.size()) {
        const PathElement& name = given.names[r];
        done.emplace(name, true);
        take(ours.find(name), given.find(name));
        ++r;
        if (next_shared < shared.size() && shared[next_shared] == name) ++next_shared;
      }
    }
    if (out.empty()) return std::nullopt;
    return array_of(out, arena_);
  }

  Arena& arena_;
};

// Takes fields out of a value. A container that loses all it had becomes null, as in
// structured-merge-diff; null items and members are what later steps pass over.
class Remover {
 public:
  explicit Remover(Arena& arena) : arena_(arena) {}

  Value remove(const Value& v, const FieldSet& fields, const FieldType& type) {
    switch (type.form(&v)) {
      case Form::kScalar: return v;
      case Form::kList: return type.atomic_list() ? Value() : from_list(v, fields, type);
      case Form::kMap: return type.atomic_map() ? Value() : from_map(v, fields, type);
    }
    return v;
  }

 private:
  Value from_list(const Value& v, const FieldSet& fields, const FieldType& type) {
    if (!v.is_array()) return {};
    const FieldType items = type.items();
    std::vector<Value> out;
    for (const Value& item : v.items()) {
      const auto name = name_item(type, item, arena_);
      const FieldSet::Entry* entry = name ? fields.find(*name) : nullptr;
      if (entry == nullptr) {
        out.push_back(item);
      } else if (!entry->member) {
        out.push_back(remove(item, entry->below, items));
      }
    }
    return out.empty() ? Value() : array_of(out, arena_);
  }

  Value from_map(const Value& v, const FieldSet& fields, const FieldType& type) {
    if (!v.is_object()) return {};
    std::vector<Member> out;
    for (const Member& m : v.members()) {
      const FieldSet::Entry* entry = fields.find(PathElement::field(m.key));
      if (entry == nullptr) {
        out.push_back(m);
      } else if (!entry->member) {
        out.push_back({m.key, remove(m.value, entry->below, type.member(m.key))});
      }
    }
    return out.empty() ? Value() : object_of(out, arena_);
  }

  Arena& arena_;
};

}  // namespace

Value merge_typed(const Value& live, const Value& config, const FieldType& type, Arena& arena) {
  return TypedMerger(arena).merge(&live, &config, type).value_or(Value());
}

Value remove_fields(const Value& v, const FieldSet& fields, const FieldType& type, Arena& arena) {
  return Remover(arena).remove(v, fields, type);
}

}  // namespace strake::patch
