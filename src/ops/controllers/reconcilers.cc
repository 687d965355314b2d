#include "ops/controllers/reconcilers.h"

#include "base/log.h"

namespace strake::ops {

Next reconcile_holder(const ReconcileContext& context, const DeclaredObject& holder) {
  if (!holder.deleting) return Next::kBlocked;
  if (!holder.has_finalizer()) return Next::kGone;
  const std::vector<DeclaredPtr> needed = context.declared.dependents(holder);
  if (needed.empty()) return after_write(put_finalizer(context, holder, false), Next::kGone);
  // They have no conditions.
  std::vector<std::string> names;
  for (const DeclaredPtr& one : needed) names.push_back(to_string(one->key));
  context.access.tell(holder, EventType::kNormal, "InUse",
                      "deletion waits for " + StepJournal::listed(names));
  return Next::kBlocked;
}

Next reconcile(const ReconcileContext& context, const ObjectKey& key) {
  const Result<DeclaredPtr> object = context.access.read(key);
  if (!object) {
    log::get("operate").debug("an object was not read",
                              {{"object", to_string(key)}, {"error", object.error()}});
    return Next::kTryAgain;
  }
  if (*object == nullptr) return Next::kGone;
  switch (key.kind) {
    case OperatedKind::kCluster: return reconcile_cluster(context, **object);
    case OperatedKind::kDisk: return reconcile_disk(context, **object);
    case OperatedKind::kSnapshot: return reconcile_snapshot(context, **object);
    case OperatedKind::kNodePool: return reconcile_node_pool(context, **object);
    case OperatedKind::kWorkspace:
    case OperatedKind::kProvider:
    case OperatedKind::kApp: break;
  }
  return reconcile_holder(context, **object);
}

}  // namespace strake::ops
