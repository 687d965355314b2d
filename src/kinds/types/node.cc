#include "kinds/types/declarations.h"

namespace strake::kinds::types {

// clang-format off
constinit const std::string_view kNodeV1 = R"(
package io.k8s.api.node.v1 group node.k8s.io version v1
struct Overhead | Overhead is what a pod needs besides its containers.
  podFixed? core.ResourceList #1 | Resources that each pod takes in addition to those of its containers.
kind RuntimeClass | RuntimeClass names a way to run containers that the nodes' container runtime offers.
  handler string #2 | The name of the configuration in the container runtime, a lowercase DNS label. Cannot be changed.
  overhead? *Overhead #3 | Resources that pods of the class need besides their containers.
  scheduling? *Scheduling #4 | The nodes that support the class. All nodes unless set.
struct Scheduling | Scheduling restricts pods of a RuntimeClass to the nodes that support it.
  nodeSelector? map[string]string #1 atomic | Labels that the nodes must have, added to the pod's own nodeSelector. Pods with conflicting values are rejected.
  tolerations? []core.Toleration #2 atomic | Tolerations that are added to those of the pod.
)";
// clang-format on

}  // namespace strake::kinds::types
