#pragma once
// Names of container images: name, tag and digest.
#include <string>
#include <string_view>

#include "kustomize/kustomization.h"

namespace strake::kustomize {

// What an entry of `images` makes of an image that it fits.
std::string changed_image(std::string_view text, const Image& image);

}  // namespace strake::kustomize
