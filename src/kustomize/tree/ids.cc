#include "kustomize/tree/ids.h"

#include <fmt/format.h>

namespace strake::kustomize {
namespace {

std::string_view or_else(std::string_view text, std::string_view fallback) {
  return text.empty() ? fallback : text;
}

}  // namespace

Gvk Gvk::from_api_version(std::string_view api_version, std::string_view kind) {
  const std::size_t slash = api_version.find('/');
  if (slash == std::string_view::npos) return {.group = {}, .version = api_version, .kind = kind};
  return {api_version.substr(0, slash), api_version.substr(slash + 1), kind};
}

std::string Gvk::to_string() const {
  return fmt::format("{}.{}.{}", or_else(kind, "[noKind]"), or_else(version, "[noVer]"),
                     or_else(group, "[noGrp]"));
}

std::string Gvk::api_version() const {
  return group.empty() ? std::string(version) : fmt::format("{}/{}", group, version);
}

std::string ResourceId::to_string() const {
  return fmt::format("{}/{}.{}", gvk.to_string(), or_else(name, "[noName]"),
                     or_else(namespace_name, "[noNs]"));
}

std::string ResourceId::key() const {
  std::string out;
  const std::string_view effective = effective_namespace();
  out.reserve(gvk.group.size() + gvk.version.size() + gvk.kind.size() + name.size() +
              effective.size() + 4);
  out.append(gvk.group).append(1, '\0').append(gvk.version).append(1, '\0');
  out.append(gvk.kind).append(1, '\0').append(name).append(1, '\0').append(effective);
  return out;
}

}  // namespace strake::kustomize
