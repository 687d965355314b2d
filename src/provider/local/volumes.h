#pragma once
// Disks and snapshots as folders of the provider: the content (a sparse file or a folder) and a
// document with its tags. A volume of type `disk` is a file, which a node formats and mounts; one
// of type `files` is a folder, which several nodes may use at once. Option `format: image|folder`
// chooses otherwise.
//
// Manifests refer to a disk by the CSI driver local.strake.dev and its handle (names.h). A driver
// of its own rather than a hostPath: the handle is the same wherever the root is, and a node that
// runs somewhere else cannot mistake it for a path of its own.
#include <memory>

#include "provider/driver.h"
#include "provider/local/site.h"

namespace strake::provider::local {

inline constexpr std::string_view kCsiDriver = "local.strake.dev";

std::unique_ptr<VolumeDriver> make_volumes(SharedSite site);

}  // namespace strake::provider::local
