#pragma once
// Which declared object is meant.
#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

namespace strake::ops {

enum class OperatedKind : std::uint8_t {
  kWorkspace,
  kProvider,
  kCluster,
  kApp,
  kDisk,
  kSnapshot,
  kNodePool,
};
inline constexpr OperatedKind kOperatedKinds[] = {
    OperatedKind::kWorkspace, OperatedKind::kProvider, OperatedKind::kCluster, OperatedKind::kApp,
    OperatedKind::kDisk,      OperatedKind::kSnapshot, OperatedKind::kNodePool};

constexpr std::string_view to_string(OperatedKind kind) {
  switch (kind) {
    case OperatedKind::kWorkspace: return "Workspace";
    case OperatedKind::kProvider: return "Provider";
    case OperatedKind::kCluster: return "Cluster";
    case OperatedKind::kApp: return "App";
    case OperatedKind::kDisk: return "Disk";
    case OperatedKind::kSnapshot: return "Snapshot";
    case OperatedKind::kNodePool: break;
  }
  return "NodePool";
}
// As in paths: "nodepools".
constexpr std::string_view plural_of(OperatedKind kind) {
  switch (kind) {
    case OperatedKind::kWorkspace: return "workspaces";
    case OperatedKind::kProvider: return "providers";
    case OperatedKind::kCluster: return "clusters";
    case OperatedKind::kApp: return "apps";
    case OperatedKind::kDisk: return "disks";
    case OperatedKind::kSnapshot: return "snapshots";
    case OperatedKind::kNodePool: break;
  }
  return "nodepools";
}

struct ObjectKey {
  OperatedKind kind = OperatedKind::kWorkspace;
  std::string namespace_name;
  std::string name;
  friend auto operator<=>(const ObjectKey&, const ObjectKey&) = default;
};

// "NodePool default/blue": for logs and messages.
inline std::string to_string(const ObjectKey& key) {
  std::string out(to_string(key.kind));
  out += ' ';
  out += key.namespace_name;
  out += '/';
  out += key.name;
  return out;
}

}  // namespace strake::ops
