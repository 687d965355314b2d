#pragma once
// Conversion, second phase: the disks that an app's volumes are kept on become static
// PersistentVolumes and the claims that pin them.
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ops/compose/plan.h"
#include "provider/model/volume.h"

namespace strake::ops::compose {

struct VolumeBinding {
  std::string volume;  // its name in the app
  provider::Disk disk;
  provider::VolumeClass volume_class;
};

struct BoundVolume {
  std::string volume;
  std::string claim;  // of the PersistentVolume too
  std::string handle;
  std::string quantity;
  provider::VolumeClass volume_class;                          // with its access modes filled in
  std::map<std::string, std::string, std::less<>> attributes;  // for the CSI driver
};

// One binding for each volume of the app, in its order. Fails with kValidation when they do not
// match, when a disk has no handle or size, or a class no CSI driver.
provider::Outcome<std::vector<BoundVolume>> bind_volumes(const Plan& plan,
                                                         std::span<const VolumeBinding> bindings);

}  // namespace strake::ops::compose
