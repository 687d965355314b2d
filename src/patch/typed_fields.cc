#include "patch/typed_fields.h"

#include <algorithm>
#include <vector>

// Which fields a value sets, and in which two values differ, as sets. The walk is by the schema: a
// scalar, an atomic list and an atomic map are one field; a granular map is walked by its keys, an
// associative list by the names of its items.
//
// Items of both lists go into one array, sorted by name, so that those of one name are neighbours:
// n log n without a map, and items that cannot be told apart form a group of more than one. The
// result comes sorted, as the sets want it.

namespace strake::patch {

using value::Member;
using value::Value;
using Form = FieldType::Form;

namespace {

// An item of a list under its name.
struct NamedItem {
  PathElement element;
  const Value* item;
  bool after;  // of the list that comes after
};

void name_items(const FieldType& list, const Value& v, bool after, Arena& arena,
                std::vector<NamedItem>& out) {
  if (!v.is_array()) return;
  for (const Value& item : v.items()) {
    if (const auto element = name_item(list, item, arena)) out.push_back({*element, &item, after});
  }
}

// Equal names come together, in the order of the list.
void sort_items(std::vector<NamedItem>& items, std::size_t from) {
  std::sort(items.begin() + static_cast<std::ptrdiff_t>(from), items.end(),
            [](const NamedItem& a, const NamedItem& b) {
              const int order = a.element.compare(b.element);
              if (order != 0) return order < 0;
              return a.after != b.after ? b.after : a.item < b.item;
            });
}

std::size_t end_of_group(const std::vector<NamedItem>& items, std::size_t first) {
  std::size_t end = first + 1;
  while (end < items.size() && items[end].element == items[first].element) ++end;
  return end;
}

class FieldFinder {
 public:
  explicit FieldFinder(Arena& arena) : builder_(arena) {}

  struct Found {
    bool self = false;
    FieldSet below;
  };
  Found find(const Value& v, const FieldType& type) {
    if (depth_ == kMaxFieldDepth) return {};
    ++depth_;
    Found out;
    switch (type.form(&v)) {
      case Form::kScalar: out.self = true; break;
      case Form::kList:
        out = type.atomic_list() ? Found{true, {}} : Found{false, in_list(v, type)};
        break;
      case Form::kMap:
        out = type.atomic_map() ? Found{true, {}} : Found{false, in_map(v, type)};
        break;
    }
    --depth_;
    return out;
  }

 private:
  FieldSet in_list(const Value& v, const FieldType& type) {
    std::vector<NamedItem> items;
    name_items(type, v, false, builder_.arena(), items);
    sort_items(items, 0);
    const FieldType item_type = type.items();
    const std::size_t begun = builder_.begin();
    for (std::size_t i = 0; i < items.size();) {
      const std::size_t end = end_of_group(items, i);
      // Items that cannot be told apart are owned together, as one.
      FieldSet below;
      if (end - i == 1) below = find(*items[i].item, item_type).below;
      builder_.add({items[i].element, true, below});
      i = end;
    }
    return builder_.finish(begun);
  }

  FieldSet in_map(const Value& v, const FieldType& type) {
    if (!v.is_object()) return {};
    const std::size_t begun = builder_.begin();
    for (const Member& m : v.members()) {
      const FieldType member = type.member(m.key);
      if (member.undeclared()) continue;
      const Found found = find(m.value, member);
      const bool empty = m.value.is_null() || (m.value.is_object() && m.value.size() == 0);
      builder_.add(
          {PathElement::field(m.key), found.self || empty || !type.names(m.key), found.below});
    }
    return builder_.finish(begun);
  }

  FieldSetBuilder builder_;
  std::size_t depth_ = 0;
};

// The three sets of a comparison grow side by side.
enum Change : std::uint8_t { kRemoved, kModified, kAdded };

class Comparer {
 public:
  explicit Comparer(Arena& arena)
      : arena_(arena), builders_{Builder(arena), Builder(arena), Builder(arena)} {}

  struct Outcome {
    bool self[3] = {false, false, false};
    FieldSet below[3];
  };

  // Null stands for a value that is not there; one of the two is.
  Outcome compare(const Value* before, const Value* after, const FieldType& type) {
    Outcome out;
    if (depth_ == kMaxFieldDepth || share_memory(before, after)) return out;
    ++depth_;
    const Form form = type.form(after != nullptr ? after : before);
    if (before != nullptr && after != nullptr) {
      // A value that changed its form is compared as both.
      if (const Form old = type.form(before); old != form)
        compare_as(old, before, after, type, out);
    }
    compare_as(form, before, after, type, out);
    --depth_;
    return out;
  }

 private:
  using Builder = FieldSetBuilder;
  struct Begun {
    std::size_t at[3];
  };
  Begun begin() const {
    return {{builders_[0].begin(), builders_[1].begin(), builders_[2].begin()}};
  }
  void add(const PathElement& element, const Outcome& outcome) {
    for (const Change c : {kRemoved, kModified, kAdded})
      builders_[c].add({element, outcome.self[c], outcome.below[c]});
  }
  void finish(const Begun& begun, Outcome& out) {
    for (const Change c : {kRemoved, kModified, kAdded}) {
      const FieldSet made = builders_[c].finish(begun.at[c]);
      out.below[c] = unite(out.below[c], made, arena_);
    }
  }

  void compare_as(Form form, const Value* before, const Value* after, const FieldType& type,
                  Outcome& out) {
    bool leaf = true;
    if (form == Form::kList && !type.atomic_list()) {
      const bool any = holds_list(before) || holds_list(after);
      leaf = !any;
      if (any) compare_lists(before, after, type, out);
    } else if (form == Form::kMap && !type.atomic_map()) {
      const bool any = holds_map(before) || holds_map(after);
      leaf = !any;
      if (any) compare_maps(before, after, type, out);
    }
    if (before == nullptr) {
      out.self[kAdded] = true;
    } else if (after == nullptr) {
      out.self[kRemoved] = true;
    } else if (leaf && !value::equal(*before, *after)) {
      out.self[kModified] = true;
    }
  }

  // A patched object shares what was not patched with the one before.
  static bool share_memory(const Value* a, const Value* b) {
    if (a == nullptr || b == nullptr || a->type() != b->type() || a->size() != b->size())
      return false;
    if (a->is_object()) return a->members().data() == b->members().data();
    return a->is_array() && a->items().data() == b->items().data();
  }

  static bool holds_list(const Value* v) { return v != nullptr && v->is_array() && v->size() != 0; }
  static bool holds_map(const Value* v) { return v != nullptr && v->is_object() && v->size() != 0; }

  void compare_maps(const Value* before, const Value* after, const FieldType& type, Outcome& out) {
    const std::span<const Member> none;
    const auto a = holds_map(before) ? before->members() : none;
    const auto b = holds_map(after) ? after->members() : none;
    const Begun begun = begin();
    auto x = a.begin();
    auto y = b.begin();
    while (x != a.end() || y != b.end()) {
      const int order = x == a.end() ? 1 : y == b.end() ? -1 : value::compare_keys(x->key, y->key);
      const std::string_view key = order <= 0 ? x->key : y->key;
      const FieldType member = type.member(key);
      if (!member.undeclared()) {
        add(PathElement::field(key),
            compare(order <= 0 ? &x->value : nullptr, order >= 0 ? &y->value : nullptr, member));
      }
      if (order <= 0) ++x;
      if (order >= 0) ++y;
    }
    finish(begun, out);
  }

  void compare_lists(const Value* before, const Value* after, const FieldType& type, Outcome& out) {
    std::vector<NamedItem> items;
    if (holds_list(before)) name_items(type, *before, false, arena_, items);
    if (holds_list(after)) name_items(type, *after, true, arena_, items);
    sort_items(items, 0);
    const FieldType item_type = type.items();
    const Begun begun = begin();
    for (std::size_t i = 0; i < items.size();) {
      const std::size_t end = end_of_group(items, i);
      const std::span<const NamedItem> group(items.data() + i, end - i);
      const auto middle = static_cast<std::size_t>(
          std::find_if(group.begin(), group.end(), [](const NamedItem& n) { return n.after; }) -
          group.begin());
      add(group[0].element, compare_group(group.first(middle), group.subspan(middle), item_type));
      i = end;
    }
    finish(begun, out);
  }

  // The items of one name. Where there are several, they count as one field.
  Outcome compare_group(std::span<const NamedItem> before, std::span<const NamedItem> after,
                        const FieldType& type) {
    const auto first = [](std::span<const NamedItem> items) {
      return items.empty() ? nullptr : items[0].item;
    };
    Outcome out;
    if (before.size() <= 1 && after.size() <= 1) {
      out = compare(first(before), first(after), type);
    } else if (before.size() >= 2 && after.size() >= 2) {
      out.self[kModified] = !std::equal(
          before.begin(), before.end(), after.begin(), after.end(),
          [](const NamedItem& a, const NamedItem& b) { return value::equal(*a.item, *b.item); });
    } else if (before.size() >= 2) {
      if (!after.empty()) out = compare(nullptr, first(after), type);
      out.self[kRemoved] = true;
    } else {
      if (!before.empty()) out = compare(first(before), nullptr, type);
      out.self[kAdded] = true;
    }
    return out;
  }

  Arena& arena_;
  Builder builders_[3];
  std::size_t depth_ = 0;
};

}  // namespace

FieldSet fields_of(const Value& v, const FieldType& type, Arena& arena) {
  return FieldFinder(arena).find(v, type).below;
}

Comparison compare_fields(const Value& before, const Value& after, const FieldType& type,
                          Arena& arena) {
  const Comparer::Outcome outcome = Comparer(arena).compare(&before, &after, type);
  return {outcome.below[kRemoved], outcome.below[kModified], outcome.below[kAdded]};
}

}  // namespace strake::patch
