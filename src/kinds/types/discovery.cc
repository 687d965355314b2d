#include "kinds/types/declarations.h"

namespace strake::kinds::types {

// clang-format off
constinit const std::string_view kDiscoveryV1 = R"(
package io.k8s.api.discovery.v1 group discovery.k8s.io version v1
string AddressType
struct Endpoint | Endpoint is one backend of a Service, usually a pod.
  addresses []string #1 set | Its addresses, 1 to 100, of the slice's addressType. Only the first is used.
  conditions? EndpointConditions #2 | Whether it can take requests.
  hostname? *string #3 | Its host name, a lowercase DNS label. Endpoints with the same one share a DNS name.
  targetRef? *core.ObjectReference #4 | The object behind the endpoint, usually a Pod.
  deprecatedTopology? map[string]string #5 | Deprecated: topology labels from v1beta1. Shown if stored, but cannot be written.
  nodeName? *string #6 | The node that it runs on.
  zone? *string #7 | The zone that it runs in.
  hints? *EndpointHints #8 | From where it should best be used.
struct EndpointConditions | EndpointConditions tells whether an endpoint can take requests.
  ready? *bool #1 | Whether to send it new requests. Unset means true. False while terminating, unless not-ready addresses are published.
  serving? *bool #2 | Whether it can take requests, even while terminating. Unset means the same as ready.
  terminating? *bool #3 | Whether it is being shut down. Unset means false.
struct EndpointHints | EndpointHints says from where an endpoint should best be used.
  forZones? []ForZone #1 atomic | The zones whose clients should use it, at most 8.
  forNodes? []ForNode #2 atomic since:1.33 | The nodes whose clients should use it, at most 8. It comes before forZones.
struct EndpointPort atomic | EndpointPort is a port of all endpoints in a slice.
  name? *string #1 | The name of the port, unique in the slice. It is that of the Service's port, and may be empty.
  protocol? *core.Protocol #2 | TCP, UDP or SCTP. Default TCP.
  port? *int32 #3 | The port number. If unset, its meaning is left to the consumer.
  appProtocol? *string #4 | The application protocol, such as http, kubernetes.io/h2c or example.com/own.
kind EndpointSlice | EndpointSlice lists a part of the endpoints of a Service. A label names the Service.
  addressType AddressType #4 | IPv4, IPv6 or FQDN, for all its endpoints. Cannot be changed.
  endpoints []Endpoint #2 optional atomic | The endpoints, at most 1000.
  ports []EndpointPort #3 optional atomic | The ports that each endpoint serves, at most 20000. Each has its own name.
struct ForNode | ForNode names a node whose clients should use an endpoint.
  name string #1 | The name of the node.
struct ForZone | ForZone names a zone whose clients should use an endpoint.
  name string #1 | The name of the zone.
)";
// clang-format on

}  // namespace strake::kinds::types
