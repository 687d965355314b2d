#pragma once
// Node pools in words that no provider owns. Everything is optional: what is absent is not changed,
// which is not the same as empty.
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "provider/model/app.h"

namespace strake::provider {

struct Autoscaling {
  bool enabled = false;
  std::int64_t min = 0;
  std::int64_t max = 0;
  std::optional<std::int64_t> desired;
  friend bool operator==(const Autoscaling&, const Autoscaling&) = default;
};

struct NodePoolStatus {  // never written
  std::optional<std::string> provisioning_state;
  std::optional<std::int64_t> current_node_count;
  OptionMap extensions;
  friend bool operator==(const NodePoolStatus&, const NodePoolStatus&) = default;
};

struct NodePool {
  std::optional<std::string> name;
  std::optional<std::string> provider_name;
  std::optional<std::string> mode;  // "system", "user"
  std::optional<std::map<std::string, std::string, std::less<>>> labels;
  std::optional<std::vector<std::string>> zones;
  std::optional<std::string> instance_type;
  std::optional<std::string> os_disk_type;
  std::optional<std::int64_t> os_disk_size_gib;
  std::optional<std::string> priority;  // "regular", "spot"
  std::optional<Autoscaling> autoscaling;
  std::optional<NodePoolStatus> status;
  OptionMap extensions;
  friend bool operator==(const NodePool&, const NodePool&) = default;
};

inline constexpr std::string_view kNodePoolLabel = "kompox.dev/node-pool";
inline constexpr std::string_view kNodeZoneLabel = "kompox.dev/node-zone";

}  // namespace strake::provider
