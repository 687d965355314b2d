#pragma once
// Conversion, last phase: the objects of a component, in the order in which they are applied:
// Namespace, ServiceAccount, Role, RoleBinding, NetworkPolicy, PersistentVolumes, their claims,
// ConfigMaps, Secrets of files, Secrets of environments, Deployment, Service, headless Services,
// Ingress of the cluster's domain, Ingress of the app's hosts. The same input gives the same bytes.
#include <span>
#include <string>
#include <vector>

#include "ops/compose/plan.h"
#include "ops/compose/volumes.h"
#include "value/document.h"

namespace strake::ops::compose {

class Manifest {
 public:
  explicit Manifest(std::vector<value::Document> objects) : objects_(std::move(objects)) {}

  const std::vector<value::Document>& objects() const { return objects_; }
  // Each object behind a line of `---`. Secrets are in there.
  std::string yaml() const;

 private:
  std::vector<value::Document> objects_;
};

// `volumes` are those of bind_volumes(); a box takes those that it mounts. Fails with kValidation
// when one is missing that the component mounts.
provider::Outcome<Manifest> build(const Plan& plan, std::span<const BoundVolume> volumes);

}  // namespace strake::ops::compose
