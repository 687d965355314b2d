#pragma once
// What stands above an object, as the models that use cases work with.
#include <memory>
#include <string>
#include <vector>

#include "ops/controllers/declared.h"
#include "ops/kom/store.h"
#include "provider/model/app.h"
#include "provider/model/cluster.h"

namespace strake::ops {

// Why an object cannot be worked on until somebody changes something.
struct NotReady {
  std::string reason;  // of a condition: "ProviderNotFound"
  std::string message;
};

// Models point into the store, which does not move.
struct Parents {
  std::unique_ptr<Store> store = std::make_unique<Store>();
  const provider::Cluster* cluster = nullptr;
  const provider::App* app = nullptr;  // null for what has none
  DeclaredPtr cluster_object;
  std::vector<DeclaredPtr> objects;  // from the workspace down, the object itself not among them
  bool deleting = false;             // one of them is
};
using FoundParents = std::expected<Parents, NotReady>;

// The cluster itself is in the store too.
FoundParents parents_of_cluster(const DeclaredObjects& from, const DeclaredObject& cluster);
// Of a disk or snapshot: down to the app of spec.appRef.
FoundParents parents_of_volume_object(const DeclaredObjects& from, const DeclaredObject& object);
// Down to the cluster of spec.clusterRef.
FoundParents parents_of_node_pool(const DeclaredObjects& from, const DeclaredObject& object);

}  // namespace strake::ops
