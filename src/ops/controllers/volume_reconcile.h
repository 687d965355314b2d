#pragma once
// What disks and snapshots of a volume have in common when they are looked at.
#include <string>

#include "base/time.h"
#include "ops/controllers/reconcile.h"

namespace strake::ops {

// On a Disk: "true" lets an assigned disk be deleted.
inline constexpr std::string_view kForceAnnotation = "ops.kompox.dev/force";

// Its name at the provider: spec.diskName or spec.snapshotName, else its own.
std::string provider_name_of(const DeclaredObject& object);
// An object that says the same name at the provider, and was there first; null when there is none.
DeclaredPtr first_of_name(const DeclaredObjects& from, const DeclaredObject& object);
// As a quantity that is exact: "32Gi".
std::string exact_size(std::int64_t bytes);
std::string api_time(WallTime time);  // RFC 3339

}  // namespace strake::ops
