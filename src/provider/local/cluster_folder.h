#pragma once
// The folder of a cluster: what it is known by, and what the server in it has told.
#include <optional>
#include <string>

#include "base/secret.h"
#include "kube/client.h"
#include "provider/local/object.h"
#include "provider/local/process.h"
#include "provider/local/site.h"

namespace strake::provider::local {

class ClusterFolder {
 public:
  // Whose cluster it is. The site must outlive it.
  ClusterFolder(const Site& site, const Cluster& cluster);

  const std::string& resource() const { return resource_; }
  const std::string& path() const { return path_; }
  std::string file(std::string_view name) const;
  const Tags& tags() const { return tags_; }

  // Nothing when it is not there. Fails with kConflict when it is somebody else's.
  Outcome<std::optional<ClusterObject>> read(const Call& call) const;
  Outcome<> write(const Call& call, const ClusterObject& object) const;
  // With its tags from the beginning.
  Outcome<> make(const Call& call, const ClusterObject& object) const;
  // What calls that were cut off have left.
  Outcome<bool> has_leftovers(const Call& call) const;
  Outcome<> sweep(const Call& call) const;
  Outcome<> remove(const Call& call) const;

  Outcome<std::optional<RunningServer>> running(const Call& call) const;
  // The administrator's, as the server has written it. kNotFound before it was ever started.
  Outcome<Secret> kubeconfig(const Call& call) const;
  // For this call, each request a step. kNotFound when it is not provisioned.
  Outcome<kube::Client> client(const Call& call) const;

 private:
  const Site& site_;
  std::string name_;
  std::string resource_;
  std::string path_;
  Tags tags_;
};

}  // namespace strake::provider::local
