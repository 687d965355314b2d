#include "patch/field_set.h"

#include <algorithm>
#include <memory>
#include <optional>

#include "base/assert.h"

// Sets as sorted trees, and their algebra as in structured-merge-diff, the library of
// kube-apiserver 1.36. An operation walks both trees as a merge of sorted lists, level by level, so
// it takes time in the size of what it visits; there are no hashes and no pointers to parents.
//
// What keeps this cheap is sharing. A level that comes out as it went in is not laid out again:
// finish() gives back the very same array, so same_tree() answers for whole subtrees with two
// comparisons, and most of an owner's set survives a write untouched. Nothing is ever changed in
// place, because any level may be part of several sets.
//
// Invariants of a level: sorted by element, each element once, and no entry that is neither a
// member nor has members below (FieldSetBuilder::add leaves those out). Equality relies on all
// three.

namespace strake::patch {

using value::Member;
using value::Value;
using Entry = FieldSet::Entry;

namespace {

bool precedes(const Entry& a, const Entry& b) { return a.element.compare(b.element) < 0; }

// Two levels walked as one: each element once, with the entry that either side has.
template <typename Visit>
void zip(const FieldSet& a, const FieldSet& b, Visit visit) {
  auto x = a.entries().begin();
  auto y = b.entries().begin();
  const auto x_end = a.entries().end();
  const auto y_end = b.entries().end();
  while (x != x_end || y != y_end) {
    const int order = x == x_end ? 1 : y == y_end ? -1 : x->element.compare(y->element);
    visit(order <= 0 ? &*x : nullptr, order >= 0 ? &*y : nullptr);
    if (order <= 0) ++x;
    if (order >= 0) ++y;
  }
}

// The operations, level by level. Sets are never deeper than kMaxFieldDepth.
class Algebra {
 public:
  explicit Algebra(Arena& arena) : builder_(arena) {}

  // What comes out as an operand went in is that operand.
  FieldSet unite(const FieldSet& a, const FieldSet& b) {
    if (a.empty() || a.same_tree(b)) return b;
    if (b.empty()) return a;
    const std::size_t begun = builder_.begin();
    bool is_a = true;
    bool is_b = true;
    zip(a, b, [&](const Entry* x, const Entry* y) {
      if (x == nullptr || y == nullptr) {
        (x == nullptr ? is_a : is_b) = false;
        builder_.add(x != nullptr ? *x : *y);
        return;
      }
      const Entry both{x->element, x->member || y->member, unite(x->below, y->below)};
      is_a = is_a && both.member == x->member && both.below.same_tree(x->below);
      is_b = is_b && both.member == y->member && both.below.same_tree(y->below);
      builder_.add(both);
    });
    if (!is_a && !is_b) return builder_.finish(begun);
    builder_.drop(begun);
    return is_a ? a : b;
  }

  FieldSet intersection(const FieldSet& a, const FieldSet& b) {
    if (a.empty() || a.same_tree(b)) return a;
    if (b.empty()) return b;
    const std::size_t begun = builder_.begin();
    zip(a, b, [&](const Entry* x, const Entry* y) {
      if (x == nullptr || y == nullptr) return;
      builder_.add({x->element, x->member && y->member, intersection(x->below, y->below)});
    });
    return builder_.finish(begun, a);
  }

  FieldSet difference(const FieldSet& a, const FieldSet& b, bool recursive) {
    if (a.empty() || b.empty()) return a;
    const std::size_t begun = builder_.begin();
    bool is_a = true;
    zip(a, b, [&](const Entry* x, const Entry* y) {
      if (x == nullptr) return;
      if (y == nullptr) {
        builder_.add(*x);
      } else if (recursive && y->member) {
        is_a = false;
      } else {
        const Entry left{x->element, x->member && !y->member,
                         difference(x->below, y->below, recursive)};
        is_a = is_a && left.member == x->member && left.below.same_tree(x->below);
        builder_.add(left);
      }
    });
    if (!is_a) return builder_.finish(begun);
    builder_.drop(begun);
    return a;
  }

  FieldSet leaves(const FieldSet& set) {
    const std::size_t begun = builder_.begin();
    for (const Entry& e : set.entries())
      builder_.add({e.element, e.member && e.below.empty(), leaves(e.below)});
    return builder_.finish(begun, set);
  }

 private:
  FieldSetBuilder builder_;
};

// A level's own members before anything below them: conflicts are listed in this order.
void visit_members(const FieldSet& set, FieldSteps& path,
                   const std::function<void(const FieldSteps&)>& visit) {
  for (const Entry& e : set.entries()) {
    if (!e.member) continue;
    path.push_back(e.element);
    visit(path);
    path.pop_back();
  }
  for (const Entry& e : set.entries()) {
    if (e.below.empty()) continue;
    path.push_back(e.element);
    visit_members(e.below, path, visit);
    path.pop_back();
  }
}

class Reader {
 public:
  explicit Reader(Arena& arena) : arena_(arena) {}

  struct Level {
    FieldSet below;
    bool member = false;  // "." stands there, or nothing else does
  };
  // Fails with an error that is kept apart: nearly no level has one, and each would carry the room.
  bool read(const Value& v, std::size_t depth, Level& out) {
    out.member = true;
    if (v.is_null()) return true;
    if (!v.is_object()) {
      return refuse(
          fail(Code::kParse, "expected an object of fields, got {}", value::to_string(v.type())));
    }
    if (depth > kMaxFieldDepth)
      return refuse(fail(Code::kLimit, "fields are nested deeper than {}", kMaxFieldDepth));
    if (v.size() == 0) return true;
    out.member = false;
    auto* level = arena_.allocate_array<Entry>(v.size());
    std::size_t count = 0;
    bool sorted = true;
    for (const Member& m : v.members()) {
      if (m.key == ".") {
        out.member = true;
        continue;
      }
      // Fields are met in the order of their names, as members are; of others that is not known.
      const bool is_field = m.key.starts_with("f:");
      std::optional<PathElement> element;
      if (is_field) {
        element = PathElement::field(m.key.substr(2));
      } else {
        element = read_element(m.key);
        if (!element && error_) return false;
        if (!element) continue;
      }
      Level inner{.below = {}, .member = true};
      const bool is_leaf = m.value.is_object() && m.value.size() == 0 && depth < kMaxFieldDepth;
      if (!is_leaf && !read(m.value, depth + 1, inner)) return false;
      if (count != 0 && !(is_field && level[count - 1].element.is_field()))
        sorted = sorted && level[count - 1].element.compare(*element) < 0;
      new (level + count++) Entry{*element, inner.member, inner.below};
    }
    if (count == 0) {
      out.member = true;
    } else {
      out.below = sorted ? FieldSet({level, count}) : sort({level, count});
    }
    return true;
  }

  std::unexpected<Error> error() { return std::unexpected(*std::move(error_)); }

 private:
  // Nothing when it is to be left out; with an error when there is one.
  std::optional<PathElement> read_element(std::string_view text) {
    auto element = PathElement::read(text, arena_);
    if (element) return *element;
    // A kind of element that only a newer server knows is dropped, not refused, so that an object
    // that such a server wrote can still be updated.
    if (element.error().code() != Code::kUnsupported) refuse(std::unexpected(element.error()));
    return std::nullopt;
  }

  bool refuse(std::unexpected<Error> why) {
    error_ = std::move(why).error();
    return false;
  }

  // fieldsV1 is sorted by text, and may name an element twice (a key written in two ways).
  FieldSet sort(std::span<const Entry> level) {
    FieldSetBuilder builder(arena_);
    for (const Entry& entry : level) builder.add(entry);
    return builder.finish_unsorted(0);
  }

  Arena& arena_;
  std::optional<Error> error_;
};

class Writer {
 public:
  explicit Writer(Arena& arena) : arena_(arena) {}

  Value write(const FieldSet& set, bool with_self) {
    const std::size_t size = set.entries().size() + (with_self ? 1 : 0);
    auto* members = arena_.allocate_array<Member>(size);
    std::size_t at = 0;
    if (with_self) members[at++] = {".", Value::object({})};
    bool fields_alone = true;
    for (const Entry& e : set.entries()) {
      fields_alone = fields_alone && e.element.is_field();
      const Value below = e.below.empty() ? Value::object({}) : write(e.below, e.member);
      members[at++] = {text_of(e.element), below};
    }
    const auto before = [](const Member& a, const Member& b) {
      return value::compare_keys(a.key, b.key) < 0;
    };
    // Sets are sorted by element, the API shows them by text. For levels of fields alone, which
    // most are, the two orders agree.
    if (!fields_alone && !std::is_sorted(members, members + size, before))
      std::sort(members, members + size, before);
    return Value::object({members, size});
  }

 private:
  std::string_view text_of(const PathElement& element) {
    if (element.is_field()) {
      const std::string_view name = element.name();
      char* text = arena_.allocate_text(name.size() + 2);
      text[0] = 'f';
      text[1] = ':';
      std::copy(name.begin(), name.end(), text + 2);
      return {text, name.size() + 2};
    }
    text_.clear();
    element.write(text_);
    return arena_.copy(text_);
  }

  Arena& arena_;
  std::string text_;
};

}  // namespace

FieldSet FieldSet::of(const FieldSteps& path, Arena& arena) {
  STRAKE_ASSERT(path.size() <= kMaxFieldDepth);
  FieldSet out;
  for (std::size_t i = path.size(); i-- > 0;) {
    auto* entry = arena.allocate_array<Entry>(1);
    new (entry) Entry{path[i], out.empty(), out};
    out = FieldSet({entry, 1});
  }
  return out;
}

FieldSet FieldSet::of(std::initializer_list<std::string_view> path, Arena& arena) {
  FieldSteps steps;
  for (const std::string_view name : path) steps.push_back(PathElement::field(name));
  return of(steps, arena);
}

std::size_t FieldSet::count() const {
  std::size_t out = 0;
  for (const Entry& e : entries()) out += (e.member ? 1 : 0) + e.below.count();
  return out;
}

const Entry* FieldSet::find(const PathElement& element) const {
  const auto at = std::lower_bound(
      entries().begin(), entries().end(), element,
      [](const Entry& e, const PathElement& wanted) { return e.element.compare(wanted) < 0; });
  return at != entries().end() && at->element == element ? &*at : nullptr;
}

bool FieldSet::has(const FieldSteps& path) const {
  FieldSet at = *this;
  for (std::size_t i = 0; i < path.size(); ++i) {
    const Entry* entry = at.find(path[i]);
    if (entry == nullptr) return false;
    if (i + 1 == path.size()) return entry->member;
    at = entry->below;
  }
  return false;
}

FieldSet FieldSet::below(const PathElement& element) const {
  const Entry* entry = find(element);
  return entry != nullptr ? entry->below : FieldSet();
}

void FieldSet::each(const std::function<void(const FieldSteps&)>& visit) const {
  FieldSteps path;
  visit_members(*this, path, visit);
}

Result<FieldSet> FieldSet::read(const Value& fields_v1, Arena& arena) {
  Reader reader(arena);
  Reader::Level root;
  if (!reader.read(fields_v1, 0, root)) return reader.error();
  return root.below;
}

Value FieldSet::write(Arena& arena) const { return Writer(arena).write(*this, false); }

bool operator==(const FieldSet& a, const FieldSet& b) {
  if (a.same_tree(b)) return true;
  return std::equal(a.entries().begin(), a.entries().end(), b.entries().begin(), b.entries().end(),
                    [](const Entry& x, const Entry& y) {
                      return x.member == y.member && x.element == y.element && x.below == y.below;
                    });
}

FieldSet unite(const FieldSet& a, const FieldSet& b, Arena& arena) {
  return Algebra(arena).unite(a, b);
}

FieldSet intersection(const FieldSet& a, const FieldSet& b, Arena& arena) {
  return Algebra(arena).intersection(a, b);
}

FieldSet difference(const FieldSet& a, const FieldSet& b, Arena& arena) {
  return Algebra(arena).difference(a, b, false);
}

FieldSet recursive_difference(const FieldSet& a, const FieldSet& b, Arena& arena) {
  return Algebra(arena).difference(a, b, true);
}

FieldSet leaves(const FieldSet& set, Arena& arena) { return Algebra(arena).leaves(set); }

void FieldSetBuilder::grow() {
  capacity_ *= 2;
  auto more = std::make_unique_for_overwrite<std::byte[]>(capacity_ * sizeof(Entry));
  auto* stack = reinterpret_cast<Entry*>(more.get());
  std::uninitialized_copy_n(stack_, size_, stack);
  more_ = std::move(more);
  stack_ = stack;
}

FieldSet FieldSetBuilder::finish(std::size_t begun) {
  const std::size_t count = size_ - begun;
  size_ = begun;
  if (count == 0) return {};
  auto* laid = arena_.allocate_array<Entry>(count);
  std::uninitialized_copy_n(stack_ + begun, count, laid);
  return FieldSet({laid, count});
}

FieldSet FieldSetBuilder::finish(std::size_t begun, const FieldSet& like) {
  const bool unchanged = std::equal(stack_ + begun, stack_ + size_, like.entries().begin(),
                                    like.entries().end(), [](const Entry& x, const Entry& y) {
                                      return x.member == y.member && x.below.same_tree(y.below) &&
                                             x.element == y.element;
                                    });
  if (!unchanged) return finish(begun);
  drop(begun);
  return like;
}

FieldSet FieldSetBuilder::finish_unsorted(std::size_t begun) {
  Entry* const first = stack_ + begun;
  Entry* const last = stack_ + size_;
  if (!std::is_sorted(first, last, precedes)) std::sort(first, last, precedes);
  Entry* kept = first;
  for (const Entry* at = first; at != last; ++at) {
    if (kept != first && (kept - 1)->element == at->element) {
      Entry& same = *(kept - 1);
      same = {same.element, same.member || at->member, patch::unite(same.below, at->below, arena_)};
    } else {
      *kept++ = *at;
    }
  }
  drop(static_cast<std::size_t>(kept - stack_));
  return finish(begun);
}

}  // namespace strake::patch
