#include "patch/strategic_merge.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "patch/containers.h"
#include "patch/go_text.h"
#include "patch/strategic_list.h"
#include "value/go_type.h"

// Strategic merge patch as kube-apiserver 1.36 applies it to built-in kinds: objects are merged
// member by member, lists either replaced, or merged as sets of scalars, or merged by a key of
// their objects. Which one, the kind says (MergeFields). The patch can steer by directives: $patch
// (replace, delete), $retainKeys, $deleteFromPrimitiveList/x and $setElementOrder/x.
//
// The walk follows the patch, so that its cost depends on the patch and on the lists it touches,
// not on the object. The depth of the patch bounds the recursion and is checked before. The patch
// is copied first, because the directives are taken out of it on the way, as Go's code does: later
// steps, and messages that print the patch, see it without them.
//
// Quirks of the original are kept where they show in results; each is named where it stands. See
// docs/adr/0007-two-strategic-merges.md for the other strategic merge, kustomize's.

namespace strake::patch {

using value::Member;
using value::Value;

namespace {

constexpr std::size_t kMaxPatchDepth = 1'000;
constexpr std::string_view kDirective = "$patch";
constexpr std::string_view kRetainKeys = "$retainKeys";
constexpr std::string_view kDeleteFromList = "$deleteFromPrimitiveList";
constexpr std::string_view kSetElementOrder = "$setElementOrder";

// The members of an object while they are merged. What is added and removed stands beside them
// until the end: members are sorted, and putting many into their midst one by one would take the
// square of their number.
class Draft {
 public:
  explicit Draft(const Value& object) {
    if (object.is_object()) members_.assign(object.members().begin(), object.members().end());
    gone_.resize(members_.size());
  }

  const Value* find(std::string_view key) const {
    if (const auto at = place(key)) return gone_[*at] ? nullptr : &members_[*at].value;
    const auto added = added_.find(key);
    return added != added_.end() ? &added->second : nullptr;
  }
  void set(std::string_view key, const Value& v) {
    if (const auto at = place(key)) {
      members_[*at].value = v;
      gone_[*at] = false;
    } else {
      added_.insert_or_assign(key, v);
    }
  }
  void remove(std::string_view key) {
    if (const auto at = place(key)) {
      gone_[*at] = true;
    } else {
      added_.erase(key);
    }
  }
  // Of what the object had.
  template <typename Unwanted>
  void remove_if(Unwanted unwanted) {
    for (std::size_t i = 0; i < members_.size(); ++i) gone_[i] = gone_[i] || unwanted(members_[i]);
  }

  Value finish(Arena& arena) const {
    std::vector<Member> out;
    out.reserve(members_.size() + added_.size());
    auto added = added_.begin();
    for (std::size_t i = 0; i < members_.size(); ++i) {
      if (gone_[i]) continue;
      for (; added != added_.end() && value::compare_keys(added->first, members_[i].key) < 0;
           ++added)
        out.push_back({added->first, added->second});
      out.push_back(members_[i]);
    }
    for (; added != added_.end(); ++added) out.push_back({added->first, added->second});
    return object_of(out, arena);
  }

 private:
  struct KeyLess {
    bool operator()(std::string_view a, std::string_view b) const {
      return value::compare_keys(a, b) < 0;
    }
  };

  // Where the object had the key.
  std::optional<std::size_t> place(std::string_view key) const {
    const auto at = std::ranges::lower_bound(members_, key, KeyLess(), &Member::key);
    if (at == members_.end() || at->key != key) return std::nullopt;
    return static_cast<std::size_t>(at - members_.begin());
  }

  std::vector<Member> members_;
  std::vector<bool> gone_;  // which of them
  std::map<std::string_view, Value, KeyLess> added_;
};

bool deeper_than(const Value& root, std::size_t limit) {
  std::vector<std::pair<const Value*, std::size_t>> pending{{&root, 0}};
  while (!pending.empty()) {
    const auto [v, depth] = pending.back();
    pending.pop_back();
    if (depth > limit) return true;
    if (v->is_array()) {
      for (const Value& item : v->items()) pending.emplace_back(&item, depth + 1);
    } else if (v->is_object()) {
      for (const Member& m : v->members()) pending.emplace_back(&m.value, depth + 1);
    }
  }
  return false;
}

// Takes members that are null out of a part of the patch, which is ours.
void discard_nulls(Value& v) {
  if (v.is_array()) {
    for (Value& item : v.mutable_items()) discard_nulls(item);
  } else if (v.is_object()) {
    const std::span<Member> members = v.mutable_members();
    const auto kept = std::remove_if(members.begin(), members.end(),
                                     [](const Member& m) { return m.value.is_null(); });
    v.truncate(static_cast<std::size_t>(kept - members.begin()));
    for (Member& m : v.mutable_members()) discard_nulls(m.value);
  }
}

// Takes objects with a directive out of a part of the patch. False when it is one itself.
bool remove_directives(Value& v) {
  if (v.is_array()) {
    const std::span<Value> items = v.mutable_items();
    const auto kept = std::remove_if(items.begin(), items.end(),
                                     [](Value& item) { return !remove_directives(item); });
    v.truncate(static_cast<std::size_t>(kept - items.begin()));
  } else if (v.is_object()) {
    if (v.find(kDirective) != nullptr) return false;
    const std::span<Member> members = v.mutable_members();
    const auto kept = std::remove_if(members.begin(), members.end(),
                                     [](Member& m) { return !remove_directives(m.value); });
    v.truncate(static_cast<std::size_t>(kept - members.begin()));
  }
  return true;
}

bool is_text(const Value* v, std::string_view text) {
  return v != nullptr && v->is_string() && v->as_string() == text;
}

std::unexpected<Error> bad_directive(const Value& directive, const Value& patch) {
  const std::string shown =
      directive.is_string() || directive.is_array() || directive.is_object() ? go_text(directive)
      : directive.is_null()                                                  ? "%!s(<nil>)"
                            : fmt::format("%!s({}={})", go_type(directive), go_text(directive));
  return fail(Code::kInternal, "unknown patch type: {} in map: {}", shown, go_text(patch));
}

// The name after the slash of $setElementOrder/name.
Result<std::string_view> named_list(std::string_view key, std::string_view prefix,
                                    std::string_view fault) {
  const std::size_t slash = key.find('/');
  if (slash == std::string_view::npos || key.substr(0, slash) != prefix)
    return fail(Code::kBadRequest, "{}", fault);
  return key.substr(slash + 1);
}

constexpr std::string_view kBadOrder = "invalid patch format of setElementOrder list";
constexpr std::string_view kBadDeletions = "invalid patch format of primitive list";
constexpr std::string_view kBadRetainKeys = "invalid patch format of retainKeys";

// Merges along the patch, whose depth was checked and whose memory is ours.
class StrategicMerger {
 public:
  explicit StrategicMerger(Arena& arena) : arena_(arena) {}

  Result<Value> merge_objects(const Value& original, Value& patch, const MergeFields* fields) {
    if (const Value* directive = patch.find(kDirective)) {
      if (is_text(directive, "replace")) {
        patch.remove(kDirective);
        return patch;
      }
      if (is_text(directive, "delete")) return Value::object({});
      return bad_directive(*directive, patch);
    }
    Draft draft(original);
    STRAKE_CHECK(retain_keys(draft, patch));
    // Ordered lists come before all members: ordering a list merges it, and takes it out of the
    // patch.
    STRAKE_CHECK(order_lists(draft, patch, fields));
    for (Member& m : patch.mutable_members()) {
      if (m.key.starts_with(kSetElementOrder)) continue;
      STRAKE_CHECK(merge_member(draft, m, fields));
    }
    return draft.finish(arena_);
  }

 private:
  static const MergeField& field_of(const MergeFields* fields, std::string_view name) {
    static const MergeField unknown{};
    const MergeField* found = fields != nullptr ? fields->find(name) : nullptr;
    return found != nullptr ? *found : unknown;
  }

  // What the patch retains, and of the object nothing else.
  static Result<> retain_keys(Draft& draft, Value& patch) {
    const Value* found = patch.find(kRetainKeys);
    if (found == nullptr) return {};
    const Value retained = *found;
    patch.remove(kRetainKeys);
    if (!retained.is_array()) return fail(Code::kBadRequest, "{}", kBadRetainKeys);
    std::set<std::string_view> names;
    for (const Value& item : retained.items()) {
      if (item.is_string()) names.insert(item.as_string());
    }
    for (const Member& m : patch.members()) {
      const bool own = m.value.is_null() || m.key.starts_with(kDeleteFromList) ||
                       m.key.starts_with(kSetElementOrder);
      if (!own && !names.contains(m.key)) return fail(Code::kBadRequest, "{}", kBadRetainKeys);
    }
    draft.remove_if([&](const Member& m) { return !names.contains(m.key); });
    return {};
  }

  // Merges and orders the lists that the patch orders, and takes them out of it.
  Result<> order_lists(Draft& draft, Value& patch, const MergeFields* fields) {
    std::vector<std::string_view> orders;
    for (const Member& m : patch.members()) {
      if (m.key.starts_with(kSetElementOrder)) orders.push_back(m.key);
    }
    // Taken out all at once in the end: members are sorted, and a patch may order many lists.
    std::set<std::string_view> taken;
    for (const std::string_view order : orders)
      STRAKE_CHECK(order_list(draft, patch, order, fields, taken));
    const std::span<Member> members = patch.mutable_members();
    const auto kept = std::remove_if(members.begin(), members.end(),
                                     [&](const Member& m) { return taken.contains(m.key); });
    patch.truncate(static_cast<std::size_t>(kept - members.begin()));
    return {};
  }

  Result<> order_list(Draft& draft, Value& patch, std::string_view order_key,
                      const MergeFields* fields, std::set<std::string_view>& taken) {
    // An order may itself be what another one orders.
    const Value order = taken.contains(order_key) ? Value() : patch.get(order_key);
    if (!order.is_array()) return bad_type("[]interface {}", order);
    STRAKE_TRY(const std::string_view name, named_list(order_key, kSetElementOrder, kBadOrder));
    const Value* original = draft.find(name);
    Value* given = patch.find(name);
    if (original != nullptr && !original->is_array()) return bad_type("[]interface {}", *original);
    if (given != nullptr && !given->is_array()) return bad_type("[]interface {}", *given);
    const MergeField& field = field_of(fields, name);
    if (given != nullptr) STRAKE_CHECK(check_order(*given, order, field.key));
    if (original == nullptr && given == nullptr) return {};

    Value server = original != nullptr ? *original : Value::array({});
    const Value sent = given != nullptr ? *given : Value::array({});
    Value merged = server;
    if (original == nullptr) {
      remove_directives(*given);
      merged = *given;
    } else if (given != nullptr) {
      STRAKE_TRY(merged, merge_lists(server, *given, field, false, &server));
    }
    // The lists are asked for one type of item even when one of them is all there is: two empty
    // ones are an error in the original, and so they are here.
    STRAKE_CHECK(holds_objects(server.items(), sent.items()));
    STRAKE_TRY(const ValueList ordered,
               put_in_order(merged.items(), order.items(), server.items(), field.key));
    draft.set(name, array_of(ordered, arena_));
    taken.insert(name);
    return {};
  }

  // The items of the patch must stand in its order, each of them, but for those to be deleted.
  static Result<> check_order(const Value& given, const Value& order, std::string_view merge_key) {
    if (order.size() == 0 || given.size() == 0) return {};
    std::size_t at = 0;
    for (const Value& item : given.items()) {
      if (!merge_key.empty() && !item.is_object()) return bad_type("map[string]interface {}", item);
      if (item.find(kDirective) != nullptr) continue;
      bool found = false;
      while (!found && at < order.size()) {
        STRAKE_TRY(found, same_item(item, order.items()[at], merge_key));
        ++at;
      }
      if (!found) {
        return fail(Code::kInternal, "The order in patch list:\n{}\n doesn't match {} list:\n{}\n",
                    go_text(given), kSetElementOrder, go_text(order));
      }
    }
    return {};
  }

  static Result<bool> same_item(const Value& a, const Value& b, std::string_view merge_key) {
    if (merge_key.empty()) return value::identical(a, b);
    for (const Value* v : {&a, &b}) {
      if (!v->is_object()) return bad_type("map[string]interface {}", *v);
      if (v->find(merge_key) == nullptr) return no_merge_key(*v, merge_key);
    }
    return value::identical(a.get(merge_key), b.get(merge_key));
  }

  Result<> merge_member(Draft& draft, Member& m, const MergeFields* fields) {
    std::string_view name = m.key;
    const bool deletions = name.starts_with(kDeleteFromList);
    if (deletions) {
      STRAKE_TRY(name, named_list(name, kDeleteFromList, kBadDeletions));
      if (name.empty()) name = m.key;
    }
    if (m.value.is_null()) {
      draft.remove(name);
      return {};
    }
    const Value* original = draft.find(name);
    // A change of type replaces, and so does a member that is new: there is nothing to merge with.
    // What is left of the directives in it would end in the object, so they go.
    if (original == nullptr || original->type() != m.value.type()) {
      if (!deletions) take_over(draft, name, m.value);
      return {};
    }
    const MergeField& field = field_of(fields, name);
    if (m.value.is_object() && field.strategy == MergeField::Strategy::kReplace) {
      draft.set(name, m.value);
    } else if (m.value.is_object()) {
      STRAKE_TRY(const Value merged, merge_objects(*original, m.value, field.below));
      draft.set(name, merged);
    } else if (m.value.is_array()) {
      STRAKE_TRY(const Value merged, merge_lists(*original, m.value, field, deletions));
      draft.set(name, merged);
    } else {
      draft.set(name, m.value);
    }
    return {};
  }

  static void take_over(Draft& draft, std::string_view name, Value& given) {
    discard_nulls(given);
    if (remove_directives(given)) {
      draft.set(name, given);
    } else {
      draft.remove(name);
    }
  }

  // `left` gets what kube-apiserver 1.36 leaves of the original list, by which it orders later on.
  Result<Value> merge_lists(const Value& original, Value& patch, const MergeField& field,
                            bool deletions, Value* left = nullptr) {
    const bool merges = field.strategy == MergeField::Strategy::kMerge ||
                        field.strategy == MergeField::Strategy::kMergeRetainKeys;
    if (!merges && !deletions) return patch;
    if (original.size() == 0 && patch.size() == 0) return original;
    STRAKE_TRY(const bool objects, holds_objects(original.items(), patch.items()));
    if (objects) return merge_object_lists(original, patch, field, left);
    if (deletions) return without(original, patch);
    ValueList merged;
    ItemIndex seen("");
    for (const Value* list : {&original, static_cast<const Value*>(&patch)}) {
      for (const Value& item : list->items()) {
        if (seen.find(item)) continue;
        seen.add(item);
        merged.push_back(item);
      }
    }
    STRAKE_TRY(const ValueList ordered,
               put_in_order(merged, patch.items(), original.items(), field.key));
    return array_of(ordered, arena_);
  }

  Value without(const Value& original, const Value& deleted) {
    const ItemIndex gone(deleted.items(), "");
    ValueList kept;
    for (const Value& item : original.items()) {
      if (!gone.find(item)) kept.push_back(item);
    }
    return array_of(kept, arena_);
  }

  Result<Value> merge_object_lists(const Value& original, Value& patch, const MergeField& field,
                                   Value* left) {
    if (field.key.empty())
      return fail(Code::kInternal, "cannot merge lists without merge key for struct");
    ValueList given;
    ItemIndex deleted(field.key);
    bool replace = false;
    for (const Value& item : patch.items()) {
      const Value* directive = item.find(kDirective);
      if (directive == nullptr) {
        given.push_back(item);
      } else if (is_text(directive, "delete")) {
        if (item.find(field.key) == nullptr) return no_merge_key(item, field.key);
        deleted.add(item);
      } else if (is_text(directive, "replace")) {
        replace = true;
      } else if (is_text(directive, "merge")) {
        return fail(Code::kInternal, "merging lists cannot yet be specified in the patch");
      } else {
        return bad_directive(*directive, item);
      }
    }
    ValueList server;
    if (replace) {
      server.swap(given);
    } else {
      for (const Value& item : original.items()) {
        if (item.find(field.key) == nullptr || !deleted.find(item)) server.push_back(item);
      }
    }
    STRAKE_TRY(const ValueList merged, merge_items(server, given, field));
    STRAKE_TRY(const ValueList ordered, put_in_order(merged, given, server, field.key));
    if (left != nullptr && !replace) {
      // It deletes items of the list in place, and what it appends then takes the room they had.
      const std::size_t seen = std::min(merged.size(), original.size());
      *left = array_of(std::span(merged).first(seen), arena_);
    }
    return array_of(ordered, arena_);
  }

  Result<ValueList> merge_items(const ValueList& server, ValueList& given,
                                const MergeField& field) {
    ValueList merged = server;
    ItemIndex places(merged, field.key);
    for (Value& item : given) {
      if (item.find(field.key) == nullptr) return no_merge_key(item, field.key);
      if (const auto place = places.find(item)) {
        // The order is by what the patch says, which merging may take from it.
        Value patch = value::deep_copy(item, arena_);
        STRAKE_TRY(merged[*place], merge_objects(merged[*place], patch, field.below));
      } else {
        merged.push_back(item);
        places.add(item);
      }
    }
    return merged;
  }

  Arena& arena_;
};

}  // namespace

const MergeField* MergeFields::find(std::string_view name) const {
  const auto at = std::find_if(fields.begin(), fields.end(),
                               [&](const MergeField& field) { return field.name == name; });
  return at != fields.end() ? &*at : nullptr;
}

const MergeFields& object_meta_merge_fields() {
  static const MergeFields fields{{
      {.name = "finalizers", .strategy = MergeField::Strategy::kMerge},
      {.name = "ownerReferences", .strategy = MergeField::Strategy::kMerge, .key = "uid"},
  }};
  return fields;
}

Result<Value> apply_strategic_merge(const Value& document, const Value& patch,
                                    const MergeFields& fields, Arena& arena) {
  if (!document.is_object() || !patch.is_object())
    return fail(Code::kBadRequest, "invalid JSON document");
  if (deeper_than(patch, kMaxPatchDepth))
    return fail(Code::kBadRequest, "the patch is nested deeper than {} levels", kMaxPatchDepth);
  Value own = value::deep_copy(patch, arena);
  return StrategicMerger(arena).merge_objects(document, own, &fields);
}

}  // namespace strake::patch
