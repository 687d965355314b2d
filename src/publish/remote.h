#pragma once
// What another server serves, which this one shows among its own: the documents of an aggregated
// API. A version of a group belongs to one server alone.
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kinds/resource.h"

namespace strake::publish {

struct RemoteVersion {
  std::string group;
  std::string version;
  int group_priority = 0;
  int version_priority = 0;
  bool stale = false;  // its server did not answer when it was last asked
  // The items of `resources` in an APIVersionDiscovery, as the readers of remote_discovery.h make
  // them: a JSON array. Null when its server has never told.
  std::shared_ptr<const std::string> resources;

  friend bool operator==(const RemoteVersion& a, const RemoteVersion& b);
};

// The local resources without the versions that belong to another server.
std::vector<kinds::ResourcePtr> without_remote(std::vector<kinds::ResourcePtr> resources,
                                               std::span<const RemoteVersion> remotes);
bool is_remote(std::span<const RemoteVersion> remotes, std::string_view group,
               std::string_view version);

}  // namespace strake::publish
