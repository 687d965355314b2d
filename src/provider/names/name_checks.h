#pragma once
// How volumes, disks and snapshots may be named, the same for every driver; a driver may be
// stricter. Each check fails with kValidation: empty, then too long, then not a DNS-1123 label.
#include <cstddef>
#include <string_view>

#include "provider/failure.h"

namespace strake::provider {

inline constexpr std::size_t kMaxVolumeName = 16;
inline constexpr std::size_t kMaxDiskName = 24;
inline constexpr std::size_t kMaxSnapshotName = 24;

Outcome<> check_volume_name(std::string_view name);
Outcome<> check_disk_name(std::string_view name);
Outcome<> check_snapshot_name(std::string_view name);

}  // namespace strake::provider
