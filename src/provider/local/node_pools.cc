#include "provider/local/node_pools.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "base/quote.h"
#include "kube/applier.h"
#include "kube/objects/applied.h"
#include "kube/objects/objects.h"
#include "meta/names.h"
#include "provider/install/api_call.h"
#include "provider/local/cluster_folder.h"
#include "provider/local/pool_record.h"
#include "provider/names/node_pool_checks.h"
#include "value/fields.h"

namespace strake::provider::local {
namespace {

using value::text_of;
using value::Value;

constexpr std::string_view kFieldManager = "kompoxops";
constexpr std::size_t kMostPoolName = 50;  // which leaves room for what is put around it

const kube::ObjectKind kConfigMaps{.api_version = "v1", .kind = "ConfigMap"};
const kube::ObjectKind kNodes{.api_version = "v1", .kind = "Node"};

// The pools of one cluster, for the length of a call.
class Pools {
 public:
  Pools(const Site& site, const Cluster& cluster, kube::Client client)
      : tags_(ClusterFolder(site, cluster).tags()),
        client_(std::make_unique<kube::Client>(std::move(client))),
        objects_(std::make_unique<kube::Objects>(*client_)) {}

  // By name; all when it is empty.
  Outcome<std::vector<NodePool>> list(const std::string& name) {
    STRAKE_TRY(const auto maps, list_objects(kConfigMaps, std::string(kPoolNamespace), name));
    STRAKE_TRY(const auto nodes, list_objects(kNodes, "", name));
    std::vector<NodePool> out;
    for (const Value* one : items(maps)) {
      const std::string_view text = text_of(one->get("data"), "pool.json");
      STRAKE_TRY(NodePool pool, in_context(text_of(one->get("metadata"), "name"), read_pool(text)));
      std::int64_t count = 0;
      for (const Value* node : items(nodes)) count += pool_of(*node) == *pool.name ? 1 : 0;
      pool.provider_name = pool.name;
      pool.status = NodePoolStatus{
          .provisioning_state = count == wanted_nodes(pool) ? "Succeeded" : "Updating",
          .current_node_count = count,
          .extensions = {}};
      out.push_back(std::move(pool));
    }
    std::ranges::sort(out, {}, [](const NodePool& one) { return *one.name; });
    return out;
  }

  Outcome<std::optional<NodePool>> find(const std::string& name) {
    STRAKE_TRY(auto all, list(name));
    if (all.empty()) return std::nullopt;
    return std::move(all.front());
  }

  // Whether its nodes are as the pool says, as a change that was cut off would not leave them.
  Outcome<bool> is_complete(const NodePool& pool) {
    STRAKE_TRY(const auto nodes, list_objects(kNodes, "", *pool.name));
    const auto all = items(nodes);
    const std::int64_t wanted = wanted_nodes(pool);
    if (static_cast<std::int64_t>(all.size()) != wanted) return false;
    for (std::int64_t i = 0; i < wanted; ++i) {
      if (!is_there(all, node_object(pool, i, tags_))) return false;
    }
    return true;
  }

  // The record first: whoever comes after a cut goes on from it.
  Outcome<> make_so(const NodePool& pool) {
    STRAKE_TRY(const auto maps, list_objects(kConfigMaps, std::string(kPoolNamespace), *pool.name));
    STRAKE_CHECK(apply(items(maps), pool_object(pool, tags_)));
    STRAKE_TRY(const auto nodes, list_objects(kNodes, "", *pool.name));
    const std::int64_t wanted = wanted_nodes(pool);
    for (std::int64_t i = 0; i < wanted; ++i)
      STRAKE_CHECK(apply(items(nodes), node_object(pool, i, tags_)));
    for (const Value* node : items(nodes)) {
      const std::string name(text_of(node->get("metadata"), "name"));
      if (index_of(*pool.name, name) >= wanted) STRAKE_CHECK(remove(kNodes, "", name));
    }
    return {};
  }

  // The record last: until then the pool is there, and can be deleted again.
  Outcome<> remove(const std::string& name) {
    STRAKE_TRY(const auto nodes, list_objects(kNodes, "", name));
    for (const Value* node : items(nodes))
      STRAKE_CHECK(remove(kNodes, "", std::string(text_of(node->get("metadata"), "name"))));
    STRAKE_TRY(const auto maps, list_objects(kConfigMaps, std::string(kPoolNamespace), name));
    for (const Value* one : items(maps))
      STRAKE_CHECK(remove(kConfigMaps, std::string(kPoolNamespace),
                          std::string(text_of(one->get("metadata"), "name"))));
    return {};
  }

 private:
  using Pages = std::vector<value::Document>;

  static std::vector<const Value*> items(const Pages& pages) {
    std::vector<const Value*> out;
    for (const value::Document& page : pages) {
      for (const Value& one : page.root().get("items").items()) out.push_back(&one);
    }
    return out;
  }

  static std::string_view pool_of(const Value& object) {
    return text_of(object.get("metadata").get("labels"), kPoolLabel);
  }

  // A number past all when it is none of the pool's own names: then it goes.
  static std::int64_t index_of(std::string_view pool, std::string_view node) {
    std::int64_t out = 0;
    const std::string_view text =
        node.starts_with(pool) ? node.substr(std::min(node.size(), pool.size() + 1)) : "";
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
    const bool ours =
        error == std::errc() && end == text.data() + text.size() && node_name(pool, out) == node;
    return ours ? out : kMostNodes + 1;
  }

  Outcome<Pages> list_objects(const kube::ObjectKind& kind, const std::string& in,
                              const std::string& pool) {
    STRAKE_TRY(Pages out,
               of_api(objects_->list(
                   {.of = kind,
                    .namespace_name = in,
                    .label_selector = pool.empty() ? std::string(kPoolLabel)
                                                   : fmt::format("{}={}", kPoolLabel, pool)})));
    // Lists leave out what their items are.
    for (value::Document& page : out) {
      Value* found = page.root().find("items");
      if (found == nullptr) continue;
      for (Value& one : found->mutable_items()) {
        one.set("apiVersion", Value::string(kind.api_version), page.arena());
        one.set("kind", Value::string(kind.kind), page.arena());
      }
    }
    return out;
  }

  static bool is_there(const std::vector<const Value*>& all, const value::Document& wanted) {
    const std::string_view name = text_of(wanted.root().get("metadata"), "name");
    return std::ranges::any_of(all, [&](const Value* one) {
      return text_of(one->get("metadata"), "name") == name &&
             kube::is_applied(*one, wanted.root(), kFieldManager);
    });
  }

  Outcome<> apply(const std::vector<const Value*>& there, const value::Document& wanted) {
    if (is_there(there, wanted)) return {};
    kube::Applier applier(*client_, {.field_manager = std::string(kFieldManager),
                                     .force = true,
                                     .namespace_name = std::string(kPoolNamespace)});
    STRAKE_TRY([[maybe_unused]] const std::string applied, of_api(applier.apply(wanted.root())));
    return {};
  }

  Outcome<> remove(const kube::ObjectKind& kind, const std::string& in, const std::string& name) {
    STRAKE_TRY([[maybe_unused]] const bool was_there,
               of_api(objects_->remove({.of = kind, .namespace_name = in, .name = name})));
    return {};
  }

  Tags tags_;
  std::unique_ptr<kube::Client> client_;
  std::unique_ptr<kube::Objects> objects_;
};

Outcome<> check_pool(const NodePool& pool) {
  STRAKE_CHECK(check_new_node_pool(pool));
  // It begins the names of its nodes.
  if (!meta::check_dns1123_label(*pool.name).empty() || pool.name->size() > kMostPoolName) {
    return refuse(FailureClass::kValidation,
                  "validation error: pool.Name must be a DNS-1123 label of at most {} characters, "
                  "got {}",
                  kMostPoolName, quote(*pool.name));
  }
  if (wanted_nodes(pool) > kMostNodes) {
    return refuse(FailureClass::kValidation,
                  "validation error: a pool must have at most {} nodes, got {}", kMostNodes,
                  wanted_nodes(pool));
  }
  return {};
}

class LocalNodePools final : public NodePoolDriver {
 public:
  explicit LocalNodePools(SharedSite site) : site_(std::move(site)) {}

  Outcome<std::vector<NodePool>> list(const Call& call, const Cluster& cluster,
                                      const std::string& name) override {
    STRAKE_TRY(Pools pools, open(call, cluster));
    return pools.list(name);
  }

  Outcome<NodePool> create(const Call& call, const Cluster& cluster, const NodePool& pool,
                           const NodePoolOptions& /*options*/) override {
    NodePool wanted = pool;
    wanted.status.reset();
    STRAKE_CHECK(check_pool(wanted));
    add_scheduling_labels(wanted);
    wanted.provider_name = wanted.name;
    return change(call, cluster, wanted, "create");
  }

  Outcome<NodePool> update(const Call& call, const Cluster& cluster, const NodePool& pool,
                           const NodePoolOptions& /*options*/) override {
    if (!pool.name || pool.name->empty())
      return refuse(FailureClass::kValidation, "validation error: pool.Name is required");
    return change(call, cluster, pool, "update");
  }

  Outcome<> remove(const Call& call, const Cluster& cluster, const std::string& name,
                   const NodePoolOptions& /*options*/) override {
    const Journal::Fields fields = {{"pool", name}, {"cluster", cluster.name}};
    auto pools = open(call, cluster);
    // With the cluster, its pools are gone too.
    if (!pools && pools.error().error_class() == FailureClass::kNotFound) {
      call.step("skip", "delete node pool", fields);
      return {};
    }
    if (!pools) return std::unexpected(std::move(pools).error());
    STRAKE_TRY(const auto found, pools->find(name));
    if (!found || call.dry_run) {
      call.step(found ? "plan" : "skip", "delete node pool", fields);
      return {};
    }
    STRAKE_TRY(const NamedLock lock, lock_of(call, cluster));
    STRAKE_CHECK(pools->remove(name));
    call.step("delete", "node pool", fields);
    return {};
  }

 private:
  Outcome<Pools> open(const Call& call, const Cluster& cluster) const {
    STRAKE_TRY(kube::Client client, ClusterFolder(*site_, cluster).client(call));
    return Pools(*site_, cluster, std::move(client));
  }

  Outcome<NamedLock> lock_of(const Call& call, const Cluster& cluster) const {
    return site_->lock(call, fmt::format("pools-{}", site_->names.cluster(cluster.name)));
  }

  // What the pool is to become; nothing when it is so already.
  static Outcome<std::optional<NodePool>> plan(Pools& pools, const std::optional<NodePool>& current,
                                               const NodePool& wanted) {
    if (!current) return wanted;
    STRAKE_CHECK(check_node_pool_update(*current, wanted));
    NodePool merged = merge_node_pool(*current, wanted);
    STRAKE_CHECK(check_pool(merged));
    if (merged == *current) {
      STRAKE_TRY(const bool complete, pools.is_complete(merged));
      if (complete) return std::nullopt;
    }
    return merged;
  }

  Outcome<NodePool> change(const Call& call, const Cluster& cluster, const NodePool& wanted,
                           std::string_view verb) const {
    const Journal::Fields fields = {{"pool", *wanted.name}, {"cluster", cluster.name}};
    const std::string what = fmt::format("{} node pool", verb);
    STRAKE_TRY(Pools pools, open(call, cluster));
    STRAKE_TRY(std::optional<NodePool> current, pools.find(*wanted.name));
    if (!current && verb == "update")
      return refuse(FailureClass::kNotFound, "node pool {} not found", quote(*wanted.name));
    STRAKE_TRY(std::optional<NodePool> next, plan(pools, current, wanted));
    if (!next) {
      call.step("skip", what, fields);
      return *std::move(current);
    }
    if (call.dry_run) {
      call.step("plan", what, fields);
      return *std::move(next);
    }
    STRAKE_TRY(const NamedLock lock, lock_of(call, cluster));
    // Again: somebody may have changed it before we had the lock.
    STRAKE_TRY(current, pools.find(*wanted.name));
    STRAKE_TRY(next, plan(pools, current, wanted));
    const bool is_new = !current;
    if (next) STRAKE_CHECK(pools.make_so(*next));
    STRAKE_TRY(current, pools.find(*wanted.name));
    if (!current)
      return refuse(FailureClass::kConflict, "node pool {} was removed meanwhile", *wanted.name);
    call.step(is_new ? "create" : "update", "node pool", fields);
    return *std::move(current);
  }

  SharedSite site_;
};

}  // namespace

std::unique_ptr<NodePoolDriver> make_node_pools(SharedSite site) {
  return std::make_unique<LocalNodePools>(std::move(site));
}

}  // namespace strake::provider::local
