#include "kinds/types/declarations.h"

namespace strake::kinds::types {

// clang-format off
constinit const std::string_view kApiserverinternalV1alpha1 = R"(
package io.k8s.api.apiserverinternal.v1alpha1 group internal.apiserver.k8s.io version v1alpha1
string ConditionStatus
string StorageVersionConditionType
struct ServerStorageVersion
  apiServerID? string #1 required
  encodingVersion? string #2 required
  decodableVersions? []string #3 required set
  servedVersions? []string #4 set since:1.28
kind StorageVersion metadata-required
  spec StorageVersionSpec #2 optional
  status StorageVersionStatus #3 optional
struct StorageVersionCondition
  type StorageVersionConditionType #1
  status ConditionStatus #2
  observedGeneration? int64 #3
  lastTransitionTime? time #4
  reason string #5
  message? string #6 required
struct StorageVersionSpec
struct StorageVersionStatus
  storageVersions? []ServerStorageVersion #1 map:apiServerID
  commonEncodingVersion? *string #2
  conditions? []StorageVersionCondition #3 map:type
)";
// clang-format on

}  // namespace strake::kinds::types
