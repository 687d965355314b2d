#include "provider/model/app.h"

namespace strake::provider {

std::string_view to_string(VolumeType type) { return type == VolumeType::kDisk ? "disk" : "files"; }

}  // namespace strake::provider
