#include "kustomize/config/image_name.h"

namespace strake::kustomize {
ImageParts split_image(std::string_view text) {
  const std::size_t slash = text.find('/');
  const std::size_t from = slash == std::string_view::npos || slash == 0 ? 0 : slash;
  const std::size_t at = text.find('@', from);
  const std::size_t colon = text.find(':', from);
  if (at == std::string_view::npos && colon == std::string_view::npos)
    return {std::string(text), "", ""};
  if (at != std::string_view::npos && (colon == std::string_view::npos || at < colon))
    return {std::string(text.substr(0, at)), "", std::string(text.substr(at + 1))};
  if (at != std::string_view::npos) {
    return {std::string(text.substr(0, colon)), std::string(text.substr(colon + 1, at - colon - 1)),
            std::string(text.substr(at + 1))};
  }
  return {std::string(text.substr(0, colon)), std::string(text.substr(colon + 1)), ""};
}

std::string changed_image(std::string_view text, const Image& image) {
  ImageParts parts = split_image(text);
  if (!image.new_name.empty()) parts.name = image.new_name;
  if (!image.new_tag.empty() || !image.digest.empty()) {
    parts.tag = image.new_tag;
    parts.digest = image.digest;
  } else if (!image.tag_suffix.empty()) {
    parts.tag += image.tag_suffix;
    parts.digest.clear();
  }
  std::string out = std::move(parts.name);
  if (!parts.tag.empty()) out += ":" + parts.tag;
  if (!parts.digest.empty()) out += "@" + parts.digest;
  return out;
}

}  // namespace strake::kustomize
