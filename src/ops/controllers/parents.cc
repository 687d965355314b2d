#include "ops/controllers/parents.h"

#include <fmt/format.h>

#include <expected>
#include <utility>

#include "base/quote.h"
#include "ops/kom/models.h"
#include "provider/names/resource_id.h"
#include "value/fields.h"

namespace strake::ops {
namespace {

using provider::ResourceId;

std::unexpected<NotReady> not_ready(std::string reason, std::string message) {
  return std::unexpected(NotReady{std::move(reason), std::move(message)});
}

// The Resource ID of an object that may stand for what it names.
std::expected<ResourceId, NotReady> id_of(const DeclaredObjects& from,
                                          const DeclaredObject& object) {
  const std::string_view kind = to_string(object.key.kind);
  if (object.id.empty())
    return not_ready("InvalidID", fmt::format("{} {} has no annotation ops.kompox.dev/id", kind,
                                              object.key.name));
  auto id = ResourceId::parse(object.id);
  if (!id) return not_ready("InvalidID", id.error().message());
  if (const auto fits = id->check_document(kind, object.key.name); !fits)
    return not_ready("InvalidID", fits.error().message());
  const DeclaredPtr first = from.first_of_id(object.key.kind, object.id);
  if (first && first->key != object.key)
    return not_ready("DuplicateID", fmt::format("{} has the same Resource ID, and was there first",
                                                to_string(first->key)));
  return *std::move(id);
}

std::expected<DeclaredPtr, NotReady> parent_at(const DeclaredObjects& from, OperatedKind kind,
                                               const std::string& namespace_name,
                                               std::string_view id) {
  DeclaredPtr found = from.by_id(kind, namespace_name, id);
  if (!found)
    return not_ready(fmt::format("{}NotFound", to_string(kind)),
                     fmt::format("there is no {} {} in namespace {}", to_string(kind), quote(id),
                                 namespace_name));
  STRAKE_TRY([[maybe_unused]] const ResourceId checked, id_of(from, *found));
  return found;
}

std::expected<void, NotReady> no_faults(const DeclaredObject& object,
                                        const std::vector<KomFault>& faults) {
  if (faults.empty()) return {};
  return not_ready("InvalidSpec",
                   fmt::format("{}: {}", to_string(object.key), faults.front().to_string()));
}

void add_object(Parents& to, DeclaredPtr object) {
  to.deleting = to.deleting || object->deleting;
  to.objects.push_back(std::move(object));
}

// The workspace, the provider and the cluster, all of them models in the store.
std::expected<Parents, NotReady> down_to_cluster(const DeclaredObjects& from,
                                                 const DeclaredObject& cluster) {
  STRAKE_TRY(const ResourceId id, id_of(from, cluster));
  const std::string& namespace_name = cluster.key.namespace_name;
  STRAKE_TRY(DeclaredPtr above,
             parent_at(from, OperatedKind::kProvider, namespace_name, id.parent()));
  STRAKE_TRY(const ResourceId above_id, id_of(from, *above));
  STRAKE_TRY(DeclaredPtr workspace,
             parent_at(from, OperatedKind::kWorkspace, namespace_name, above_id.parent()));
  Parents out;
  std::vector<KomFault> faults;
  out.store->add(provider::Workspace{.id = workspace->id, .name = workspace->key.name});
  provider::ProviderEntity entity{.id = above->id,
                                  .name = above->key.name,
                                  .workspace_id = workspace->id,
                                  .driver = {},
                                  .settings = {}};
  read_provider_spec(above->spec(), entity, faults);
  STRAKE_CHECK(no_faults(*above, faults));
  out.store->add(std::move(entity));
  provider::Cluster model;
  model.id = cluster.id;
  model.name = cluster.key.name;
  model.provider_id = above->id;
  read_cluster_spec(cluster.spec(), model, faults);
  STRAKE_CHECK(no_faults(cluster, faults));
  out.store->add(std::move(model));
  out.cluster = out.store->cluster_by_id(cluster.id);
  add_object(out, std::move(workspace));
  add_object(out, std::move(above));
  return out;
}

std::expected<DeclaredPtr, NotReady> referred(const DeclaredObjects& from, OperatedKind kind,
                                              const std::string& namespace_name,
                                              std::string_view name) {
  DeclaredPtr found =
      from.find({.kind = kind, .namespace_name = namespace_name, .name = std::string(name)});
  if (!found)
    return not_ready(fmt::format("{}NotFound", to_string(kind)),
                     fmt::format("there is no {} {} in namespace {}", to_string(kind), quote(name),
                                 namespace_name));
  return found;
}

}  // namespace

FoundParents parents_of_cluster(const DeclaredObjects& from, const DeclaredObject& cluster) {
  STRAKE_TRY(Parents out, down_to_cluster(from, cluster));
  out.cluster_object = from.find(cluster.key);
  return out;
}

FoundParents parents_of_node_pool(const DeclaredObjects& from, const DeclaredObject& object) {
  STRAKE_TRY(DeclaredPtr cluster, referred(from, OperatedKind::kCluster, object.key.namespace_name,
                                           object.cluster_name()));
  STRAKE_TRY(Parents out, down_to_cluster(from, *cluster));
  out.cluster_object = cluster;
  add_object(out, std::move(cluster));
  return out;
}

FoundParents parents_of_volume_object(const DeclaredObjects& from, const DeclaredObject& object) {
  STRAKE_TRY(DeclaredPtr app,
             referred(from, OperatedKind::kApp, object.key.namespace_name, object.app_name()));
  STRAKE_TRY(const ResourceId id, id_of(from, *app));
  STRAKE_TRY(DeclaredPtr cluster,
             parent_at(from, OperatedKind::kCluster, object.key.namespace_name, id.parent()));
  STRAKE_TRY(Parents out, down_to_cluster(from, *cluster));
  out.cluster_object = cluster;
  provider::App model;
  model.id = app->id;
  model.name = app->key.name;
  model.cluster_id = cluster->id;
  std::vector<KomFault> faults;
  read_app_spec(app->spec(), model, faults);
  STRAKE_CHECK(no_faults(*app, faults));
  out.store->add(std::move(model));
  out.app = out.store->app_by_id(app->id);
  add_object(out, std::move(cluster));
  add_object(out, std::move(app));
  return out;
}

}  // namespace strake::ops
