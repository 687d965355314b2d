#include "kinds/types/declarations.h"

namespace strake::kinds::types {

// clang-format off
constinit const std::string_view kStoragemigrationV1beta1 = R"(
package io.k8s.api.storagemigration.v1beta1 group storagemigration.k8s.io version v1beta1
kind StorageVersionMigration since:1.35 deprecated:1.38 removed:1.41
  spec? StorageVersionMigrationSpec #2
  status? StorageVersionMigrationStatus #3
struct StorageVersionMigrationSpec
  resource meta.GroupResource #1
struct StorageVersionMigrationStatus
  conditions? []meta.Condition #1 map:type merge:type
  resourceVersion? string #2
)";
// clang-format on

}  // namespace strake::kinds::types
