#pragma once
// Names of container images: "nginx", "registry:5000/team/app:1.2", "app@sha256:...".
#include <string_view>

namespace strake::kinds {

// Whether the image has the tag "latest", said or meant: what has neither a tag nor a digest. False
// for what is no reference.
bool is_latest_image(std::string_view image);

}  // namespace strake::kinds
