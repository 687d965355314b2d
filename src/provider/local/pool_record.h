#pragma once
// Node pools as a cluster of this machine keeps them: a ConfigMap for each, so that a pool without
// nodes is still a pool, and a Node object for each of its nodes.
#include <cstdint>
#include <string>
#include <string_view>

#include "provider/model/node_pool.h"
#include "provider/names/tags.h"
#include "value/document.h"

namespace strake::provider::local {

inline constexpr std::string_view kPoolNamespace = "kube-system";
inline constexpr std::string_view kPoolLabel = "local.strake.dev/node-pool";  // of both, the name
inline constexpr std::int64_t kMostNodes = 1000;

// "strake-node-pool-<name>"
std::string pool_object_name(std::string_view pool);
// "<pool>-<index>"
std::string node_name(std::string_view pool, std::int64_t index);

// How many nodes it wants: `desired` within the bounds of autoscaling, else the least that may be;
// one for a pool that says nothing.
std::int64_t wanted_nodes(const NodePool& pool);

// The pool as text in its ConfigMap: what is unset is left out, the status too.
std::string to_json(const NodePool& pool);
// Fails with kInternal: others have changed it.
Outcome<NodePool> read_pool(std::string_view text);

// To apply.
value::Document pool_object(const NodePool& pool, const Tags& tags);
value::Document node_object(const NodePool& pool, std::int64_t index, const Tags& tags);

}  // namespace strake::provider::local
