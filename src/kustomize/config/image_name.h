#pragma once
// Names of container images: name, tag and digest.
#include <string>
#include <string_view>

#include "kustomize/config/kustomization.h"

namespace strake::kustomize {

struct ImageParts {
  std::string name;
  std::string tag;
  std::string digest;
};
// Signs before the first slash belong to the registry.
ImageParts split_image(std::string_view text);

// What an entry of `images` makes of an image that it fits.
std::string changed_image(std::string_view text, const Image& image);

}  // namespace strake::kustomize
