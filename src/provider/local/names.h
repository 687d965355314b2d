#pragma once
// How everything that the local driver makes is called. Each name is computed from declared names,
// readable first and a hash last, and no file keeps a list of them. Below the root:
//
//   k4x-<provider>/                         of one provider
//     clusters/<cluster>/cluster.json       the tags, the address that was asked for
//                        alive, ready       the lock of the running server, and what it told
//                        server.log, data/
//     volumes/<disk or snapshot>/object.json, content
//     zones/<zone>.zone                     DNS
//     locks/                                empty while nobody works here
#include <string>
#include <string_view>

#include "provider/names/hashes.h"

namespace strake::provider::local {

inline constexpr std::string_view kClusters = "clusters";
inline constexpr std::string_view kVolumes = "volumes";
inline constexpr std::string_view kZones = "zones";
inline constexpr std::string_view kLocks = "locks";

class Names {
 public:
  Names(std::string workspace, std::string provider);

  const std::string& workspace() const { return workspace_; }
  const std::string& provider() const { return provider_; }
  OwnerNames owner(std::string_view cluster, std::string_view app) const;

  const std::string& folder() const { return folder_; }  // "k4x-<provider hash>"
  std::string cluster(std::string_view name) const;
  // The same in every cluster.
  std::string disk(std::string_view app, std::string_view volume, std::string_view name) const;
  std::string snapshot(std::string_view app, std::string_view volume, std::string_view name) const;

 private:
  std::string of_volume(std::string_view kind, std::string_view app, std::string_view volume,
                        std::string_view name) const;

  std::string workspace_;
  std::string provider_;
  std::string folder_;
};

// While it is made, and while it is removed: what begins with a dot is of no use to anybody, and
// whoever holds the lock of the name removes it.
std::string name_of_new(std::string_view name);
std::string name_of_old(std::string_view name);

// What Kubernetes, and people, refer to a disk or snapshot by: "local:<name>". It has no path in
// it, so a root that was moved keeps its disks, and the names of their PersistentVolumes.
inline constexpr std::string_view kHandlePrefix = "local:";
std::string handle_of(std::string_view resource_name);
// The name in a handle; empty when it is none.
std::string_view resource_of(std::string_view handle);

}  // namespace strake::provider::local
