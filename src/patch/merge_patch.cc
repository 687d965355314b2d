#include "patch/merge_patch.h"

#include <algorithm>
#include <vector>

#include "patch/containers.h"

namespace strake::patch {

using value::Member;
using value::Value;

namespace {

// Two sorted lists of members walked as one: each key once, with what either side has.
template <typename Visit>
void zip(std::span<const Member> a, std::span<const Member> b, Visit visit) {
  auto x = a.begin();
  auto y = b.begin();
  while (x != a.end() || y != b.end()) {
    const int order = x == a.end() ? 1 : y == b.end() ? -1 : value::compare_keys(x->key, y->key);
    visit(order <= 0 ? x->key : y->key, order <= 0 ? &x->value : nullptr,
          order >= 0 ? &y->value : nullptr);
    if (order <= 0) ++x;
    if (order >= 0) ++y;
  }
}

// Takes out the members that are null, at any depth. The tree is the caller's own.
void prune_nulls(Value& root) {
  std::vector<Value*> pending{&root};
  while (!pending.empty()) {
    Value& v = *pending.back();
    pending.pop_back();
    if (v.is_array()) {
      for (Value& item : v.mutable_items()) pending.push_back(&item);
    } else if (v.is_object()) {
      const std::span<Member> members = v.mutable_members();
      const auto kept = std::remove_if(members.begin(), members.end(),
                                       [](const Member& m) { return m.value.is_null(); });
      v.truncate(static_cast<std::size_t>(kept - members.begin()));
      for (Member& m : v.mutable_members()) pending.push_back(&m.value);
    }
  }
}

struct Merge {
  Value* target;       // holds the document's value, to become the patched one
  const Value* patch;  // an object
};

// Merges one level, noting the objects below that are to be merged too.
void merge_level(const Merge& merge, Arena& arena, std::vector<Merge>& pending) {
  const std::span<const Member> old = merge.target->members();
  const std::span<const Member> patch = merge.patch->members();
  std::size_t count = 0;
  zip(old, patch, [&](std::string_view, const Value*, const Value* given) {
    count += given == nullptr || !given->is_null() ? 1 : 0;
  });
  auto* merged = arena.allocate_array<Member>(count);
  std::size_t at = 0;
  zip(old, patch, [&](std::string_view key, const Value* was, const Value* given) {
    if (given == nullptr) {
      merged[at++] = {key, *was};
    } else if (!given->is_null()) {
      Member& out = merged[at++];
      if (was != nullptr && was->is_object() && given->is_object()) {
        out = {key, *was};
        pending.push_back({&out.value, given});
      } else {
        out = {was != nullptr ? key : arena.copy(key), value::deep_copy(*given, arena)};
        const bool object_to_array = was != nullptr && was->is_object();
        if (!object_to_array) prune_nulls(out.value);
      }
    }
  });
  *merge.target = Value::object({merged, count});
}

// One level of a comparison: two lists of members, how far it is, and what differs so far.
struct Level {
  std::string_view key;  // under which the outcome stands one level up
  std::span<const Member> from;
  std::span<const Member> to;
  std::vector<Member> patch;
};

// The next key of either side, with what each side has.
struct Step {
  std::string_view key;
  const Value* from = nullptr;
  const Value* to = nullptr;
};

Step advance(Level& level) {
  const bool more_from = !level.from.empty();
  const int order = !more_from         ? 1
                    : level.to.empty() ? -1
                                       : value::compare_keys(level.from[0].key, level.to[0].key);
  Step step;
  if (order >= 0) {
    step = {level.to[0].key, nullptr, &level.to[0].value};
    level.to = level.to.subspan(1);
  }
  if (order <= 0) {
    step.key = level.from[0].key;
    step.from = &level.from[0].value;
    level.from = level.from.subspan(1);
  }
  return step;
}

bool both_objects(const Value& a, const Value& b) { return a.is_object() && b.is_object(); }

}  // namespace

Value apply_merge_patch(const Value& document, const Value& patch, Arena& arena) {
  if (!both_objects(document, patch)) {
    Value out = value::deep_copy(patch, arena);
    if (!document.is_object()) prune_nulls(out);
    return out;
  }
  Value root = document;
  std::vector<Merge> pending{{&root, &patch}};
  while (!pending.empty()) {
    const Merge merge = pending.back();
    pending.pop_back();
    if (merge.patch->size() != 0) merge_level(merge, arena, pending);
  }
  return root;
}

Value make_merge_patch(const Value& from, const Value& to, Arena& arena) {
  if (!both_objects(from, to)) return to;
  std::vector<Level> levels{{{}, from.members(), to.members(), {}}};
  while (true) {
    Level& level = levels.back();
    if (level.from.empty() && level.to.empty()) {
      const Value made = object_of(level.patch, arena);
      const std::string_view key = level.key;
      levels.pop_back();
      if (levels.empty()) return made;
      if (made.size() != 0) levels.back().patch.push_back({key, made});
      continue;
    }
    const Step step = advance(level);
    if (step.to == nullptr) {
      level.patch.push_back({step.key, Value()});
    } else if (step.from == nullptr) {
      level.patch.push_back({step.key, *step.to});
    } else if (both_objects(*step.from, *step.to)) {
      levels.push_back({step.key, step.from->members(), step.to->members(), {}});
    } else if (!value::identical(*step.from, *step.to)) {
      level.patch.push_back({step.key, *step.to});
    }
  }
}

}  // namespace strake::patch
