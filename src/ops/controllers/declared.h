#pragma once
// The declared objects of a server, as its watches told them last, and how they belong together:
// workspaces, providers, clusters and apps by their Resource IDs, all else by the references of
// their specs. Objects are immutable; a change replaces them. May be used from any thread.
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ops/controllers/conditions.h"
#include "ops/controllers/object_key.h"
#include "value/document.h"

namespace strake::ops {

// Says that the object may not go before what it stands for, or what needs it, is gone.
inline constexpr std::string_view kCleanupFinalizer = "ops.kompox.dev/cleanup";

struct DeclaredObject {
  ObjectKey key;
  std::string id;  // the Resource ID as it is annotated; empty when there is none
  std::string uid;
  std::string resource_version;
  std::string created;  // RFC 3339
  std::int64_t generation = 0;
  bool deleting = false;
  std::vector<std::string> finalizers;
  value::Document document;

  const value::Value& spec() const { return document.root().get("spec"); }
  const value::Value& status() const { return document.root().get("status"); }
  const value::Value& metadata() const { return document.root().get("metadata"); }
  bool has_finalizer() const;
  // In the same namespace: the name that spec.appRef or spec.clusterRef has.
  std::string_view app_name() const;
  std::string_view cluster_name() const;
  std::vector<StatusCondition> conditions() const {
    return read_conditions(status().get("conditions"));
  }
};
using DeclaredPtr = std::shared_ptr<const DeclaredObject>;

// Nothing when it has no name or namespace.
DeclaredPtr read_declared(OperatedKind kind, const value::Value& object);

class DeclaredObjects {
 public:
  // Each gives the objects that should be looked at because of the change.
  std::vector<ObjectKey> set(DeclaredPtr object);
  std::vector<ObjectKey> remove(const ObjectKey& key);
  std::vector<ObjectKey> replace(OperatedKind kind, std::vector<DeclaredPtr> all);

  // Every kind has been told: what is not here is not there. Until then nothing may be concluded
  // from an absence.
  bool is_complete() const;

  DeclaredPtr find(const ObjectKey& key) const;  // null when there is none
  std::vector<ObjectKey> all() const;
  // In that namespace. When there are several of one Resource ID: the oldest one.
  DeclaredPtr by_id(OperatedKind kind, std::string_view namespace_name, std::string_view id) const;
  // The one that has this Resource ID first, of all namespaces: it alone stands for what the
  // provider has. Null when there is none.
  DeclaredPtr first_of_id(OperatedKind kind, std::string_view id) const;
  // Of one app's volume: disks, or snapshots.
  std::vector<DeclaredPtr> of_volume(OperatedKind kind, std::string_view namespace_name,
                                     std::string_view app, std::string_view volume) const;
  // What cannot do without the object, and is here: sorted by key.
  std::vector<DeclaredPtr> dependents(const DeclaredObject& object) const;

 private:
  using Objects = std::map<ObjectKey, DeclaredPtr>;

  // The Resource ID of a disk is that of its app, for this purpose.
  std::string scope_of(const DeclaredObject& object) const;
  bool all_told() const;
  std::vector<ObjectKey> touched_by(const DeclaredObject& object, bool and_itself) const;
  bool needs(const DeclaredObject& one, const DeclaredObject& other) const;
  std::vector<ObjectKey> set_locked(DeclaredPtr object);
  std::vector<ObjectKey> remove_locked(const ObjectKey& key);

  mutable std::mutex mu_;
  Objects objects_;                                                        // guarded by mu_
  std::vector<bool> told_ = std::vector<bool>(std::size(kOperatedKinds));  // guarded by mu_
};

}  // namespace strake::ops
