#include <deque>
#include <map>
#include <mutex>

#include "kinds/derive.h"

namespace strake::kinds {
namespace {

using patch::MergeField;
using patch::MergeFields;

// The struct at the bottom of lists and maps of it; null for anything else.
const Type* struct_below(const TypeUse& use) {
  if (use.element != nullptr) return struct_below(*use.element);
  if (use.type == nullptr) return nullptr;
  if (use.type->element != nullptr) return struct_below(*use.type->element);
  return use.type->is_struct() ? use.type : nullptr;
}

class Tables {
 public:
  const MergeFields& of(const Type& type) {
    const std::lock_guard lock(mu_);
    return table(type);
  }

 private:
  const MergeFields& table(const Type& type) {
    if (const auto at = by_type_.find(&type); at != by_type_.end()) return *at->second;
    // Known before its fields are read: a type may hold itself.
    MergeFields& made = made_.emplace_back();
    by_type_.emplace(&type, &made);
    if (type.is_object())
      made.fields.push_back({.name = "metadata", .below = &patch::object_meta_merge_fields()});
    for (const Field& field : type.fields) {
      if (field.use->form == TypeUse::Form::kObjectMeta) {
        made.fields.push_back({.name = field.name, .below = &patch::object_meta_merge_fields()});
        continue;
      }
      const Type* below = struct_below(*field.use);
      if (below == nullptr && !field.merge) continue;
      MergeField one{.name = field.name, .key = field.merge_key};
      if (field.replace) one.strategy = MergeField::Strategy::kReplace;
      if (field.merge)
        one.strategy = field.retain_keys ? MergeField::Strategy::kMergeRetainKeys
                                         : MergeField::Strategy::kMerge;
      if (below != nullptr) one.below = &table(*below);
      made.fields.push_back(one);
    }
    return made;
  }

  std::mutex mu_;
  // Both guarded by mu_; what they hold stays where it is.
  std::map<const Type*, const MergeFields*> by_type_;
  std::deque<MergeFields> made_;
};

}  // namespace

const MergeFields& merge_fields_of(const Type& type) {
  static Tables& tables = *new Tables();
  return tables.of(type);
}

}  // namespace strake::kinds
