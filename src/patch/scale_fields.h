#pragma once
// Who owns the replicas of an object, as its scale subresource sees it. A write to /scale goes
// through three steps: the owners of the object become those of its Scale, the Scale is written as
// any object is (update_managed_fields() or apply() with scale_schema(), the version kScaleVersion
// and the subresource "scale"), and the owners of the Scale become those of the object.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/arena.h"
#include "base/result.h"
#include "schema/node.h"
#include "value/value.h"

namespace strake::patch {

inline constexpr std::string_view kScaleVersion = "autoscaling/v1";

// Where the replicas of a kind stand, for each of its versions.
struct ReplicasPath {
  std::string_view api_version;
  std::string_view path;  // .spec.replicas; empty when the version has no scale subresource
};

// The schema of a Scale.
const schema::Node* scale_schema();

// What metadata.managedFields of the Scale is; empty when nobody owns the replicas. Entries of
// versions that are not among the paths are left out. Fails with kInvalid when the entries cannot
// be read.
Result<value::Value> entries_for_scale(const value::Value& object,
                                       const std::vector<ReplicasPath>& paths, Arena& arena);

// What metadata.managedFields of the object is when its Scale, written at that version of the
// object, has these entries. Who writes the replicas through /scale takes them from all others. The
// entries of /scale have no time, as in kube-apiserver 1.36. Fails as above.
Result<value::Value> entries_from_scale(const value::Value& object, const value::Value& scale,
                                        std::string_view api_version,
                                        const std::vector<ReplicasPath>& paths, Arena& arena);

}  // namespace strake::patch
