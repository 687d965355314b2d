#include "kinds/types/declarations.h"

namespace strake::kinds::types {

// clang-format off
constinit const std::string_view kCoordinationV1alpha2 = R"(
package io.k8s.api.coordination.v1alpha2 group coordination.k8s.io version v1alpha2
kind LeaseCandidate since:1.32 deprecated:1.35 removed:1.38
  spec? LeaseCandidateSpec required
struct LeaseCandidateSpec
  leaseName string
  pingTime? *microtime
  renewTime? *microtime
  binaryVersion string
  emulationVersion? string
  strategy? coordination/v1.CoordinatedLeaseStrategy required
)";

constinit const std::string_view kCoordinationV1beta1 = R"(
package io.k8s.api.coordination.v1beta1 group coordination.k8s.io version v1beta1
kind LeaseCandidate since:1.33 deprecated:1.36 removed:1.39
  spec? LeaseCandidateSpec required
struct LeaseCandidateSpec
  leaseName string
  pingTime? *microtime
  renewTime? *microtime
  binaryVersion string
  emulationVersion? string
  strategy? coordination/v1.CoordinatedLeaseStrategy required
)";
// clang-format on

}  // namespace strake::kinds::types
