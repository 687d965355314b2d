#include "patch/apply_prune.h"

#include <map>

#include "patch/typed_merge.h"

// What a manager applied before and leaves out now is to go, unless another manager owns it. With
// one version that would be a difference of sets. It is not, because of three things:
//
// - removing an item of a list, or a map, removes fields of others inside it: so everything that
// the
//   manager had goes first, and then what any owner has is put back (add_back_owned);
// - owners name fields at their own version: so putting back happens once for each version, on the
//   object converted to it;
// - a conversion may lose or invent fields that nobody meant to touch: so only the difference that
//   is found this way, within what the manager owned, is taken from the merged object in the end.

namespace strake::patch {

using value::Value;

namespace {

class Pruner {
 public:
  Pruner(const Scope& scope, Arena& arena) : scope_(scope), arena_(arena) {}

  Result<Value> prune(const Value& whole, const Owners& owners, const Owner& last) {
    const auto type = scope_.type_at(last.api_version);
    if (!type) return whole;
    STRAKE_TRY(const Value merged, scope_.at(whole, last.api_version, arena_));
    const FieldSet was = named(last.fields, *type);
    Value pruned = remove_fields(merged, was, *type, arena_);
    STRAKE_TRY(pruned, add_back_owned(merged, pruned, owners, last.api_version));

    // Only what the manager owned goes. What else was taken by taking a map or list that it had
    // named, or by a version that does not show it, stays.
    STRAKE_TRY(const Value left, scope_.at(pruned, last.api_version, arena_));
    const FieldSet gone = difference(fields(merged, *type), fields(left, *type), arena_);
    const Value result = remove_fields(merged, intersection(gone, was, arena_), *type, arena_);
    return scope_.at(result, scope_.api_version, arena_);
  }

 private:
  FieldSet named(const FieldSet& set, const FieldType& type) {
    return with_named_fields(set, type, arena_);
  }
  FieldSet fields(const Value& v, const FieldType& type) {
    return named(fields_of(v, type, arena_), type);
  }

  // Puts back what any owner has, at the version in which it has it; first at the version of the
  // objects, since what is missing may be needed to convert them.
  Result<Value> add_back_owned(const Value& merged, const Value& pruned, const Owners& owners,
                               std::string_view version) {
    std::map<std::string_view, FieldSet> owned;
    for (const Owner& owner : owners) {
      FieldSet& at_version = owned[owner.api_version];
      at_version = unite(at_version, owner.fields, arena_);
    }
    Value left = pruned;
    Value all = merged;
    if (const auto same = owned.find(version); same != owned.end()) {
      STRAKE_CHECK(add_back(all, left, version, same->second));
      owned.erase(same);
    }
    for (const auto& [other, set] : owned) STRAKE_CHECK(add_back(all, left, other, set));
    return left;
  }

  Result<> add_back(Value& merged, Value& pruned, std::string_view version, const FieldSet& owned) {
    const auto type = scope_.type_at(version);
    if (!type) return {};
    STRAKE_TRY(merged, scope_.at(merged, version, arena_));
    STRAKE_TRY(pruned, scope_.at(pruned, version, arena_));
    const FieldSet kept = unite(fields(pruned, *type), named(owned, *type), arena_);
    pruned = remove_fields(merged, difference(fields(merged, *type), kept, arena_), *type, arena_);
    return {};
  }

  const Scope& scope_;
  Arena& arena_;
};

}  // namespace

Result<Value> prune_applied(const Value& merged, const Owners& owners, const Owner& last,
                            const Scope& scope, Arena& arena) {
  if (last.fields.empty()) return merged;
  return Pruner(scope, arena).prune(merged, owners, last);
}

}  // namespace strake::patch
