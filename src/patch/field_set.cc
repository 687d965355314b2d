#include "patch/field_set.h"

#include <algorithm>

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

  // Every finish() names the operand that is likely to come out unchanged.
  FieldSet unite(const FieldSet& a, const FieldSet& b) {
    if (a.empty() || a.same_tree(b)) return b;
    if (b.empty()) return a;
    const std::size_t begun = builder_.begin();
    zip(a, b, [&](const Entry* x, const Entry* y) {
      if (x == nullptr || y == nullptr) {
        builder_.add(x != nullptr ? *x : *y);
      } else {
        builder_.add({x->element, x->member || y->member, unite(x->below, y->below)});
      }
    });
    return builder_.finish(begun, a);
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
    zip(a, b, [&](const Entry* x, const Entry* y) {
      if (x == nullptr) return;
      if (y == nullptr) {
        builder_.add(*x);
      } else if (!(recursive && y->member)) {
        builder_.add(
            {x->element, x->member && !y->member, difference(x->below, y->below, recursive)});
      }
    });
    return builder_.finish(begun, a);
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
  explicit Reader(Arena& arena) : builder_(arena) {}

  struct Level {
    FieldSet below;
    bool member = false;  // "." stands there, or nothing else does
  };
  Result<Level> read(const Value& v, std::size_t depth) {
    if (v.is_null()) return Level{{}, true};
    if (!v.is_object()) {
      return fail(Code::kParse, "expected an object of fields, got {}", value::to_string(v.type()));
    }
    if (depth > kMaxFieldDepth)
      return fail(Code::kLimit, "fields are nested deeper than {}", kMaxFieldDepth);
    Level out;
    const std::size_t begun = builder_.begin();
    for (const Member& m : v.members()) {
      if (m.key == ".") {
        out.member = true;
        continue;
      }
      const Result<PathElement> element = PathElement::read(m.key, builder_.arena());
      // A kind of element that only a newer server knows is dropped, not refused, so that an object
      // that such a server wrote can still be updated.
      if (!element && element.error().code() == Code::kUnsupported) continue;
      if (!element) return std::unexpected(element.error());
      STRAKE_TRY(const Level inner, read(m.value, depth + 1));
      builder_.add({*element, inner.member, inner.below});
    }
    out.below = builder_.finish_unsorted(begun);
    out.member = out.member || out.below.empty();
    return out;
  }

 private:
  FieldSetBuilder builder_;
};

class Writer {
 public:
  explicit Writer(Arena& arena) : arena_(arena) {}

  Value write(const FieldSet& set, bool with_self) {
    const std::size_t size = set.entries().size() + (with_self ? 1 : 0);
    auto* members = arena_.allocate_array<Member>(size);
    std::size_t at = 0;
    if (with_self) members[at++] = {".", Value::object({})};
    for (const Entry& e : set.entries()) {
      text_.clear();
      e.element.write(text_);
      const std::string_view key = arena_.copy(text_);
      members[at++] = {key, write(e.below, e.member && !e.below.empty())};
    }
    const auto before = [](const Member& a, const Member& b) {
      return value::compare_keys(a.key, b.key) < 0;
    };
    // Sets are sorted by element, the API shows them by text. For levels of fields alone, which
    // most are, the two orders agree.
    if (!std::is_sorted(members, members + size, before))
      std::sort(members, members + size, before);
    return Value::object({members, size});
  }

 private:
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
  STRAKE_TRY(const Reader::Level root, Reader(arena).read(fields_v1, 0));
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

FieldSet FieldSetBuilder::finish(std::size_t begun, const FieldSet& like) {
  const std::span<const Entry> made(stack_.data() + begun, stack_.size() - begun);
  const bool unchanged = std::equal(made.begin(), made.end(), like.entries().begin(),
                                    like.entries().end(), [](const Entry& x, const Entry& y) {
                                      return x.member == y.member && x.below.same_tree(y.below) &&
                                             x.element == y.element;
                                    });
  FieldSet out = like;
  if (!unchanged) {
    auto* laid = arena_.allocate_array<Entry>(made.size());
    std::uninitialized_copy(made.begin(), made.end(), laid);
    out = FieldSet({laid, made.size()});
  }
  stack_.erase(stack_.begin() + static_cast<std::ptrdiff_t>(begun), stack_.end());
  return out;
}

// For what comes from outside: fieldsV1 is sorted by text, and may name an element twice (a key
// written in two ways). The usual order needs no sorting, so a look comes first.
FieldSet FieldSetBuilder::finish_unsorted(std::size_t begun) {
  const auto first = stack_.begin() + static_cast<std::ptrdiff_t>(begun);
  if (!std::is_sorted(first, stack_.end(), precedes)) std::sort(first, stack_.end(), precedes);
  auto kept = first;
  for (auto at = first; at != stack_.end(); ++at) {
    if (kept != first && (kept - 1)->element == at->element) {
      Entry& same = *(kept - 1);
      same = {same.element, same.member || at->member, patch::unite(same.below, at->below, arena_)};
    } else {
      *kept++ = *at;
    }
  }
  stack_.erase(kept, stack_.end());
  return finish(begun);
}

}  // namespace strake::patch
