#pragma once
// Where a cluster keeps the objects of a kind, as its discovery says. A group and version is asked
// about once; again when a kind is not among what it had.
#include <map>
#include <string>
#include <string_view>

#include "kube/client.h"

namespace strake::kube {

struct ResourcePath {
  std::string base;    // "/apis/apps/v1"
  std::string plural;  // "deployments"
  bool namespaced = true;

  // Of the collection, or of one of its objects. `namespace_name` is left out for kinds without.
  std::string collection(std::string_view namespace_name) const;
  std::string object(std::string_view namespace_name, std::string_view name) const;
};

class ResourcePaths {
 public:
  // The client must outlive it.
  explicit ResourcePaths(const Client& cluster) : cluster_(cluster) {}

  // Fails with kNotFound when the cluster has no such kind, and with what the cluster said
  // otherwise.
  Result<ResourcePath> find(std::string_view api_version, std::string_view kind);

 private:
  using ByKind = std::map<std::string, ResourcePath, std::less<>>;
  Result<ByKind> ask(std::string_view api_version) const;

  const Client& cluster_;
  std::map<std::string, ByKind, std::less<>> known_;  // by apiVersion
};

}  // namespace strake::kube
