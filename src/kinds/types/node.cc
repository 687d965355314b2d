#include "kinds/types/declarations.h"

namespace strake::kinds::types {

// clang-format off
constinit const std::string_view kNodeV1 = R"(
package io.k8s.api.node.v1 group node.k8s.io version v1
struct Overhead
  podFixed? core.ResourceList
kind RuntimeClass
  handler string
  overhead? *Overhead
  scheduling? *Scheduling
struct Scheduling
  nodeSelector? map[string]string atomic
  tolerations? []core.Toleration atomic
)";
// clang-format on

}  // namespace strake::kinds::types
