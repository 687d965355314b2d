#include "patch/typed_fields.h"

#include <algorithm>
#include <new>
#include <utility>
#include <vector>

#include "base/same_text.h"
#include "patch/typed_check.h"

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

bool is_granular(Form form, const FieldType& type) {
  switch (form) {
    case Form::kScalar: return false;
    case Form::kList: return !type.atomic_list();
    case Form::kMap: return !type.atomic_map();
  }
  return false;
}

// An item of a list under its name.
struct NamedItem {
  PathElement element;
  const Value* item;
  bool after;  // of the list that comes after
};

// Items of lists within lists, innermost last.
class NamedItems {
 public:
  explicit NamedItems(Arena& arena) : arena_(arena) {}

  std::size_t begin() const { return items_.size(); }
  const NamedItem& operator[](std::size_t i) const { return items_[i]; }
  // False when some have no name and were left out.
  bool add(const FieldType& list, const Value& v, bool after) {
    if (!v.is_array()) return true;
    ItemNames names(list, arena_);
    bool all = true;
    for (const Value& item : v.items()) {
      if (const auto element = names.of(item)) {
        items_.push_back({*element, &item, after});
      } else {
        all = false;
      }
    }
    return all;
  }
  // Equal names come together, in the order of the list.
  void sort(std::size_t begun) {
    std::sort(items_.begin() + static_cast<std::ptrdiff_t>(begun), items_.end(),
              [](const NamedItem& a, const NamedItem& b) {
                const int order = a.element.compare(b.element);
                if (order != 0) return order < 0;
                return a.after != b.after ? b.after : a.item < b.item;
              });
  }
  std::size_t end_of_group(std::size_t first, std::size_t end) const {
    std::size_t at = first + 1;
    while (at < end && items_[at].element == items_[first].element) ++at;
    return at;
  }
  void drop(std::size_t begun) {
    items_.erase(items_.begin() + static_cast<std::ptrdiff_t>(begun), items_.end());
  }

 private:
  Arena& arena_;
  std::vector<NamedItem> items_;
};

class FieldFinder {
 public:
  explicit FieldFinder(Arena& arena) : builder_(arena), items_(arena) {}

  struct Found {
    bool self = false;
    FieldSet below;
  };
  Found find(const Value& v, const FieldType& type) {
    if (depth_ == kMaxFieldDepth) return {};
    const Form form = type.form(&v);
    if (!is_granular(form, type)) return {true, {}};
    ++depth_;
    const Found out{false, form == Form::kList ? in_list(v, type) : in_map(v, type)};
    --depth_;
    return out;
  }

 private:
  FieldSet in_list(const Value& v, const FieldType& type) {
    const std::size_t first = items_.begin();
    items_.add(type, v, false);
    items_.sort(first);
    const std::size_t last = items_.begin();
    const FieldType item_type = type.items();
    const std::size_t begun = builder_.begin();
    for (std::size_t i = first; i < last;) {
      const std::size_t end = items_.end_of_group(i, last);
      // Items that cannot be told apart are owned together, as one.
      FieldSet below;
      if (end - i == 1) below = find(*items_[i].item, item_type).below;
      builder_.add({items_[i].element, true, below});
      i = end;
    }
    items_.drop(first);
    return builder_.finish(begun);
  }

  FieldSet in_map(const Value& v, const FieldType& type) {
    if (!v.is_object()) return {};
    const std::size_t begun = builder_.begin();
    MemberTypes types(type);
    for (const Member& m : v.members()) {
      const FieldType member = types.of(m.key);
      if (member.undeclared()) continue;
      const Found found = find(m.value, member);
      const bool empty = m.value.is_null() || (m.value.is_object() && m.value.size() == 0);
      builder_.add({PathElement::field(m.key), found.self || empty || !types.named(), found.below});
    }
    return builder_.finish(begun);
  }

  FieldSetBuilder builder_;
  NamedItems items_;
  std::size_t depth_ = 0;
};

// The three sets of a comparison grow side by side.
enum Change : std::uint8_t { kRemoved, kModified, kAdded };
constexpr Change kChanges[] = {kRemoved, kModified, kAdded};

class Comparer {
 public:
  // Checks what it walks, when asked to; then the outcome counts only if it fits().
  Comparer(bool check, Arena& arena)
      : arena_(arena),
        checking_(check),
        builders_{Builder(arena), Builder(arena), Builder(arena)},
        items_(arena) {}

  struct Outcome {
    bool self[3] = {false, false, false};
    FieldSet below[3];

    bool same() const {
      return !(self[0] || self[1] || self[2]) && below[0].empty() && below[1].empty() &&
             below[2].empty();
    }
  };

  void compare(const Value& before, const Value& after, const FieldType& type, Outcome& out) {
    if (depth_ == kMaxFieldDepth) return refuse();
    if (share_memory(before, after)) return check(after, type);
    if (unchanged(before, after, type)) return;
    const Form form = type.form(&after);
    const Form old = type.form(&before);
    if (old != form) return compare_forms(old, form, before, after, type, out);
    if (is_granular(form, type)) return compare_inside(form, before, after, type, out);
    out.self[kModified] = !same_leaf(before, after, type);
  }

  bool fits() const { return fits_; }

 private:
  using Builder = FieldSetBuilder;
  struct Begun {
    std::size_t at[3];
  };
  Begun begin() const {
    return {{builders_[0].begin(), builders_[1].begin(), builders_[2].begin()}};
  }
  void add(const PathElement& element, const Outcome& outcome) {
    if (outcome.same()) return;
    for (const Change c : kChanges) builders_[c].add({element, outcome.self[c], outcome.below[c]});
  }
  void finish(const Begun& begun, Outcome& out) {
    for (const Change c : kChanges) {
      if (builders_[c].begin() == begun.at[c]) continue;
      out.below[c] = unite(out.below[c], builders_[c].finish(begun.at[c]), arena_);
    }
  }

  void refuse() {
    if (checking_) fits_ = false;
  }
  void check(const Value& v, const FieldType& type) {
    if (!checking_ || !fits_) return;
    fits_ = type.form(&v) == Form::kScalar && depth_ < kMaxFieldDepth
                ? scalar_fits(type.scalar(), v)
                : fits_typed(v, type, depth_, arena_);
  }

  // Most of what an object holds is not changed by an update, and finding that out takes a third of
  // comparing it. When it fails, what was looked at is looked at again: so not for the object and
  // its spec, which have changed as a rule, and only a few times.
  bool unchanged(const Value& before, const Value& after, const FieldType& type) {
    if (depth_ < 2 || tries_ == 0) return false;
    if (both_fit(after, before, type, depth_, arena_)) return true;
    --tries_;
    return false;
  }

  // A field that both have. Most are no more than that, and have not changed.
  void compare_pair(const PathElement& element, const Value& before, const Value& after,
                    const FieldType& type) {
    const Form form = type.form(&after);
    if (form == type.form(&before) && !is_granular(form, type) && depth_ < kMaxFieldDepth) {
      if (!same_leaf(before, after, type)) builders_[kModified].add({element, true, {}});
      return;
    }
    Outcome out;
    compare(before, after, type, out);
    add(element, out);
  }

  // Of values that are one field each.
  bool same_leaf(const Value& before, const Value& after, const FieldType& type) {
    if (both_fit(after, before, type, depth_, arena_)) return true;
    check(after, type);
    check(before, type);
    return value::equal(before, after);
  }

  // A patched object shares what was not patched with the one before.
  static bool share_memory(const Value& a, const Value& b) {
    if (a.type() != b.type() || a.size() != b.size()) return false;
    if (a.is_object()) return a.members().data() == b.members().data();
    return a.is_array() && a.items().data() == b.items().data();
  }

  static bool holds_any(Form form, const Value& v) {
    return (form == Form::kList ? v.is_array() : v.is_object()) && v.size() != 0;
  }

  // A value that changed its form is compared as both.
  void compare_forms(Form old, Form form, const Value& before, const Value& after,
                     const FieldType& type, Outcome& out) {
    check(before, type);
    check(after, type);
    const bool checking = std::exchange(checking_, false);
    for (const Form as : {old, form}) {
      if (is_granular(as, type)) {
        compare_inside(as, before, after, type, out);
      } else if (!value::equal(before, after)) {
        out.self[kModified] = true;
      }
    }
    checking_ = checking;
  }

  // As maps, or lists, that are not one field.
  void compare_inside(Form form, const Value& before, const Value& after, const FieldType& type,
                      Outcome& out) {
    for (const Value* v : {&before, &after}) {
      if (!v->is_null() && (form == Form::kList ? !v->is_array() : !v->is_object())) refuse();
    }
    if (!holds_any(form, before) && !holds_any(form, after)) {
      if (!value::equal(before, after)) out.self[kModified] = true;
      return;
    }
    ++depth_;
    if (form == Form::kList) {
      compare_lists(before, after, type, out);
    } else {
      compare_maps(before, after, type, out);
    }
    --depth_;
  }

  void compare_maps(const Value& before, const Value& after, const FieldType& type, Outcome& out) {
    const auto a = before.members();
    const auto b = after.members();
    const Begun begun = begin();
    MemberTypes types(type);
    auto x = a.begin();
    auto y = b.begin();
    while (x != a.end() || y != b.end()) {
      const int order = x == a.end()                ? 1
                        : y == b.end()              ? -1
                        : same_text(x->key, y->key) ? 0
                                                    : value::compare_keys(x->key, y->key);
      const std::string_view key = order <= 0 ? x->key : y->key;
      const FieldType member = types.of(key);
      if (member.undeclared()) {
        refuse();
      } else if (order == 0) {
        compare_pair(PathElement::field(key), x->value, y->value, member);
      } else {
        add_all(PathElement::field(key), order < 0 ? x->value : y->value, member,
                order < 0 ? kRemoved : kAdded);
      }
      if (order <= 0) ++x;
      if (order >= 0) ++y;
    }
    finish(begun, out);
  }

  void compare_lists(const Value& before, const Value& after, const FieldType& type, Outcome& out) {
    const std::size_t first = items_.begin();
    if (!items_.add(type, before, false)) refuse();
    if (!items_.add(type, after, true)) refuse();
    items_.sort(first);
    const std::size_t last = items_.begin();
    const FieldType item_type = type.items();
    const Begun begun = begin();
    for (std::size_t i = first; i < last;) {
      const std::size_t end = items_.end_of_group(i, last);
      std::size_t middle = i;
      while (middle < end && !items_[middle].after) ++middle;
      compare_group(i, middle, end, item_type);
      i = end;
    }
    items_.drop(first);
    finish(begun, out);
  }

  // The items of one name: those before, up to the middle, and those after. Where there are
  // several, they count as one field.
  void compare_group(std::size_t begin, std::size_t middle, std::size_t end,
                     const FieldType& type) {
    const PathElement element = items_[begin].element;
    const std::size_t before = middle - begin;
    const std::size_t after = end - middle;
    const Value& first_before = *items_[begin].item;
    const Value& first_after = *items_[after != 0 ? middle : begin].item;
    if (before == 0 && after == 1) return add_all(element, first_after, type, kAdded);
    if (before == 1 && after == 0) return add_all(element, first_before, type, kRemoved);
    if (before == 1 && after == 1) return compare_pair(element, first_before, first_after, type);
    Outcome out;
    for (std::size_t i = begin; i < end; ++i) check(*items_[i].item, type);
    if (before >= 2 && after >= 2) {
      out.self[kModified] = before != after;
      for (std::size_t i = 0; i < before && !out.self[kModified]; ++i)
        out.self[kModified] = !value::equal(*items_[begin + i].item, *items_[middle + i].item);
    } else if (before >= 2) {
      out.self[kRemoved] = true;
      if (after == 1) out.self[kAdded] = all_of(first_after, type, out.below[kAdded]);
    } else {
      out.self[kAdded] = true;
      if (before == 1) out.self[kRemoved] = all_of(first_before, type, out.below[kRemoved]);
    }
    add(element, out);
  }

  // What only one of the objects has is all in one set.
  void add_all(const PathElement& element, const Value& v, const FieldType& type, Change change) {
    FieldSet below;
    if (all_of(v, type, below)) builders_[change].add({element, true, below});
  }

  // False when the value itself is too deep.
  bool all_of(const Value& v, const FieldType& type, FieldSet& below) {
    if (depth_ == kMaxFieldDepth) {
      refuse();
      return false;
    }
    const Form form = type.form(&v);
    if (!is_granular(form, type) || !holds_any(form, v)) {
      check(v, type);
      return true;
    }
    ++depth_;
    below = form == Form::kList ? all_items(v, type) : all_members(v, type);
    --depth_;
    return true;
  }

  FieldSet all_members(const Value& v, const FieldType& type) {
    auto* level = arena_.allocate_array<FieldSet::Entry>(v.size());
    std::size_t count = 0;
    MemberTypes types(type);
    for (const Member& m : v.members()) {
      const FieldType member = types.of(m.key);
      FieldSet below;
      if (member.undeclared()) {
        refuse();
      } else if (all_of(m.value, member, below)) {
        new (level + count++) FieldSet::Entry{PathElement::field(m.key), true, below};
      }
    }
    return FieldSet({level, count});
  }

  FieldSet all_items(const Value& v, const FieldType& type) {
    const std::size_t first = items_.begin();
    if (!items_.add(type, v, true)) refuse();
    items_.sort(first);
    const std::size_t last = items_.begin();
    const FieldType item_type = type.items();
    auto* level = arena_.allocate_array<FieldSet::Entry>(last - first);
    std::size_t count = 0;
    for (std::size_t i = first; i < last;) {
      const std::size_t end = items_.end_of_group(i, last);
      const PathElement element = items_[i].element;
      FieldSet below;
      bool self = true;
      if (end - i == 1) {
        self = all_of(*items_[i].item, item_type, below);
      } else {
        for (std::size_t at = i; at < end; ++at) check(*items_[at].item, item_type);
      }
      if (self) new (level + count++) FieldSet::Entry{element, true, below};
      i = end;
    }
    items_.drop(first);
    return FieldSet({level, count});
  }

  Arena& arena_;
  bool checking_;
  bool fits_ = true;
  Builder builders_[3];
  NamedItems items_;
  std::size_t depth_ = 0;
  int tries_ = 8;
};

}  // namespace

FieldSet fields_of(const Value& v, const FieldType& type, Arena& arena) {
  return FieldFinder(arena).find(v, type).below;
}

Comparison compare_fields(const Value& before, const Value& after, const FieldType& type,
                          Arena& arena) {
  Comparer::Outcome outcome;
  Comparer(false, arena).compare(before, after, type, outcome);
  return {outcome.below[kRemoved], outcome.below[kModified], outcome.below[kAdded]};
}

std::optional<Comparison> check_and_compare(const Value& before, const Value& after,
                                            const FieldType& type, Arena& arena) {
  Comparer::Outcome outcome;
  Comparer comparer(true, arena);
  comparer.compare(before, after, type, outcome);
  if (!comparer.fits()) return std::nullopt;
  return Comparison{outcome.below[kRemoved], outcome.below[kModified], outcome.below[kAdded]};
}

}  // namespace strake::patch
