#include "cli/migrate/version_migrations.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/auth/resource_lookup.h"
#include "kube/list.h"
#include "value/fields.h"
#include "value/json_reader.h"
#include "value/json_writer.h"

namespace strake::cli {
namespace {

using value::Document;
using value::Value;

constexpr std::string_view kGroupPath = "/apis/storagemigration.k8s.io";
constexpr std::string_view kDefinitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
constexpr std::size_t kPage = 200;

std::string_view storage_version_of(const Value& definition) {
  for (const Value& one : definition.get("spec").get("versions").items()) {
    if (value::flag_of(one, "storage")) return value::text_of(one, "name");
  }
  return {};
}

std::vector<std::string> stored_versions_of(const Value& definition) {
  std::vector<std::string> out;
  for (const Value& one : definition.get("status").get("storedVersions").items())
    out.emplace_back(value::text_of(one));
  return out;
}

// The reader keeps numbers that are none as text.
std::size_t count_of(const Value& count) {
  return count.type() == value::Type::kInt && count.as_int() > 0
             ? static_cast<std::size_t>(count.as_int())
             : 0;
}

bool is_true(const Value& condition) { return value::text_of(condition, "status") == "True"; }

}  // namespace

std::string resource_text(const meta::GroupResource& resource) {
  return resource.group.empty() ? resource.resource
                                : fmt::format("{}.{}", resource.resource, resource.group);
}

std::size_t StoredObjects::total() const {
  std::size_t sum = 0;
  if (counts) {
    for (const auto& [version, count] : *counts) sum += count;
  }
  return sum;
}

std::size_t StoredObjects::elsewhere() const {
  if (!counts) return 0;
  const auto here = counts->find(storage_version);
  return total() - (here == counts->end() ? 0 : here->second);
}

bool StoredObjects::needs_migration() const {
  return elsewhere() > 0 || std::ranges::any_of(versions, [&](const std::string& one) {
           return one != storage_version;
         });
}

Result<meta::GroupResource> VersionMigrations::find(std::string_view word) const {
  STRAKE_TRY(FoundResource found, find_resource(cluster_, word));
  if (!found.subresource.empty())
    return fail(Code::kUsage, "{}: a subresource is not stored by itself", word);
  return meta::GroupResource{std::move(found.group), std::move(found.resource)};
}

Result<std::vector<meta::GroupResource>> VersionMigrations::unfinished() const {
  STRAKE_TRY(const std::vector<std::string> pages, kube::list_pages(cluster_, kDefinitions, kPage));
  std::vector<meta::GroupResource> out;
  for (const std::string& page : pages) {
    STRAKE_TRY(const Document list, value::read_json(page));
    for (const Value& one : list.root().get("items").items()) {
      const std::vector<std::string> versions = stored_versions_of(one);
      const std::string_view storage = storage_version_of(one);
      if (std::ranges::all_of(versions, [&](const std::string& name) { return name == storage; }))
        continue;
      out.push_back({std::string(value::text_of(one.get("spec"), "group")),
                     std::string(value::text_of(one.get("spec").get("names"), "plural"))});
    }
  }
  return out;
}

Result<std::optional<StoredObjects>> VersionMigrations::stored(
    const meta::GroupResource& resource) const {
  const std::string name = resource_text(resource);
  const auto text = cluster_.get(fmt::format("{}/{}", kDefinitions, name));
  if (!text && text.error().code() == Code::kNotFound) return std::nullopt;
  if (!text) return std::unexpected(text.error());
  STRAKE_TRY(const Document definition, value::read_json(*text));
  StoredObjects out{.storage_version = std::string(storage_version_of(definition.root())),
                    .counts = {},
                    .versions = stored_versions_of(definition.root())};
  const auto counted = cluster_.get(fmt::format("/strake/stored-versions?resource={}", name));
  // Other servers do not have it, and not everybody may ask for it.
  if (!counted &&
      (counted.error().code() == Code::kNotFound || counted.error().code() == Code::kForbidden))
    return out;
  if (!counted) return std::unexpected(counted.error());
  STRAKE_TRY(const Document counts, value::read_json(*counted));
  out.counts.emplace();
  for (const Value& one : counts.root().get("resources").items()) {
    if (value::text_of(one, "name") != name) continue;
    for (const value::Member& member : one.get("objects").members())
      out.counts->emplace(member.key, count_of(member.value));
  }
  return out;
}

Result<std::string> VersionMigrations::path() const {
  if (!path_.empty()) return path_;
  const auto text = cluster_.get(kGroupPath);
  if (!text && text.error().code() == Code::kNotFound) {
    return fail(Code::kUnsupported,
                "this cluster does not serve storagemigration.k8s.io: Kubernetes 1.35 and later "
                "have it behind the feature gate StorageVersionMigrator and --runtime-config");
  }
  if (!text) return std::unexpected(text.error());
  STRAKE_TRY(const Document group, value::read_json(*text));
  // Both versions have the fields that are used here.
  for (const std::string_view wanted : {"v1", "v1beta1"}) {
    for (const Value& one : group.root().get("versions").items()) {
      if (value::text_of(one, "version") != wanted) continue;
      path_ = fmt::format("{}/{}/storageversionmigrations", kGroupPath, wanted);
      return path_;
    }
  }
  return fail(Code::kUnsupported,
              "this cluster serves neither v1 nor v1beta1 of storagemigration.k8s.io");
}

Result<std::string> VersionMigrations::begin(const meta::GroupResource& resource) const {
  STRAKE_TRY(const std::string collection, path());
  const std::string_view version =
      std::string_view(collection)
          .substr(kGroupPath.size() + 1, collection.rfind('/') - kGroupPath.size() - 1);
  Document made;
  Arena& arena = made.arena();
  made.root() = Value::object({});
  const std::string api_version = fmt::format("storagemigration.k8s.io/{}", version);
  const std::string name = resource_text(resource) + "-";
  made.root().set("apiVersion", Value::string(api_version), arena);
  made.root().set("kind", Value::string("StorageVersionMigration"), arena);
  made.root().object_at("metadata", arena).set("generateName", Value::string(name), arena);
  Value& wanted = made.root().object_at("spec", arena).object_at("resource", arena);
  wanted.set("group", Value::string(resource.group), arena);
  wanted.set("resource", Value::string(resource.resource), arena);
  STRAKE_TRY(const http::FetchResponse answer,
             cluster_.send({.method = "POST",
                            .path = collection,
                            .content_type = "application/json",
                            .body = value::to_json(made.root())}));
  STRAKE_TRY(const Document created, value::read_json(answer.body));
  return std::string(value::text_of(created.root().get("metadata"), "name"));
}

Result<MigrationState> VersionMigrations::state(std::string_view name) const {
  STRAKE_TRY(const std::string collection, path());
  STRAKE_TRY(const std::string text, cluster_.get(fmt::format("{}/{}", collection, name)));
  STRAKE_TRY(const Document migration, value::read_json(text));
  MigrationState out;
  for (const Value& one : migration.root().get("status").get("conditions").items()) {
    if (!is_true(one)) continue;
    const std::string_view type = value::text_of(one, "type");
    if (type == "Succeeded") return MigrationState{MigrationState::Phase::kSucceeded, {}};
    if (type == "Failed") {
      return MigrationState{MigrationState::Phase::kFailed,
                            std::string(value::text_of(one, "message"))};
    }
    if (type == "Running") out.phase = MigrationState::Phase::kRunning;
  }
  return out;
}

}  // namespace strake::cli
