#pragma once
// The resources as discovery groups them: groups by priority, versions by preference, resources by
// name; only what is served and established. Points into what it was made of.
#include <span>
#include <string_view>
#include <vector>

#include "kinds/resource.h"
#include "publish/remote.h"

namespace strake::publish {

struct CatalogEntry {
  const kinds::Resource* resource;
  const kinds::ServedVersion* version;
};

struct CatalogVersion {
  std::string_view name;
  int priority = 0;
  std::vector<CatalogEntry> entries;
  const RemoteVersion* remote = nullptr;  // set, without entries, where another server serves it
};

struct CatalogGroup {
  std::string_view name;
  int priority = 0;
  std::vector<CatalogVersion> versions;
};

// False for a CRD that is not established: its resource is not shown.
bool is_shown(const kinds::Resource& resource);
// The verbs that it still has: nothing is made or changed while its CRD is going away.
std::vector<kinds::Verb> shown_verbs(const kinds::Resource& resource);

// A version that another server serves is its alone: local resources do not show in it.
std::vector<CatalogGroup> catalog(std::span<const kinds::ResourcePtr> resources,
                                  std::span<const RemoteVersion> remotes = {});
// The one group, or an empty one when nothing of it is served.
CatalogGroup catalog_group(std::span<const kinds::ResourcePtr> resources, std::string_view group,
                           std::span<const RemoteVersion> remotes = {});

}  // namespace strake::publish
