#pragma once
// What stands beside everything that is made: a small JSON document with its tags and what cannot
// be read from the thing itself. A file rather than extended attributes: those are lost on the way
// through many tools and file systems (tmpfs, archives, copies), are hidden, and are small. The
// file is made in the thing's folder before that gets its name, so nothing is ever without tags.
#include <cstdint>
#include <string>
#include <string_view>

#include "base/time.h"
#include "provider/model/app.h"
#include "provider/names/tags.h"

namespace strake::provider::local {

inline constexpr std::uint64_t kMostObjectBytes = 1 << 20;

struct ClusterObject {
  Tags tags;
  std::string address;  // HOST:PORT, where the API was served last; its port may be 0
  friend bool operator==(const ClusterObject&, const ClusterObject&) = default;
};

enum class Format : std::uint8_t { kImage, kFolder };  // a sparse file, a folder
std::string_view to_string(Format format);             // "image", "folder"

struct VolumeObject {
  Tags tags;
  Format format = Format::kImage;
  std::int64_t size = 0;  // bytes
  std::string zone;
  OptionMap options;
  WallTime created_at = {};
  WallTime updated_at = {};
};

std::string to_json(const ClusterObject& object);
std::string to_json(const VolumeObject& object);
// Fail with kValidation: it was changed by others.
Outcome<ClusterObject> read_cluster_object(std::string_view text);
Outcome<VolumeObject> read_volume_object(std::string_view text);

}  // namespace strake::provider::local
