#include "publish/remote.h"

#include <algorithm>

namespace strake::publish {

using kinds::Resource;
using kinds::ResourcePtr;
using kinds::ServedVersion;

bool operator==(const RemoteVersion& a, const RemoteVersion& b) {
  const bool same_resources =
      a.resources == b.resources ||
      (a.resources != nullptr && b.resources != nullptr && *a.resources == *b.resources);
  return a.group == b.group && a.version == b.version && a.group_priority == b.group_priority &&
         a.version_priority == b.version_priority && a.stale == b.stale && same_resources;
}

bool is_remote(std::span<const RemoteVersion> remotes, std::string_view group,
               std::string_view version) {
  return std::ranges::any_of(remotes, [&](const RemoteVersion& remote) {
    return remote.group == group && remote.version == version;
  });
}

std::vector<ResourcePtr> without_remote(std::vector<ResourcePtr> resources,
                                        std::span<const RemoteVersion> remotes) {
  if (remotes.empty()) return resources;
  for (ResourcePtr& resource : resources) {
    const auto is_taken = [&](const ServedVersion& version) {
      return is_remote(remotes, resource->group, version.name);
    };
    if (std::ranges::none_of(resource->versions, is_taken)) continue;
    auto rest = std::make_shared<Resource>(*resource);
    for (ServedVersion& version : rest->versions) {
      if (is_taken(version)) version.served = false;
    }
    resource = std::move(rest);
  }
  return resources;
}

}  // namespace strake::publish
