#pragma once
// Strategic merge patch as kube-apiserver v1.36 applies it to built-in kinds: lists that have a
// merge key are merged item by item, and $patch, $deleteFromPrimitiveList, $setElementOrder and
// $retainKeys say what else is wanted. kustomize merges by other rules: docs/adr/0007.
#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "base/result.h"
#include "value/value.h"

namespace strake::patch {

// How the members of one kind of object merge: a small tree of static tables.
struct MergeFields;
struct MergeField {
  std::string_view name;
  enum class Strategy : unsigned char {
    kDefault,          // objects merge, lists are replaced
    kReplace,          // as a whole, objects too
    kMerge,            // lists too
    kMergeRetainKeys,  // as kMerge; those who make patches tell which keys an object retains
  } strategy = Strategy::kDefault;
  std::string_view key;  // merge key of a list of objects; empty for lists of scalars
  const MergeFields* below =
      nullptr;  // of the object, or of the list's items; null when nothing is known
};
struct MergeFields {
  std::vector<MergeField> fields;
  const MergeField* find(std::string_view name) const;
};
// What every object's metadata merges by: ownerReferences by uid, finalizers as a set.
const MergeFields& object_meta_merge_fields();

// The patched document, in the arena, sharing unchanged parts with `document` and nothing with
// `patch`. Fails with kube-apiserver's words, and with the code that says how the API server takes
// them: kBadRequest for a patch it cannot make sense of (400), kInvalid for lists of lists (422
// with the generic text), kInternal for all else (500 with the text as it is). A patch nested
// deeper than a thousand levels is refused with kBadRequest.
Result<value::Value> apply_strategic_merge(const value::Value& document, const value::Value& patch,
                                           const MergeFields& fields, Arena& arena);

}  // namespace strake::patch
