#pragma once
// Sizes of volumes: as people write them, and in the units of those who make them.
#include <cstdint>
#include <string>
#include <string_view>

#include "provider/failure.h"

namespace strake::provider {

// A Kubernetes quantity ("32Gi", "1.5Ti", "1e9") as bytes, rounded up. Fails with kValidation when
// it is none, is negative, or is 8Ei and more.
Outcome<std::int64_t> parse_size(std::string_view text);

// Whole GiB, at least 1: what a managed disk is made with.
std::int64_t managed_disk_gib(std::int64_t bytes);
// GiB rounded up, at least 1: the quota of a file share.
std::int64_t file_share_gib(std::int64_t bytes);
// Rounded up to MiB, with the largest binary suffix that leaves a whole number: the capacity of a
// PersistentVolume.
std::string size_quantity(std::int64_t bytes);

}  // namespace strake::provider
