#pragma once
// One look at one object: what it declares is made so, and its status tells what is. Each may be
// killed anywhere and run again.
#include "ops/controllers/reconcile.h"

namespace strake::ops {

// Provisioned as declared, and installed when `spec.ingress` is there. Deleting it uninstalls and
// deprovisions, when nothing needs it any more and its protection allows it.
Next reconcile_cluster(const ReconcileContext& context, const DeclaredObject& cluster);
// A disk of its name is there; when the spec says so it is the assigned one. One that was lost is
// made anew, from its source.
Next reconcile_disk(const ReconcileContext& context, const DeclaredObject& disk);
// As disks. One that was lost is not taken again: it would hold something else.
Next reconcile_snapshot(const ReconcileContext& context, const DeclaredObject& snapshot);
Next reconcile_node_pool(const ReconcileContext& context, const DeclaredObject& pool);
// Workspaces, providers and apps: they stay until nothing needs them.
Next reconcile_holder(const ReconcileContext& context, const DeclaredObject& holder);

// That of its kind. An object that is not there any more is gone.
Next reconcile(const ReconcileContext& context, const ObjectKey& key);

}  // namespace strake::ops
