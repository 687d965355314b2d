#pragma once
// Node pools of a cluster.
#include <string>
#include <vector>

#include "ops/cases/session.h"

namespace strake::ops {

// By name; all when `name` is empty.
provider::Outcome<std::vector<provider::NodePool>> list_node_pools(const Session& session,
                                                                   const provider::Call& call,
                                                                   const provider::Cluster& cluster,
                                                                   const std::string& name = {});
// As it is then. In a dry run: as it is asked for.
provider::Outcome<provider::NodePool> create_node_pool(
    const Session& session, const provider::Call& call, const provider::Cluster& cluster,
    const provider::NodePool& pool, const provider::NodePoolOptions& options = {});
// Only what is set changes.
provider::Outcome<provider::NodePool> update_node_pool(
    const Session& session, const provider::Call& call, const provider::Cluster& cluster,
    const provider::NodePool& pool, const provider::NodePoolOptions& options = {});
// Success when there is none. Fails with kInvalid without a name.
provider::Outcome<> delete_node_pool(const Session& session, const provider::Call& call,
                                     const provider::Cluster& cluster, const std::string& name,
                                     const provider::NodePoolOptions& options = {});

}  // namespace strake::ops
