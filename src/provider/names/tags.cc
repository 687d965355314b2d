#include "provider/names/tags.h"

#include <fmt/format.h>

#include <algorithm>

#include "provider/names/quote_briefly.h"

namespace strake::provider {
namespace {

void set_tag(Tags& tags, std::string_view key, std::string_view value) {
  tags.insert_or_assign(std::string(key), std::string(value));
}

Tags provider_tags(const OwnerNames& owner) {
  Tags out;
  set_tag(out, kManagedByTag, kManagedByValue);
  set_tag(out, kWorkspaceTag, owner.workspace);
  set_tag(out, kProviderTag, owner.provider);
  return out;
}

}  // namespace

Tags cluster_tags(const OwnerNames& owner) {
  Tags out = provider_tags(owner);
  set_tag(out, kClusterTag, owner.cluster);
  set_tag(out, kClusterHashTag, hashes_of(owner).cluster);
  return out;
}

Tags app_tags(const OwnerNames& owner) {
  Tags out = provider_tags(owner);
  set_tag(out, kAppTag, owner.app);
  set_tag(out, kAppIdHashTag, hashes_of(owner).app_id);
  return out;
}

Tags volume_tags(const OwnerNames& owner, std::string_view volume) {
  Tags out = app_tags(owner);
  set_tag(out, kVolumeTag, volume);
  set_tag(out, kVolumeIdTag, volume_id(volume, hashes_of(owner)));
  return out;
}

Tags disk_tags(const OwnerNames& owner, std::string_view volume, std::string_view disk,
               bool assigned) {
  Tags out = volume_tags(owner, volume);
  set_tag(out, kDiskTag, disk);
  set_tag(out, kDiskAssignedTag, assigned ? "true" : "false");
  return out;
}

Tags snapshot_tags(const OwnerNames& owner, std::string_view volume, std::string_view snapshot) {
  Tags out = volume_tags(owner, volume);
  set_tag(out, kSnapshotTag, snapshot);
  return out;
}

std::string volume_id(std::string_view volume, const Hashes& hashes) {
  return fmt::format("kompox-{}-{}", volume, hashes.app_id);
}

bool has_tags(const Tags& tags, const Tags& wanted) {
  return std::ranges::all_of(wanted, [&](const auto& one) {
    const auto found = tags.find(one.first);
    return found != tags.end() && found->second == one.second;
  });
}

Outcome<> check_tags(const Tags& tags, const TagLimits& limits) {
  if (tags.size() > limits.count) {
    return refuse(FailureClass::kValidation, "must be at most {} tags, got {}", limits.count,
                  tags.size());
  }
  for (const auto& [key, value] : tags) {
    if (key.empty())
      return refuse(FailureClass::kValidation, "the name of a tag must not be empty");
    if (key.size() > limits.key) {
      return refuse(FailureClass::kValidation,
                    "the name of tag {} must be at most {} bytes, got {}", quote_briefly(key),
                    limits.key, key.size());
    }
    if (value.size() > limits.value) {
      return refuse(FailureClass::kValidation, "tag {} must be at most {} bytes, got {}",
                    quote_briefly(key), limits.value, value.size());
    }
  }
  return {};
}

}  // namespace strake::provider
