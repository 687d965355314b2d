#include "kinds/types/declarations.h"

namespace strake::kinds::types {

// clang-format off
constinit const std::string_view kCoordinationV1alpha2 = R"(
package io.k8s.api.coordination.v1alpha2 group coordination.k8s.io version v1alpha2
kind LeaseCandidate since:1.32 deprecated:1.35 removed:1.38 | LeaseCandidate stands for one process that would take a Lease, where the leader is chosen by the control plane.
  spec? LeaseCandidateSpec #2 required | Which Lease, and how recent the process is.
struct LeaseCandidateSpec | LeaseCandidateSpec describes a candidate for a Lease.
  leaseName string #1 | The Lease, in the same namespace. Cannot be changed.
  pingTime? *microtime #2 | When the candidate was last asked to renew. It is alive if renewTime is later.
  renewTime? *microtime #3 | When the candidate last renewed.
  binaryVersion string #4 | The version of the program, such as 1.36.0. Candidates are compared by it.
  emulationVersion? string #5 | The version that the program behaves as. Required for OldestEmulationVersion, and not above binaryVersion.
  strategy? coordination/v1.CoordinatedLeaseStrategy #6 required | How the leader is chosen. With OldestEmulationVersion, the candidate of the lowest version wins.
)";

constinit const std::string_view kCoordinationV1beta1 = R"(
package io.k8s.api.coordination.v1beta1 group coordination.k8s.io version v1beta1
kind LeaseCandidate since:1.33 deprecated:1.36 removed:1.39 | LeaseCandidate stands for one process that would take a Lease, where the leader is chosen by the control plane.
  spec? LeaseCandidateSpec #2 required | Which Lease, and how recent the process is.
struct LeaseCandidateSpec | LeaseCandidateSpec describes a candidate for a Lease.
  leaseName string #1 | The Lease, in the same namespace. Cannot be changed.
  pingTime? *microtime #2 | When the candidate was last asked to renew. It is alive if renewTime is later.
  renewTime? *microtime #3 | When the candidate last renewed.
  binaryVersion string #4 | The version of the program, such as 1.36.0. Candidates are compared by it.
  emulationVersion? string #5 | The version that the program behaves as. Required for OldestEmulationVersion, and not above binaryVersion.
  strategy? coordination/v1.CoordinatedLeaseStrategy #6 required | How the leader is chosen. With OldestEmulationVersion, the candidate of the lowest version wins.
)";
// clang-format on

}  // namespace strake::kinds::types
