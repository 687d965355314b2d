#include "publish/openapi.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "crd/openapi_builtin.h"
#include "crd/openapi_export.h"
#include "crd/version_index.h"
#include "publish/catalog.h"
#include "publish/openapi_definitions.h"
#include "publish/openapi_paths.h"
#include "publish/sha512.h"

// The documents of /openapi, put together from parts: definitions (from CRDs or built in), and
// paths with their operations. v3 has one document per group and version, which are hashed so that
// clients fetch only what changed; v2 is one document of everything. Everything is sorted, since
// the hash must not depend on the order of registration.

namespace strake::publish {
namespace {

using kinds::Resource;
using kinds::ResourcePtr;
using kinds::ServedVersion;

constexpr std::string_view kBuiltinInfo = R"({"title":"Kubernetes","version":"v1.36.4"})";
constexpr std::string_view kCustomInfo = R"({"title":"Kubernetes CRD Swagger","version":"v0.1.0"})";
constexpr std::string_view kBearerToken =
    R"({"BearerToken":{"description":"A token in the authorization header.","in":"header","name":"authorization","type":"apiKey"}})";

// The members of `paths`, sorted.
class Paths {
 public:
  void add(DiscoveryPath path) { discovery_.push_back(std::move(path)); }
  void add(const Resource& resource, const ServedVersion& version) {
    resources_.push_back(resource_paths(resource, version));
  }

  template <typename Write>
  void write(JsonText& json, Write&& write) const {
    struct Entry {
      std::string_view path;
      const ResourcePaths* resource;
      const PathItem* item;
      const DiscoveryPath* discovery;
    };
    std::vector<Entry> all;
    for (const DiscoveryPath& one : discovery_) all.push_back({one.path, nullptr, nullptr, &one});
    for (const ResourcePaths& resource : resources_) {
      for (const PathItem& one : resource.items)
        all.push_back({one.path, &resource, &one, nullptr});
    }
    std::ranges::sort(all, {}, &Entry::path);
    json.open_object();
    for (const Entry& one : all) {
      if (one.discovery != nullptr) {
        write(json, *one.discovery);
      } else {
        write(json, *one.resource, *one.item);
      }
    }
    json.close_object();
  }

 private:
  std::vector<DiscoveryPath> discovery_;
  std::vector<ResourcePaths> resources_;
};

constexpr auto kWriteV3 = [](JsonText& json, const auto&... what) { write_path_v3(json, what...); };
constexpr auto kWriteV2 = [](JsonText& json, const auto&... what) { write_path_v2(json, what...); };

std::string v3_document(const Definitions& definitions, const Paths& paths, bool builtin) {
  std::string out;
  JsonText json(out);
  json.open_object().object("components").key("schemas");
  definitions.write(json);
  // The documents of custom resources say nothing about security.
  if (builtin) json.key("securitySchemes").raw(kBearerToken);
  json.close_object().key("info").raw(builtin ? kBuiltinInfo : kCustomInfo);
  json.field("openapi", "3.0.0").key("paths");
  paths.write(json, kWriteV3);
  json.close_object();
  return out;
}

std::string discovery_document(DiscoveryPath path) {
  Definitions definitions;
  definitions.add(discovery_schemas(), path.schema);
  definitions.add_referenced(discovery_schemas());
  Paths paths;
  paths.add(std::move(path));
  return v3_document(definitions, paths, true);
}

std::string version_document(std::span<const ResourcePtr> resources, std::string_view group,
                             std::string_view version) {
  Definitions definitions;
  Paths paths;
  bool any = false;
  bool builtin = false;
  for (const ResourcePtr& resource : resources) {
    if (resource->group != group || !is_shown(*resource)) continue;
    const ServedVersion* served = resource->served_version(version);
    if (served == nullptr) continue;
    any = true;
    if (served->definition() != nullptr) {
      const std::shared_ptr<const crd::Crd> crd = served->definition()->load();
      const crd::Version* own = crd != nullptr ? crd->version(version) : nullptr;
      if (own == nullptr) continue;
      definitions.adopt(crd::export_openapi(*crd, *own, crd::OpenApi::kV3));
    } else {
      builtin = true;
      if (resource->openapi_schemas) definitions.add(resource->openapi_schemas());
    }
    paths.add(*resource, *served);
  }
  if (!any) return {};
  if (builtin) {
    const DiscoveryPath list = resource_list_path(group, version);
    definitions.add(discovery_schemas(), list.schema);
    definitions.add_referenced(discovery_schemas());
    definitions.add(crd::builtin_schemas());
    paths.add(list);
  }
  return v3_document(definitions, paths, builtin);
}

bool is_builtin(const CatalogGroup& group) {
  return std::ranges::any_of(group.versions, [](const CatalogVersion& version) {
    return std::ranges::any_of(version.entries, [](const CatalogEntry& entry) {
      return entry.resource->definition == nullptr;
    });
  });
}

bool is_builtin(const CatalogVersion& version) {
  return std::ranges::any_of(version.entries, [](const CatalogEntry& entry) {
    return entry.resource->definition == nullptr;
  });
}

// Definitions whose further versions are still to come.
using Held = std::map<std::shared_ptr<const crd::Crd>, crd::VersionIndex>;

// All that the v2 document has of one version of a resource.
void add_v2(const CatalogEntry& entry, Held& held, Definitions& definitions, Paths& paths) {
  if (entry.version->definition() != nullptr) {
    const std::shared_ptr<const crd::Crd> crd = entry.version->definition()->load();
    if (crd == nullptr) return;
    const crd::Version* own =
        entry.resource->versions.size() > 1
            ? held.try_emplace(crd, *crd).first->second.find(entry.version->name)
            : crd->version(entry.version->name);
    if (own == nullptr) return;
    paths.add(*entry.resource, *entry.version);
    definitions.adopt(crd::export_openapi(*crd, *own, crd::OpenApi::kV2));
    if (own->has_scale()) definitions.adopt(to_v2(crd::scale_schemas()));
    return;
  }
  paths.add(*entry.resource, *entry.version);
  if (entry.resource->openapi_schemas) definitions.adopt(to_v2(entry.resource->openapi_schemas()));
}

}  // namespace

std::string openapi_v3(std::span<const ResourcePtr> resources, std::string_view path) {
  if (path == "api") return discovery_document(api_versions_path());
  if (path == "apis") return discovery_document(group_list_path());
  if (path == "version") return discovery_document(version_path());
  if (path.starts_with("api/")) return version_document(resources, "", path.substr(4));
  if (!path.starts_with("apis/")) return {};
  path.remove_prefix(5);
  const std::size_t slash = path.find('/');
  if (slash != std::string_view::npos)
    return version_document(resources, path.substr(0, slash), path.substr(slash + 1));
  if (path.empty() || !is_builtin(catalog_group(resources, path))) return {};
  return discovery_document(group_path(path));
}

std::vector<std::string> openapi_v3_paths(std::span<const ResourcePtr> resources) {
  std::vector<std::string> out = {"api", "apis", "version"};
  for (const CatalogGroup& group : catalog(resources)) {
    if (!group.name.empty() && is_builtin(group)) out.push_back(fmt::format("apis/{}", group.name));
    for (const CatalogVersion& version : group.versions)
      out.push_back(version_root(group.name, version.name).substr(1));
  }
  std::ranges::sort(out);
  return out;
}

std::string openapi_v3_index(const std::map<std::string, std::string, std::less<>>& hashes) {
  std::string out;
  JsonText json(out);
  json.open_object().object("paths");
  for (const auto& [path, hash] : hashes) {
    json.any_key(path)
        .open_object()
        .field("serverRelativeURL", fmt::format("/openapi/v3/{}?hash={}", path, hash))
        .close_object();
  }
  json.close_object().close_object();
  return out;
}

std::string openapi_v2(std::span<const ResourcePtr> resources) {
  Definitions definitions;
  Paths paths;
  paths.add(api_versions_path());
  paths.add(group_list_path());
  paths.add(version_path());
  for (const CatalogGroup& group : catalog(resources)) {
    if (!group.name.empty() && is_builtin(group)) paths.add(group_path(group.name));
    Held held;
    for (const CatalogVersion& version : group.versions) {
      if (is_builtin(version)) paths.add(resource_list_path(group.name, version.name));
      for (const CatalogEntry& entry : version.entries) add_v2(entry, held, definitions, paths);
    }
  }
  definitions.adopt(to_v2(crd::builtin_schemas()));
  definitions.adopt(to_v2(discovery_schemas()));

  std::string out;
  JsonText json(out);
  json.open_object().key("definitions");
  definitions.write(json);
  json.key("info").raw(kBuiltinInfo).object("parameters").raw(shared_parameters_v2());
  json.close_object().key("paths");
  paths.write(json, kWriteV2);
  json.key("security").raw(R"([{"BearerToken":[]}])");
  json.key("securityDefinitions").raw(kBearerToken).field("swagger", "2.0").close_object();
  return out;
}

std::string document_hash(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string out;
  for (const std::uint8_t byte : sha512(text)) {
    out += kDigits[byte >> 4];
    out += kDigits[byte & 15];
  }
  return out;
}

}  // namespace strake::publish
