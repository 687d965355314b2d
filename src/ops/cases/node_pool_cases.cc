#include "ops/cases/node_pool_cases.h"

namespace strake::ops {

using provider::Call;
using provider::Cluster;
using provider::FailureClass;
using provider::NodePool;
using provider::Outcome;

Outcome<std::vector<NodePool>> list_node_pools(const Session& session, const Call& call,
                                               const Cluster& cluster, const std::string& name) {
  STRAKE_CHECK(call.check());
  STRAKE_TRY(const ClusterScope scope, open_cluster(session, cluster));
  STRAKE_TRY(provider::NodePoolDriver * pools, scope.node_pools("NodePoolList"));
  return pools->list(call, cluster, name);
}

Outcome<NodePool> create_node_pool(const Session& session, const Call& call, const Cluster& cluster,
                                   const NodePool& pool, const provider::NodePoolOptions& options) {
  STRAKE_CHECK(call.check());
  STRAKE_TRY(const ClusterScope scope, open_cluster(session, cluster));
  STRAKE_TRY(provider::NodePoolDriver * pools, scope.node_pools("NodePoolCreate"));
  return pools->create(call, cluster, pool, options);
}

Outcome<NodePool> update_node_pool(const Session& session, const Call& call, const Cluster& cluster,
                                   const NodePool& pool, const provider::NodePoolOptions& options) {
  STRAKE_CHECK(call.check());
  STRAKE_TRY(const ClusterScope scope, open_cluster(session, cluster));
  STRAKE_TRY(provider::NodePoolDriver * pools, scope.node_pools("NodePoolUpdate"));
  return pools->update(call, cluster, pool, options);
}

Outcome<> delete_node_pool(const Session& session, const Call& call, const Cluster& cluster,
                           const std::string& name, const provider::NodePoolOptions& options) {
  STRAKE_CHECK(call.check());
  if (name.empty())
    return provider::refuse(FailureClass::kInvalid, "missing parameters: node pool name");
  STRAKE_TRY(const ClusterScope scope, open_cluster(session, cluster));
  STRAKE_TRY(provider::NodePoolDriver * pools, scope.node_pools("NodePoolDelete"));
  return pools->remove(call, cluster, name, options);
}

}  // namespace strake::ops
