#pragma once
// Whose an object of the provider is: everything that is made carries these tags, and lists filter
// by them. They have no cluster in them where the object outlives one.
#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "provider/failure.h"
#include "provider/names/hashes.h"

namespace strake::provider {

using Tags = std::map<std::string, std::string, std::less<>>;

inline constexpr std::string_view kManagedByTag = "managed-by";
inline constexpr std::string_view kManagedByValue = "kompox";
inline constexpr std::string_view kWorkspaceTag = "kompox-workspace-name";
inline constexpr std::string_view kProviderTag = "kompox-provider-name";
inline constexpr std::string_view kClusterTag = "kompox-cluster-name";
inline constexpr std::string_view kClusterHashTag = "kompox-cluster-hash";
inline constexpr std::string_view kAppTag = "kompox-app-name";
inline constexpr std::string_view kAppIdHashTag = "kompox-app-id-hash";
inline constexpr std::string_view kVolumeTag = "kompox-volume";
inline constexpr std::string_view kVolumeIdTag = "kompox-volume-id";
inline constexpr std::string_view kDiskTag = "kompox-disk-name";
inline constexpr std::string_view kDiskAssignedTag = "kompox-disk-assigned";
inline constexpr std::string_view kSnapshotTag = "kompox-snapshot-name";

// Names of workspace, provider and cluster, and the hash of all three.
Tags cluster_tags(const OwnerNames& owner);
// Names of workspace, provider and app, and the hash of all three: no cluster.
Tags app_tags(const OwnerNames& owner);
// Those of the app, and of the volume.
Tags volume_tags(const OwnerNames& owner, std::string_view volume);
Tags disk_tags(const OwnerNames& owner, std::string_view volume, std::string_view disk,
               bool assigned);
Tags snapshot_tags(const OwnerNames& owner, std::string_view volume, std::string_view snapshot);

// "kompox-<volume>-<app id hash>": what decides whether a disk or snapshot is of a volume.
std::string volume_id(std::string_view volume, const Hashes& hashes);

// Whether `tags` has all of `wanted`, with these values.
bool has_tags(const Tags& tags, const Tags& wanted);

// What a provider allows, in bytes.
struct TagLimits {
  std::size_t count;
  std::size_t key;
  std::size_t value;
};
inline constexpr TagLimits kAzureTagLimits = {50, 512, 256};
inline constexpr TagLimits kAwsTagLimits = {50, 128, 256};
inline constexpr TagLimits kGcpLabelLimits = {64, 63, 63};
inline constexpr TagLimits kOciTagLimits = {10, 100, 256};

// Fails with kValidation, and names the tag.
Outcome<> check_tags(const Tags& tags, const TagLimits& limits);

}  // namespace strake::provider
