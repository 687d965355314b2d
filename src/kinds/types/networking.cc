#include "kinds/types/declarations.h"

namespace strake::kinds::types {

// clang-format off
constinit const std::string_view kNetworkingV1 = R"(
package io.k8s.api.networking.v1 group networking.k8s.io version v1
string PathType
string PolicyType
struct HTTPIngressPath
  path? string
  pathType *PathType
  backend IngressBackend
struct HTTPIngressRuleValue
  paths []HTTPIngressPath atomic
kind IPAddress since:1.33
  spec? IPAddressSpec required
struct IPAddressSpec
  parentRef? *ParentReference required
struct IPBlock
  cidr string
  except? []string atomic
kind Ingress
  spec? IngressSpec
  status? IngressStatus
struct IngressBackend
  service? *IngressServiceBackend
  resource? *core.TypedLocalObjectReference
kind IngressClass
  spec? IngressClassSpec
struct IngressClassParametersReference
  apiGroup? *string
  kind string
  name string
  scope *string optional
  namespace? *string
struct IngressClassSpec
  controller? string
  parameters? *IngressClassParametersReference
struct IngressLoadBalancerIngress
  ip? string
  hostname? string
  ports? []IngressPortStatus atomic
struct IngressLoadBalancerStatus
  ingress? []IngressLoadBalancerIngress atomic
struct IngressPortStatus
  port int32
  protocol core.Protocol
  error? *string
struct IngressRule
  host? string
  http? *HTTPIngressRuleValue in:IngressRuleValue
struct IngressServiceBackend
  name string
  port? ServiceBackendPort
struct IngressSpec
  ingressClassName? *string
  defaultBackend? *IngressBackend
  tls? []IngressTLS atomic
  rules? []IngressRule atomic
struct IngressStatus
  loadBalancer? IngressLoadBalancerStatus
struct IngressTLS
  hosts? []string atomic
  secretName? string
kind NetworkPolicy
  spec? NetworkPolicySpec
  status? runtime.RawExtension removed:1.28
struct NetworkPolicyEgressRule
  ports? []NetworkPolicyPort atomic
  to? []NetworkPolicyPeer atomic
struct NetworkPolicyIngressRule
  ports? []NetworkPolicyPort atomic
  from? []NetworkPolicyPeer atomic
struct NetworkPolicyPeer
  podSelector? *meta.LabelSelector
  namespaceSelector? *meta.LabelSelector
  ipBlock? *IPBlock
struct NetworkPolicyPort
  protocol? *core.Protocol
  port? *intorstring
  endPort? *int32
struct NetworkPolicySpec
  podSelector meta.LabelSelector optional
  ingress? []NetworkPolicyIngressRule atomic
  egress? []NetworkPolicyEgressRule atomic
  policyTypes? []PolicyType atomic
struct ParentReference
  group? string
  resource? string required
  namespace? string
  name? string required
struct ServiceBackendPort atomic
  name? string
  number? int32
kind ServiceCIDR since:1.33
  spec? ServiceCIDRSpec
  status? ServiceCIDRStatus
struct ServiceCIDRSpec
  cidrs? []string atomic
struct ServiceCIDRStatus
  conditions? []meta.Condition map:type merge:type
)";

constinit const std::string_view kNetworkingV1beta1 = R"(
package io.k8s.api.networking.v1beta1 group networking.k8s.io version v1beta1
kind IPAddress since:1.31 deprecated:1.34 removed:1.37
  spec? IPAddressSpec required
struct IPAddressSpec
  parentRef? *ParentReference required
struct ParentReference
  group? string
  resource? string required
  namespace? string
  name? string required
kind ServiceCIDR since:1.31 deprecated:1.34 removed:1.37
  spec? ServiceCIDRSpec
  status? ServiceCIDRStatus
struct ServiceCIDRSpec
  cidrs? []string atomic
struct ServiceCIDRStatus
  conditions? []meta.Condition map:type merge:type
)";
// clang-format on

}  // namespace strake::kinds::types
