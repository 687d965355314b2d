#pragma once
// Objects of any kind, by what their manifests call them.
#include <optional>
#include <string>
#include <vector>

#include "kube/resource_paths.h"
#include "value/document.h"

namespace strake::kube {

struct ObjectKind {
  std::string api_version;
  std::string kind;
};

struct ObjectRef {
  ObjectKind of;
  std::string namespace_name;  // of kinds that have one
  std::string name;
};

struct ListRequest {
  ObjectKind of;
  std::string namespace_name;  // empty: all of them
  std::string label_selector = {};
  std::string field_selector = {};
};

struct PatchRequest {
  enum class Type : std::uint8_t { kMerge, kStrategicMerge, kJson };
  ObjectRef object;
  Type type = Type::kMerge;
  std::string body;         // JSON
  std::string subresource;  // "status"
};

// Each fails with kNotFound when the cluster has no such kind, and with what the cluster said.
class Objects {
 public:
  // The client must outlive it.
  explicit Objects(const Client& cluster) : cluster_(cluster), paths_(cluster) {}

  Result<value::Document> get(const ObjectRef& object);  // kNotFound when it is not there
  // Nothing when it is not there.
  Result<std::optional<value::Document>> find(const ObjectRef& object);
  // Pages, as they came: each has "items", without apiVersion and kind where the server leaves them
  // out.
  Result<std::vector<value::Document>> list(const ListRequest& request);
  Result<value::Document> create(const ObjectRef& object, std::string json);
  Result<value::Document> patch(const PatchRequest& request);
  // What depends on it goes later, in the background. False when it is not there.
  Result<bool> remove(const ObjectRef& object);

  const Client& client() const { return cluster_; }
  Result<ResourcePath> path_of(const ObjectKind& kind) {
    return paths_.find(kind.api_version, kind.kind);
  }

 private:
  Result<std::string> place(const ObjectRef& object);

  const Client& cluster_;
  ResourcePaths paths_;
};

}  // namespace strake::kube
