#include "validate/presence.h"

#include <algorithm>
#include <unordered_set>

#include "schema/node.h"
#include "value/members.h"

// Compares an object as it was sent with what settling made of it: what was there, what was null,
// what a default filled in. Both are walked together in key order, which both have, so the cost is
// linear.

namespace strake::validate {
namespace {

using value::Member;
using value::Value;

// Goes down two values side by side. Values may be nested as deep as the reader allows, so no
// recursion. The visitor sees each pair before its parts, and says whether to go on below.
class PairWalk {
 public:
  // Either may be null where the other has something.
  using Visit = std::function<bool(const Value* sent, const Value* settled, const PairWalk& at)>;

  const FieldPath& path() const { return path_; }
  const std::string& pointer() const { return pointer_; }

  void run(const Value& sent, const Value& settled, const Visit& visit) {
    enter(&sent, &settled, visit);
    while (!open_.empty()) {
      Pair& top = open_.back();
      const Value* a = nullptr;
      const Value* b = nullptr;
      if (!next(top, a, b)) {
        open_.pop_back();
        if (!open_.empty()) leave();
        continue;
      }
      if (!enter(a, b, visit)) leave();
    }
  }

 private:
  struct Pair {
    const Value* sent;
    const Value* settled;
    std::size_t i = 0;
    std::size_t j = 0;
  };

  // The pointer grows and shrinks with the path, since a deep value would take long otherwise.
  void step(const FieldPath::Step& step) {
    lengths_.push_back(pointer_.size());
    FieldPath one;
    if (step.kind == FieldPath::Kind::kIndex) {
      path_.push_index(step.index);
      one.push_index(step.index);
    } else {
      path_.push_field(step.name);
      one.push_field(step.name);
    }
    pointer_ += one.to_pointer();
  }
  void leave() {
    path_.pop();
    pointer_.resize(lengths_.back());
    lengths_.pop_back();
  }

  bool enter(const Value* a, const Value* b, const Visit& visit) {
    if (!visit(a, b, *this)) return false;
    const auto is_container = [](const Value* v) {
      return v != nullptr && (v->is_array() || v->is_object());
    };
    // A value that became one of another type has no parts in common with it.
    if (a != nullptr && b != nullptr && a->type() != b->type()) a = nullptr;
    if (!is_container(b != nullptr ? b : a)) return false;
    open_.push_back({a, b});
    return true;
  }

  // The next part that either has: members in the order of their keys, elements by index.
  bool next(Pair& pair, const Value*& a, const Value*& b) {
    const Value* any = pair.settled != nullptr ? pair.settled : pair.sent;
    if (any->is_array()) {
      const std::size_t most = std::max(pair.sent != nullptr ? pair.sent->size() : 0,
                                        pair.settled != nullptr ? pair.settled->size() : 0);
      if (pair.i >= most) return false;
      if (pair.sent != nullptr && pair.i < pair.sent->size()) a = &pair.sent->items()[pair.i];
      if (pair.settled != nullptr && pair.i < pair.settled->size())
        b = &pair.settled->items()[pair.i];
      step({FieldPath::Kind::kIndex, pair.i++, {}});
      return true;
    }
    const Member* left = member_at(pair.sent, pair.i);
    const Member* right = member_at(pair.settled, pair.j);
    if (left == nullptr && right == nullptr) return false;
    const int order = left == nullptr    ? 1
                      : right == nullptr ? -1
                                         : value::compare_keys(left->key, right->key);
    if (order <= 0) a = &left->value, ++pair.i;
    if (order >= 0) b = &right->value, ++pair.j;
    step({FieldPath::Kind::kField, 0, std::string(order <= 0 ? left->key : right->key)});
    return true;
  }

  static const Member* member_at(const Value* v, std::size_t i) {
    return v != nullptr && i < v->size() ? &v->members()[i] : nullptr;
  }

  std::vector<Pair> open_;
  FieldPath path_;
  std::string pointer_;
  std::vector<std::size_t> lengths_;
};

// Pointers of a deep document may be many times as long as the document.
constexpr std::size_t kMostBytes = std::size_t{32} << 20;

bool has_prefix(std::string_view pointer, std::string_view prefix) {
  return pointer.starts_with(prefix) &&
         (pointer.size() == prefix.size() || pointer[prefix.size()] == '/');
}

// Items of a list may leave out their kind; what the list said for them is no default.
bool is_filled_type(const Value* sent, const FieldPath& at) {
  return sent == nullptr && at.steps().size() == 1 &&
         at.steps()[0].kind != FieldPath::Kind::kIndex && schema::is_type_meta(at.steps()[0].name);
}

bool is_default(const Value* sent, const Value* settled) {
  return settled != nullptr && (sent == nullptr || (sent->is_null() && !settled->is_null()));
}

}  // namespace

bool PresenceOptions::selects(std::string_view pointer) const {
  const auto covers = [&](const std::string& prefix) { return has_prefix(pointer, prefix); };
  if (std::ranges::any_of(exclude, covers)) return false;
  return include.empty() || std::ranges::any_of(include, covers);
}

Result<> check_prefixes(const PresenceOptions& options) {
  for (const auto* prefixes : {&options.include, &options.exclude}) {
    for (const std::string& prefix : *prefixes) {
      FieldPath path;
      if (!FieldPath::parse_pointer(prefix, path))
        return fail(Code::kUsage, "\"{}\" is not a JSON pointer such as /spec/replicas", prefix);
    }
  }
  return {};
}

bool presence_of(const Value& sent, const Value& settled, const KnownNull& known_null,
                 const PresenceOptions& options, std::vector<Presence>& out) {
  std::size_t bytes = 0;
  PairWalk().run(sent, settled, [&](const Value* a, const Value* b, const PairWalk& at) {
    if (bytes > kMostBytes || is_filled_type(a, at.path())) return false;
    if (b == nullptr && !(a->is_null() && known_null(at.path()))) return false;
    if (options.selects(at.pointer())) {
      bytes += at.pointer().size() + sizeof(Presence);
      out.push_back({.pointer = at.pointer(),
                     .seen = a != nullptr,
                     .was_null = a != nullptr && a->is_null(),
                     .default_applied = is_default(a, b)});
    }
    return true;
  });
  return bytes <= kMostBytes;
}

std::vector<std::string> defaulted_places(const Value& sent, const Value& settled) {
  std::vector<std::string> out;
  PairWalk().run(sent, settled, [&](const Value* a, const Value* b, const PairWalk& at) {
    if (b == nullptr || is_filled_type(a, at.path())) return false;
    if (!is_default(a, b)) return true;
    out.push_back(at.pointer());
    return false;
  });
  return out;
}

Value preserved(const Value& sent, const Value& settled, const KnownNull& known_null,
                Arena& arena) {
  Value out = value::deep_copy(sent, arena);
  std::unordered_set<const Value*> pruned;
  PairWalk().run(out, settled, [&](const Value* a, const Value* b, const PairWalk& at) {
    if (a == nullptr) return false;
    const bool gone = b == nullptr && !(a->is_null() && known_null(at.path()));
    if (gone) pruned.insert(a);
    return !gone && b != nullptr && a->type() == b->type();
  });
  if (pruned.empty()) return out;
  // Members are looked for where they stood, so those of an object go in one pass.
  std::vector<Value*> open{&out};
  while (!open.empty()) {
    Value& here = *open.back();
    open.pop_back();
    value::remove_members(here, [&](const Member& m) { return pruned.contains(&m.value); });
    for (Member& m : here.mutable_members()) open.push_back(&m.value);
    for (Value& item : here.mutable_items()) open.push_back(&item);
  }
  return out;
}

}  // namespace strake::validate
