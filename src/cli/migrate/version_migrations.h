#pragma once
// StorageVersionMigrations of a cluster, through its API: which resources need one, how they are
// begun and how they end. Works with every Kubernetes cluster that serves storagemigration.k8s.io.
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kube/client.h"
#include "meta/gvk.h"

namespace strake::cli {

// In which versions the objects of a resource are stored.
struct StoredObjects {
  std::string storage_version;
  // By version. Empty when the server does not tell, which only Strake does.
  std::optional<std::map<std::string, std::size_t>> counts;
  // Where it does not: what the definition says they may be stored in.
  std::vector<std::string> versions;

  std::size_t total() const;
  // How many are stored in another version.
  std::size_t elsewhere() const;
  // Whether a migration has anything to do, as far as can be told.
  bool needs_migration() const;
};

struct MigrationState {
  enum class Phase { kWaiting, kRunning, kSucceeded, kFailed };
  Phase phase = Phase::kWaiting;
  std::string message;  // of a failure
};

class VersionMigrations {
 public:
  // The client must outlive it.
  explicit VersionMigrations(const kube::Client& cluster) : cluster_(cluster) {}

  // By plural, singular, kind or short name, with or without the group.
  Result<meta::GroupResource> find(std::string_view word) const;
  // The custom resources whose definitions name another stored version than the storage version.
  Result<std::vector<meta::GroupResource>> unfinished() const;
  // Nothing for a resource that has no definition: the server itself decides how it is stored.
  Result<std::optional<StoredObjects>> stored(const meta::GroupResource& resource) const;
  // The name of the new migration. kUnsupported when the cluster does not serve the API.
  Result<std::string> begin(const meta::GroupResource& resource) const;
  Result<MigrationState> state(std::string_view name) const;

 private:
  Result<std::string> path() const;

  const kube::Client& cluster_;
  mutable std::string path_;  // of the collection, when it has been asked for
};

// "things.a.example"; without a group, the plural alone.
std::string resource_text(const meta::GroupResource& resource);

}  // namespace strake::cli
