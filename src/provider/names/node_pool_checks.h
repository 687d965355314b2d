#pragma once
// What holds for node pools of every provider: what is required, what cannot change, and how an
// update that names some fields meets the pool as it is. Failures are kValidation, and their texts
// begin with "validation error: ".
#include <string>
#include <vector>

#include "provider/failure.h"
#include "provider/model/node_pool.h"

namespace strake::provider {

// A pool that is to be made.
Outcome<> check_new_node_pool(const NodePool& pool);

// An update of `current`: every field that is set is good, and none that cannot change differs.
// Zones of both vocabularies, and the words of mode and priority in any case, are the same.
Outcome<> check_node_pool_update(const NodePool& current, const NodePool& update);

// "Mode is immutable", ... for each field that `update` sets to something else.
std::vector<std::string> immutable_changes(const NodePool& current, const NodePool& update);

// `current` with what `update` sets: labels and extensions are added or changed, never removed;
// autoscaling is replaced. What cannot change stays as it is written, and is taken from `update`
// where the pool has none. The status stays.
NodePool merge_node_pool(const NodePool& current, const NodePool& update);

// The labels that pods are scheduled by: the pool's name and its first zone, as it is written. A
// label that is there stays, since others already select by it.
void add_scheduling_labels(NodePool& pool);

}  // namespace strake::provider
