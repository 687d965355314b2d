#include "kinds/types/declarations.h"

namespace strake::kinds::types {

// clang-format off
constinit const std::string_view kDiscoveryV1 = R"(
package io.k8s.api.discovery.v1 group discovery.k8s.io version v1
string AddressType
struct Endpoint
  addresses []string set
  conditions? EndpointConditions
  hostname? *string
  targetRef? *core.ObjectReference
  deprecatedTopology? map[string]string
  nodeName? *string
  zone? *string
  hints? *EndpointHints
struct EndpointConditions
  ready? *bool
  serving? *bool
  terminating? *bool
struct EndpointHints
  forZones? []ForZone atomic
  forNodes? []ForNode atomic since:1.33
struct EndpointPort atomic
  name? *string
  protocol? *core.Protocol
  port? *int32
  appProtocol? *string
kind EndpointSlice
  addressType AddressType
  endpoints []Endpoint optional atomic
  ports []EndpointPort optional atomic
struct ForNode
  name string
struct ForZone
  name string
)";
// clang-format on

}  // namespace strake::kinds::types
