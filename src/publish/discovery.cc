#include "publish/discovery.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/base64.h"
#include "base/sha256.h"
#include "publish/catalog.h"
#include "publish/json_text.h"

namespace strake::publish {
namespace {

using kinds::Resource;
using kinds::ResourcePtr;
using kinds::Subresource;
using kinds::Verb;

std::string group_version(std::string_view group, std::string_view version) {
  return group.empty() ? std::string(version) : fmt::format("{}/{}", group, version);
}

void write_verbs(JsonText& json, std::span<const Verb> verbs) {
  json.array("verbs");
  for (const Verb verb : verbs) json.text(kinds::to_string(verb));
  json.close_array();
}

void write_names(JsonText& json, const Resource& resource) {
  if (!resource.short_names.empty()) json.texts("shortNames", resource.short_names);
  if (!resource.categories.empty()) json.texts("categories", resource.categories);
}

// --- the plain documents

void write_version(JsonText& json, std::string_view group, std::string_view version) {
  json.open_object()
      .field("groupVersion", group_version(group, version))
      .field("version", version)
      .close_object();
}

void write_group_members(JsonText& json, const CatalogGroup& group) {
  json.field("name", group.name).array("versions");
  for (const CatalogVersion& version : group.versions)
    write_version(json, group.name, version.name);
  json.close_array().key("preferredVersion");
  write_version(json, group.name, group.versions.front().name);
}

void write_resource(JsonText& json, const Resource& resource) {
  json.open_object()
      .field("name", resource.plural)
      .field("singularName", resource.singular)
      .key("namespaced")
      .boolean(resource.namespaced)
      .field("kind", resource.kind);
  write_verbs(json, shown_verbs(resource));
  write_names(json, resource);
  if (const std::string hash = storage_version_hash(resource); !hash.empty())
    json.field("storageVersionHash", hash);
  json.close_object();
}

void write_subresource(JsonText& json, const Resource& resource, std::string_view version,
                       const Subresource& subresource) {
  json.open_object()
      .field("name", fmt::format("{}/{}", resource.plural, subresource.name))
      .field("singularName", "")
      .key("namespaced")
      .boolean(resource.namespaced);
  // Only where they differ from those of the list.
  if (subresource.kind.group != resource.group || subresource.kind.version != version) {
    if (!subresource.kind.group.empty()) json.field("group", subresource.kind.group);
    json.field("version", subresource.kind.version);
  }
  json.field("kind", subresource.kind.kind);
  write_verbs(json, subresource.verbs);
  json.close_object();
}

// --- the aggregated document

void write_kind(JsonText& json, std::string_view group, std::string_view version,
                std::string_view kind) {
  json.object("responseKind")
      .field("group", group)
      .field("version", version)
      .field("kind", kind)
      .close_object();
}

void write_entry(JsonText& json, const CatalogEntry& entry) {
  const Resource& resource = *entry.resource;
  json.open_object().field("resource", resource.plural);
  write_kind(json, resource.group, entry.version->name, resource.kind);
  json.field("scope", resource.namespaced ? "Namespaced" : "Cluster")
      .field("singularResource", resource.singular);
  write_verbs(json, shown_verbs(resource));
  write_names(json, resource);
  if (!entry.version->subresources.empty()) {
    json.array("subresources");
    for (const Subresource& one : entry.version->subresources) {
      json.open_object().field("subresource", one.name);
      write_kind(json, one.kind.group, one.kind.version, one.kind.kind);
      write_verbs(json, one.verbs);
      json.close_object();
    }
    json.close_array();
  }
  json.close_object();
}

void write_remote(JsonText& json, const RemoteVersion& remote) {
  if (remote.resources != nullptr && *remote.resources != "[]")
    json.key("resources").raw(*remote.resources);
  json.field("freshness", remote.stale ? "Stale" : "Current");
}

}  // namespace

std::string api_versions(std::string_view server_address) {
  std::string out;
  JsonText json(out);
  json.open_object()
      .field("kind", "APIVersions")
      .array("versions")
      .text("v1")
      .close_array()
      .array("serverAddressByClientCIDRs")
      .open_object()
      .field("clientCIDR", "0.0.0.0/0")
      .field("serverAddress", server_address)
      .close_object()
      .close_array()
      .close_object();
  return out;
}

std::string api_group_list(std::span<const ResourcePtr> resources,
                           std::span<const RemoteVersion> remotes) {
  std::string out;
  JsonText json(out);
  json.open_object().field("kind", "APIGroupList").field("apiVersion", "v1").array("groups");
  for (const CatalogGroup& group : catalog(resources, remotes)) {
    if (group.name.empty()) continue;  // the core group has /api for itself
    json.open_object();
    write_group_members(json, group);
    json.close_object();
  }
  json.close_array().close_object();
  return out;
}

std::string api_group(std::span<const ResourcePtr> resources, std::string_view group,
                      std::span<const RemoteVersion> remotes) {
  const CatalogGroup found = catalog_group(resources, group, remotes);
  std::string out;
  if (group.empty() || found.versions.empty()) return out;
  JsonText json(out);
  json.open_object().field("kind", "APIGroup").field("apiVersion", "v1");
  write_group_members(json, found);
  json.close_object();
  return out;
}

std::string api_resource_list(std::span<const ResourcePtr> resources, std::string_view group,
                              std::string_view version) {
  const CatalogGroup found = catalog_group(resources, group);
  const auto at = std::ranges::find(found.versions, version, &CatalogVersion::name);
  std::string out;
  if (at == found.versions.end()) return out;
  JsonText json(out);
  json.open_object().field("kind", "APIResourceList");
  // The core group is older than the field.
  if (!group.empty()) json.field("apiVersion", "v1");
  json.field("groupVersion", group_version(group, version)).array("resources");
  for (const CatalogEntry& entry : at->entries) {
    write_resource(json, *entry.resource);
    for (const Subresource& one : entry.version->subresources)
      write_subresource(json, *entry.resource, version, one);
  }
  json.close_array().close_object();
  return out;
}

// One document instead of one request per group and version; clients fall back to the plain
// documents.
std::string aggregated_discovery(std::span<const ResourcePtr> resources, bool core,
                                 std::span<const RemoteVersion> remotes) {
  std::string out;
  JsonText json(out);
  json.open_object()
      .field("kind", "APIGroupDiscoveryList")
      .field("apiVersion", "apidiscovery.k8s.io/v2")
      .object("metadata")
      .close_object()
      .array("items");
  for (const CatalogGroup& group : catalog(resources, remotes)) {
    if (group.name.empty() != core) continue;
    json.open_object().object("metadata");
    if (!core) json.field("name", group.name);
    json.close_object().array("versions");
    for (const CatalogVersion& version : group.versions) {
      json.open_object().field("version", version.name);
      if (version.remote != nullptr) {
        write_remote(json, *version.remote);
      } else {
        json.array("resources");
        for (const CatalogEntry& entry : version.entries) write_entry(json, entry);
        json.close_array().field("freshness", "Current");
      }
      json.close_object();
    }
    json.close_array().close_object();
  }
  json.close_array().close_object();
  return out;
}

// Clients compare it to see whether a storage migration is due. The form is that of kube-apiserver:
// the first 8 bytes of SHA-256 over group/version/kind, in base64.
std::string storage_version_hash(const Resource& resource) {
  if (!resource.stored()) return {};
  // What is only shown is never written.
  if (!resource.has_verb(kinds::Verb::kCreate) && !resource.has_verb(kinds::Verb::kDelete))
    return {};
  const auto storage = std::ranges::find(resource.versions, true, &kinds::ServedVersion::storage);
  if (storage == resource.versions.end() || !storage->served) return {};
  const meta::GroupVersionKind kind = resource.stored_as.value_or(
      meta::GroupVersionKind{resource.group, storage->name, resource.kind});
  const auto digest = sha256(fmt::format("{}/{}/{}", kind.group, kind.version, kind.kind));
  return base64_encode({reinterpret_cast<const char*>(digest.data()), 8});
}

}  // namespace strake::publish
