#pragma once
// The documents by which clients find out what is served. Pure functions of the resources; whoever
// serves them keeps them until the resources change.
#include <span>
#include <string>
#include <string_view>

#include "kinds/resource.h"
#include "publish/remote.h"

namespace strake::publish {

// All as JSON text. Resources, and versions of other servers, may come in any order; only served
// versions are shown, and a resource whose CRD is being deleted only with the verbs it still has.
std::string api_versions(std::string_view server_address);  // /api
std::string api_group_list(std::span<const kinds::ResourcePtr> resources,
                           std::span<const RemoteVersion> remotes = {});  // /apis
// Empty when no resource has that group (or version).
std::string api_group(std::span<const kinds::ResourcePtr> resources, std::string_view group,
                      std::span<const RemoteVersion> remotes = {});  // /apis/<group>
std::string api_resource_list(std::span<const kinds::ResourcePtr> resources, std::string_view group,
                              std::string_view version);  // /apis/<group>/<version>, /api/v1
// apidiscovery.k8s.io/v2 APIGroupDiscoveryList: of the core group for /api, of all others for
// /apis.
std::string aggregated_discovery(std::span<const kinds::ResourcePtr> resources, bool core,
                                 std::span<const RemoteVersion> remotes = {});
// base64 of the first 8 bytes of SHA-256 of "<group>/<version>/<Kind>", as it is stored. Empty when
// nothing is stored, or in a version that is not served.
std::string storage_version_hash(const kinds::Resource& resource);

}  // namespace strake::publish
