#include "provider/local/names.h"

#include <fmt/format.h>

#include <algorithm>

namespace strake::provider::local {
namespace {

// So that what a file system takes for a name (255 bytes) always holds the hash behind it.
constexpr std::size_t kMostReadable = 100;

// Letters that no declared name has would lead out of the folder.
std::string readable(std::string_view name) {
  std::string out(name.substr(0, kMostReadable));
  std::ranges::replace_if(
      out,
      [](char c) {
        return !((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                 c == '-');
      },
      '-');
  return out;
}

}  // namespace

Names::Names(std::string workspace, std::string provider)
    : workspace_(std::move(workspace)), provider_(std::move(provider)) {
  folder_ = fmt::format("k4x-{}", hashes_of(workspace_, provider_, "", "").provider);
}

OwnerNames Names::owner(std::string_view cluster, std::string_view app) const {
  return {.workspace = workspace_,
          .provider = provider_,
          .cluster = std::string(cluster),
          .app = std::string(app)};
}

std::string Names::cluster(std::string_view name) const {
  return fmt::format("{}_cls_{}_{}", folder_, readable(name), hashes_of(owner(name, "")).cluster);
}

std::string Names::disk(std::string_view app, std::string_view volume,
                        std::string_view name) const {
  return of_volume("disk", app, volume, name);
}

std::string Names::snapshot(std::string_view app, std::string_view volume,
                            std::string_view name) const {
  return of_volume("snap", app, volume, name);
}

// Names of volumes, disks and snapshots are checked and short; that of an app is in the hash.
std::string Names::of_volume(std::string_view kind, std::string_view app, std::string_view volume,
                             std::string_view name) const {
  return fmt::format("{}_{}_{}_{}_{}_{}", folder_, kind, readable(app), readable(volume),
                     readable(name), hashes_of(owner("", app)).app_id);
}

std::string name_of_new(std::string_view name) { return fmt::format(".new-{}", name); }
std::string name_of_old(std::string_view name) { return fmt::format(".old-{}", name); }

std::string handle_of(std::string_view resource_name) {
  return fmt::format("{}{}", kHandlePrefix, resource_name);
}

std::string_view resource_of(std::string_view handle) {
  if (!handle.starts_with(kHandlePrefix)) return {};
  const std::string_view name = handle.substr(kHandlePrefix.size());
  const bool safe =
      !name.empty() && !name.starts_with('.') && !name.contains('/') && !name.contains('\0');
  return safe ? name : std::string_view();
}

}  // namespace strake::provider::local
