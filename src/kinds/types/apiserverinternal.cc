#include "kinds/types/declarations.h"

namespace strake::kinds::types {

// clang-format off
constinit const std::string_view kApiserverinternalV1alpha1 = R"(
package io.k8s.api.apiserverinternal.v1alpha1 group internal.apiserver.k8s.io version v1alpha1
string ConditionStatus
string StorageVersionConditionType
struct ServerStorageVersion
  apiServerID? string required
  encodingVersion? string required
  decodableVersions? []string required set
  servedVersions? []string set since:1.28
kind StorageVersion metadata-required
  spec StorageVersionSpec optional
  status StorageVersionStatus optional
struct StorageVersionCondition
  type StorageVersionConditionType
  status ConditionStatus
  observedGeneration? int64
  lastTransitionTime? time
  reason string
  message? string required
struct StorageVersionSpec
struct StorageVersionStatus
  storageVersions? []ServerStorageVersion map:apiServerID
  commonEncodingVersion? *string
  conditions? []StorageVersionCondition map:type
)";
// clang-format on

}  // namespace strake::kinds::types
