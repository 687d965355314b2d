#pragma once
// Deleting what carries certain labels.
#include <string>
#include <vector>

#include "kube/objects/objects.h"

namespace strake::kube {

struct DeleteSelected {
  std::vector<ObjectKind>
      kinds;  // in this order; those that the cluster does not have are passed over
  std::string namespace_name;  // of kinds that have one; empty: of all
  std::string label_selector;  // must not be empty: that would be everything
  bool stop_at_error = false;  // otherwise errors are collected, and the rest is deleted
};

struct DeletedObjects {
  std::vector<ObjectRef> objects;  // in the order in which they were deleted
  std::vector<Error> errors;       // none when it stops at the first
};

// What depends on them goes in the background. Fails with kUsage without a selector, as the
// client's work (kCancelled, kTimeout) whatever is collected, and with the first error when it
// stops there.
Result<DeletedObjects> delete_selected(Objects& objects, const DeleteSelected& request);

}  // namespace strake::kube
