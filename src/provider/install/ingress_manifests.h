#pragma once
// Traefik as manifests of our own, with the effect that its Helm chart has when it is installed
// under the name "traefik".
#include <string>
#include <vector>

#include "kube/objects/objects.h"
#include "provider/install/ingress_values.h"
#include "value/document.h"

namespace strake::provider {

// In the order in which they are applied; without the namespace and the service account. Fails with
// kValidation for values that make no manifest.
Outcome<std::vector<value::Document>> ingress_manifests(const IngressValues& values);

// What they are called, whatever the other values are, in the same order.
std::vector<kube::ObjectRef> ingress_objects(const std::string& namespace_name);

}  // namespace strake::provider
