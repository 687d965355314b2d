#include "patch/ownership.h"

#include <algorithm>
#include <new>
#include <utility>

#include "patch/typed_check.h"

// Who owns a field after a write. The rule is that of kube-apiserver 1.36: a manager keeps a field
// as long as nobody else changes its value. So a write compares the object before and after it, and
// every other manager loses what changed: without force, losing anything is a conflict.
//
// Managers may have written at different versions of the API. Their sets are names of fields at
// that version, so the two objects are converted to it, and compared there; Comparisons makes each
// comparison once, because most objects have several managers and one version.

namespace strake::patch {

using value::Member;
using value::Value;

namespace {

constexpr std::size_t kMaxUpdateOwners = 10;

FieldSet untracked_fields() {
  static Arena memory;
  static const FieldSet fields = [] {
    FieldSet out;
    for (const std::string_view name : {"apiVersion", "kind", "metadata"})
      out = unite(out, FieldSet::of({name}, memory), memory);
    for (const std::string_view name :
         {"name", "namespace", "creationTimestamp", "selfLink", "uid", "clusterName", "generation",
          "managedFields", "resourceVersion"}) {
      out = unite(out, FieldSet::of({"metadata", name}, memory), memory);
    }
    return out;
  }();
  return fields;
}

// The comparison of two objects at any version, made once for each.
class Comparisons {
 public:
  struct Changes {
    Comparison comparison;
    FieldSet set;  // what is modified or added
  };

  Comparisons(const Value& before, const Value& after, const Scope& scope, Arena& arena)
      : before_(before), after_(after), scope_(scope), arena_(arena) {}

  // The one at the version of the request, when it is there already.
  void start_with(const Comparison& own) { own_ = settle(own); }

  // Null when the version is not known.
  Result<const Changes*> at(std::string_view version) {
    const bool is_own = version == scope_.api_version;
    if (is_own && own_) return &*own_;
    if (const auto made = made_.find(version); made != made_.end()) return &made->second;
    const std::optional<FieldType> type = scope_.type_at(version);
    if (!type) return nullptr;
    STRAKE_TRY(const Value before, scope_.at(before_, version, arena_));
    STRAKE_TRY(const Value after, scope_.at(after_, version, arena_));
    const Changes made = settle(compare_fields(before, after, *type, arena_));
    if (is_own) return &own_.emplace(made);
    return &made_.emplace(version, made).first->second;
  }

 private:
  Changes settle(Comparison made) {
    for (FieldSet* set : {&made.removed, &made.modified, &made.added})
      *set = recursive_difference(*set, scope_.reset, arena_);
    return {made, unite(made.modified, made.added, arena_)};
  }

  const Value& before_;
  const Value& after_;
  const Scope& scope_;
  Arena& arena_;
  std::optional<Changes> own_;  // most objects have been written at one version
  std::map<std::string_view, Changes> made_;
};

std::vector<FieldConflict> list_conflicts(const Owners& owners,
                                          const std::vector<FieldSet>& taken) {
  std::vector<FieldConflict> out;
  for (std::size_t i = 0; i < owners.size(); ++i) {
    taken[i].each([&](const FieldSteps& path) { out.push_back({owners[i], path}); });
  }
  return out;
}

}  // namespace

std::optional<FieldType> Scope::type_at(std::string_view version) const {
  if (version == api_version) return type;
  if (others == nullptr) return std::nullopt;
  const auto schema = others->schema(version);
  if (!schema) return std::nullopt;
  return FieldType::of_resource(*schema);
}

bool Scope::is_at(const Value& object, std::string_view version) const {
  if (others == nullptr) return true;
  const Value* own = object.find("apiVersion");
  return own == nullptr || (own->is_string() && own->as_string() == version);
}

Result<Value> Scope::at(const Value& object, std::string_view version, Arena& arena) const {
  if (is_at(object, version)) return object;
  STRAKE_TRY(const Value converted, others->convert(object, version, arena));
  const TypedFaults faults = check_typed(converted, *type_at(version), Duplicates::kRefused, arena);
  if (!faults.empty()) return fail(Code::kInvalid, "{}", to_string(faults));
  return converted;
}

FieldSet fields_named(std::span<const std::string_view> paths, Arena& arena) {
  FieldSet out;
  for (std::string_view path : paths) {
    FieldSet one;
    while (true) {
      const std::size_t dot = path.rfind('.');
      auto* entry = arena.allocate_array<FieldSet::Entry>(1);
      const std::string_view last = path.substr(dot + 1);  // all of it without a dot
      one = FieldSet(
          {new (entry) FieldSet::Entry{PathElement::field(arena.copy(last)), one.empty(), one}, 1});
      if (dot == std::string_view::npos) break;
      path = path.substr(0, dot);
    }
    out = unite(out, one, arena);
  }
  return out;
}

void reconcile_owners(Owners& owners, const Scope& scope, Arena& arena) {
  std::erase_if(owners, [&](const Owner& owner) {
    return scope.others != nullptr && !scope.type_at(owner.api_version);
  });
  for (Owner& owner : owners) {
    if (const auto type = scope.type_at(owner.api_version))
      owner.fields = reconcile(owner.fields, *type, arena);
  }
}

Result<Settled> settle_owners(Owners& owners, const Owner* writer, const Value& before,
                              const Value& after, const Comparison* compared, bool force,
                              const Scope& scope, Arena& arena) {
  Settled out;
  Comparisons comparisons(before, after, scope, arena);
  if (compared != nullptr) comparisons.start_with(*compared);
  STRAKE_TRY(const Comparisons::Changes* own, comparisons.at(scope.api_version));
  out.comparison = own->comparison;
  if (owners.empty()) return out;

  std::vector<FieldSet> taken(owners.size());
  std::vector<FieldSet> left(owners.size());
  for (std::size_t i = 0; i < owners.size(); ++i) {
    left[i] = owners[i].fields;
    if (writer != nullptr && owners[i].same_as(*writer)) continue;
    STRAKE_TRY(const Comparisons::Changes* changed, comparisons.at(owners[i].api_version));
    if (changed == nullptr) continue;
    taken[i] = intersection(owners[i].fields, changed->set, arena);
    // A field that is gone belongs to nobody; that is no conflict, since nothing was overwritten.
    left[i] = difference(difference(left[i], taken[i], arena), changed->comparison.removed, arena);
  }
  if (!force) {
    out.conflicts = list_conflicts(owners, taken);
    if (!out.conflicts.empty()) return out;
  }
  for (std::size_t i = 0; i < owners.size(); ++i) owners[i].fields = left[i];
  std::erase_if(owners, [](const Owner& owner) { return owner.fields.empty(); });
  return out;
}

FieldSet strip_untracked(const FieldSet& set, Arena& arena) {
  return difference(set, untracked_fields(), arena);
}

void cap_updates(Owners& owners, Arena& arena) {
  if (owners.size() <= kMaxUpdateOwners) return;
  Owners updates;
  std::copy_if(owners.begin(), owners.end(), std::back_inserter(updates),
               [](const Owner& owner) { return !owner.applied; });
  if (updates.size() <= kMaxUpdateOwners) return;
  std::sort(updates.begin(), updates.end(), [](const Owner& a, const Owner& b) {
    if (a.seconds() != b.seconds()) return a.seconds() < b.seconds();
    return a.identity() < b.identity();
  });

  // Entries can be merged only within a version: sets of two versions name different fields. The
  // oldest go first, so that a busy object keeps the history that is still of interest. Without
  // this bound, clients that update under ever new names would grow the object without end.
  // The first of a version waits for a second one to be merged with.
  std::map<std::string_view, Owner> firsts;
  std::size_t count = updates.size();
  for (std::size_t i = 0; i < updates.size() && count > kMaxUpdateOwners; ++i) {
    const Owner& next = updates[i];
    const auto [first, alone] = firsts.emplace(next.api_version, next);
    if (alone) continue;
    Owner bucket{.manager = "ancient-changes", .api_version = next.api_version};
    if (find_owner(owners, bucket) == nullptr) {
      bucket.fields = first->second.fields;
      remove_owner(owners, first->second);
      owners.push_back(bucket);
    }
    const Owner& merged = next.same_as(bucket) ? first->second : next;
    Owner& into = *find_owner(owners, bucket);
    into.fields = unite(merged.fields, into.fields, arena);
    into.time = next.time;
    remove_owner(owners, merged);
    --count;
  }
}

namespace {

// The object with other metadata, or none; nothing is edited in place, since an object that came
// out of a patch shares its parts with the one before.
Value with_metadata(const Value& object, const Value* metadata, Arena& arena) {
  auto* members = arena.allocate_array<Member>(object.size());
  std::copy(object.members().begin(), object.members().end(), members);
  Value out = Value::object({members, object.size()});
  if (metadata != nullptr) out.set("metadata", *metadata, arena);
  return out;
}

}  // namespace

Value without_managed_fields(const Value& object, Arena& arena) {
  const Value* metadata = object.find("metadata");
  if (metadata == nullptr || metadata->find("managedFields") == nullptr) return object;
  auto* members = arena.allocate_array<Member>(metadata->size());
  const auto* end = std::copy_if(metadata->members().begin(), metadata->members().end(), members,
                                 [](const Member& m) { return m.key != "managedFields"; });
  const Value less = Value::object({members, static_cast<std::size_t>(end - members)});
  return with_metadata(object, &less, arena);
}

Value with_managed_fields(const Value& object, Owners owners, Arena& arena) {
  if (owners.empty()) return without_managed_fields(object, arena);
  const Value* old = object.find("metadata");
  const std::span<const Member> none;
  const auto from = old != nullptr && old->is_object() ? old->members() : none;
  auto* members = arena.allocate_array<Member>(from.size());
  std::copy(from.begin(), from.end(), members);
  Value metadata = Value::object({members, from.size()});
  metadata.set("managedFields", write_owners(std::move(owners), arena), arena);
  return with_metadata(object, &metadata, arena);
}

}  // namespace strake::patch
