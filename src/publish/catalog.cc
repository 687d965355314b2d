#include "publish/catalog.h"

#include <algorithm>
#include <unordered_map>

#include "meta/gvk.h"

namespace strake::publish {
namespace {

using kinds::Resource;
using kinds::ResourcePtr;
using kinds::ServedVersion;
using kinds::Verb;

using Places = std::unordered_map<std::string_view, std::size_t>;

void add(CatalogGroup& group, Places& versions, const Resource& resource) {
  bool any = false;
  for (const ServedVersion& version : resource.versions) {
    if (!version.served) continue;
    const auto [place, is_new] = versions.try_emplace(version.name, group.versions.size());
    if (is_new) group.versions.push_back({.name = version.name});
    CatalogVersion& at = group.versions[place->second];
    if (at.remote != nullptr) continue;
    any = true;
    at.priority = std::max(at.priority, resource.version_priority);
    at.entries.push_back({.resource = &resource, .version = &version});
  }
  if (any) group.priority = std::max(group.priority, resource.group_priority);
}

// Before any resource of the group.
void add(CatalogGroup& group, Places& versions, const RemoteVersion& remote) {
  if (!versions.try_emplace(remote.version, group.versions.size()).second) return;
  group.versions.push_back(
      {.name = remote.version, .priority = remote.version_priority, .remote = &remote});
  group.priority = std::max(group.priority, remote.group_priority);
}

void sort(CatalogGroup& group) {
  std::ranges::sort(group.versions, [](const CatalogVersion& a, const CatalogVersion& b) {
    if (a.priority != b.priority) return a.priority > b.priority;
    return meta::version_precedes(a.name, b.name);
  });
  for (CatalogVersion& version : group.versions) {
    std::ranges::sort(version.entries, {}, [](const CatalogEntry& entry) -> const std::string& {
      return entry.resource->plural;
    });
  }
}

}  // namespace

bool is_shown(const Resource& resource) {
  return resource.definition == nullptr || resource.definition->established;
}

std::vector<Verb> shown_verbs(const Resource& resource) {
  std::vector<Verb> verbs = resource.verbs;
  if (resource.definition != nullptr && resource.definition->terminating) {
    std::erase_if(verbs, [](Verb verb) {
      return verb == Verb::kCreate || verb == Verb::kUpdate || verb == Verb::kPatch;
    });
  }
  return verbs;
}

std::vector<CatalogGroup> catalog(std::span<const ResourcePtr> resources,
                                  std::span<const RemoteVersion> remotes) {
  std::vector<CatalogGroup> groups;
  Places places;
  std::vector<Places> versions;  // of each group
  const auto add_to_group = [&](std::string_view name, const auto& what) {
    const auto [place, is_new] = places.try_emplace(name, groups.size());
    if (is_new) {
      groups.push_back({.name = name});
      versions.emplace_back();
    }
    add(groups[place->second], versions[place->second], what);
  };
  for (const RemoteVersion& remote : remotes) add_to_group(remote.group, remote);
  for (const ResourcePtr& resource : resources) {
    if (is_shown(*resource)) add_to_group(resource->group, *resource);
  }
  std::erase_if(groups, [](const CatalogGroup& group) { return group.versions.empty(); });
  std::ranges::for_each(groups, sort);
  std::ranges::sort(groups, [](const CatalogGroup& a, const CatalogGroup& b) {
    if (a.priority != b.priority) return a.priority > b.priority;
    return a.name < b.name;
  });
  return groups;
}

CatalogGroup catalog_group(std::span<const ResourcePtr> resources, std::string_view group,
                           std::span<const RemoteVersion> remotes) {
  CatalogGroup out{.name = group};
  Places versions;
  for (const RemoteVersion& remote : remotes) {
    if (remote.group == group) add(out, versions, remote);
  }
  for (const ResourcePtr& resource : resources) {
    if (resource->group == group && is_shown(*resource)) add(out, versions, *resource);
  }
  sort(out);
  return out;
}

}  // namespace strake::publish
