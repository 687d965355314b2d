#pragma once
// What a provider has for the volumes of apps.
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/time.h"
#include "provider/model/app.h"

namespace strake::provider {

struct Disk {
  std::string name;
  std::string volume_name;
  bool assigned = false;
  std::int64_t size = 0;  // bytes
  std::string zone;       // empty: everywhere in the region
  OptionMap options;
  std::string handle;  // for the CSI driver, as the provider lists it, byte for byte
  WallTime created_at = {};
  WallTime updated_at = {};
  friend bool operator==(const Disk&, const Disk&) = default;
};

struct Snapshot {
  std::string name;
  std::string volume_name;
  std::int64_t size = 0;
  std::string handle;
  WallTime created_at = {};
  WallTime updated_at = {};
  friend bool operator==(const Snapshot&, const Snapshot&) = default;
};

// How manifests refer to a volume. What is empty is left out of them.
struct VolumeClass {
  std::string storage_class_name;
  std::string csi_driver;
  std::string fs_type;
  std::map<std::string, std::string, std::less<>> attributes;
  std::vector<std::string> access_modes;
  std::string reclaim_policy;  // "Retain", "Delete"
  std::string volume_mode;     // "Filesystem", "Block"
  friend bool operator==(const VolumeClass&, const VolumeClass&) = default;
};

// Newest first, then by name.
void sort_for_list(std::vector<Disk>& disks);
void sort_for_list(std::vector<Snapshot>& snapshots);

}  // namespace strake::provider
