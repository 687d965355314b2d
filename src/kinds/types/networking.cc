#include "kinds/types/declarations.h"

namespace strake::kinds::types {

// clang-format off
constinit const std::string_view kNetworkingV1 = R"(
package io.k8s.api.networking.v1 group networking.k8s.io version v1
string PathType
string PolicyType
struct HTTPIngressPath | HTTPIngressPath sends requests for a path to a backend.
  path? string #1 | The path of the request. It must begin with '/' and is required for Exact and Prefix.
  pathType *PathType #3 | Exact matches the whole path, Prefix its leading segments, ImplementationSpecific as the controller decides.
  backend IngressBackend #2 | Where the requests go.
struct HTTPIngressRuleValue | HTTPIngressRuleValue lists the paths of a host.
  paths []HTTPIngressPath #1 atomic | The paths, each with its backend.
kind IPAddress since:1.33 | IPAddress reserves one IP address for an object, usually a Service. Its name is the address in canonical form.
  spec? IPAddressSpec #2 required | The object that the address is for.
struct IPAddressSpec | IPAddressSpec names the object that holds an address.
  parentRef? *ParentReference #1 required | The object that holds the address. Required, and cannot be changed.
struct IPBlock | IPBlock is a range of IP addresses, with exceptions.
  cidr string #1 | The range, such as 192.168.1.0/24 or 2001:db8::/64.
  except? []string #2 atomic | Ranges within cidr that are left out.
kind Ingress | Ingress routes HTTP and HTTPS requests from outside to Services. An ingress controller must be installed to serve it.
  spec? IngressSpec #2 | Which requests go where.
  status? IngressStatus #3 | The addresses that serve the Ingress. Set by its controller.
struct IngressBackend | IngressBackend is where requests go: either a Service or another object.
  service? *IngressServiceBackend #4 | A Service in the same namespace. Cannot be combined with resource.
  resource? *core.TypedLocalObjectReference #3 | Another object in the same namespace that the controller knows how to use. Cannot be combined with service.
kind IngressClass | IngressClass names an ingress controller. An annotation can make one class the default for new Ingresses.
  spec? IngressClassSpec #2 | The controller, and its parameters.
struct IngressClassParametersReference | IngressClassParametersReference identifies an object with parameters for a controller.
  apiGroup? *string #1 | The API group of the object. Empty means the core group.
  kind string #2 | The kind of the object.
  name string #3 | The name of the object.
  scope *string #4 optional | Cluster, the default, or Namespace.
  namespace? *string #5 | The namespace of the object. Required with scope Namespace, forbidden with Cluster.
struct IngressClassSpec | IngressClassSpec describes a class of Ingresses.
  controller? string #1 | The controller that serves the class, such as example.com/ingress; at most 250 characters. Cannot be changed.
  parameters? *IngressClassParametersReference #2 | An object with further settings for the controller.
struct IngressLoadBalancerIngress | IngressLoadBalancerIngress is one address at which an Ingress is served.
  ip? string #1 | The IP address, if the load balancer has one.
  hostname? string #2 | The host name, if the load balancer has one.
  ports? []IngressPortStatus #4 atomic | The ports that are served at this address.
struct IngressLoadBalancerStatus | IngressLoadBalancerStatus lists the addresses at which an Ingress is served.
  ingress? []IngressLoadBalancerIngress #1 atomic | The addresses.
struct IngressPortStatus | IngressPortStatus reports the state of one port.
  port int32 #1 | The port number.
  protocol core.Protocol #2 | TCP, UDP or SCTP.
  error? *string #3 | Why the port cannot be served, in one CamelCase word, which may have a domain and '/' in front.
struct IngressRule | IngressRule routes the requests for one host.
  host? string #1 | A domain name without port, or a wildcard such as *.example.com. All hosts match if it is empty.
  http? *HTTPIngressRuleValue #2.1 in:IngressRuleValue | The paths of the host. Without any, all its requests go to the default backend.
struct IngressServiceBackend | IngressServiceBackend is a port of a Service.
  name string #1 | The name of the Service.
  port? ServiceBackendPort #2 | Its port, by name or number.
struct IngressSpec | IngressSpec says which requests go where.
  ingressClassName? *string #4 | The IngressClass, and so the controller, that serves this Ingress. The default class, if there is one, unless set.
  defaultBackend? *IngressBackend #1 | Where requests go that match no rule. Required if there are no rules.
  tls? []IngressTLS #2 atomic | TLS certificates by host.
  rules? []IngressRule #3 atomic | The rules. Requests that match none go to the default backend.
struct IngressStatus | IngressStatus reports where an Ingress is served.
  loadBalancer? IngressLoadBalancerStatus #1 | The addresses of its load balancer.
struct IngressTLS | IngressTLS names a certificate for some hosts.
  hosts? []string #1 atomic | The hosts that the certificate is for. They should match names in the certificate.
  secretName? string #2 | The Secret with the certificate and key, in the same namespace. Without it, the controller may use a default.
kind NetworkPolicy | NetworkPolicy says which connections pods accept and make. The cluster's network plugin must enforce it.
  spec? NetworkPolicySpec #2 | Which pods it applies to, and what it allows.
  status? runtime.RawExtension removed:1.28 | Removed in 1.28. Reported whether the network plugin could apply the policy.
struct NetworkPolicyEgressRule | NetworkPolicyEgressRule allows outgoing connections that match both its ports and its destinations.
  ports? []NetworkPolicyPort #1 atomic | The destination ports. All ports if empty.
  to? []NetworkPolicyPeer #2 atomic | The destinations. All destinations if empty.
struct NetworkPolicyIngressRule | NetworkPolicyIngressRule allows incoming connections that match both its ports and its sources.
  ports? []NetworkPolicyPort #1 atomic | The ports of the selected pods. All ports if empty.
  from? []NetworkPolicyPeer #2 atomic | The sources. All sources if empty.
struct NetworkPolicyPeer | NetworkPolicyPeer is the other end of a connection. ipBlock cannot be combined with the selectors.
  podSelector? *meta.LabelSelector #1 | Pods with these labels, in the namespaces of namespaceSelector, or else in the policy's own. Empty means all pods.
  namespaceSelector? *meta.LabelSelector #2 | Namespaces with these labels. Empty means all namespaces.
  ipBlock? *IPBlock #3 | A range of IP addresses.
struct NetworkPolicyPort | NetworkPolicyPort is a port, or a range of ports.
  protocol? *core.Protocol #1 | TCP, UDP or SCTP. Default TCP.
  port? *intorstring #2 | A port number, or the name of a container port. All ports unless set.
  endPort? *int32 #3 | Makes port the first of a range that ends here. Needs a port given as a number that is not higher.
struct NetworkPolicySpec | NetworkPolicySpec says what connections are allowed for which pods.
  podSelector meta.LabelSelector #1 optional | The pods that the policy applies to. Empty means all pods of the namespace.
  ingress? []NetworkPolicyIngressRule #2 atomic | Rules that allow incoming connections. With none, policies of type Ingress deny all.
  egress? []NetworkPolicyEgressRule #3 atomic | Rules that allow outgoing connections. With none, policies of type Egress deny all.
  policyTypes? []PolicyType #4 atomic | Ingress, Egress or both. By default Ingress, and Egress as well if there are egress rules.
struct ParentReference | ParentReference identifies the object that an IP address is for.
  group? string #1 | The API group of the object. Empty means the core group.
  resource? string #2 required | The resource, by its plural, such as services.
  namespace? string #3 | The namespace of the object.
  name? string #4 required | The name of the object.
struct ServiceBackendPort atomic | ServiceBackendPort is a port of a Service, by either name or number.
  name? string #1 | The name of the port.
  number? int32 #2 | The number of the port.
kind ServiceCIDR since:1.33 | ServiceCIDR is a range from which Services get their cluster IPs. Several ranges can be used together.
  spec? ServiceCIDRSpec #2 | The range, one per IP family.
  status? ServiceCIDRStatus #3 | Whether the range can be used. Set by the controller.
struct ServiceCIDRSpec | ServiceCIDRSpec holds the addresses of a ServiceCIDR.
  cidrs? []string #1 atomic | One CIDR, or one IPv4 and one IPv6 CIDR. Cannot be changed, except to add one of the other family.
struct ServiceCIDRStatus | ServiceCIDRStatus reports whether a ServiceCIDR can be used.
  conditions? []meta.Condition #1 map:type merge:type | Current conditions. Ready is True while addresses can be allocated from it.
)";

constinit const std::string_view kNetworkingV1beta1 = R"(
package io.k8s.api.networking.v1beta1 group networking.k8s.io version v1beta1
kind IPAddress since:1.31 deprecated:1.34 removed:1.37 | IPAddress reserves one IP address for an object, usually a Service. Its name is the address in canonical form.
  spec? IPAddressSpec #2 required | The object that the address is for.
struct IPAddressSpec | IPAddressSpec names the object that holds an address.
  parentRef? *ParentReference #1 required | The object that holds the address. Required, and cannot be changed.
struct ParentReference | ParentReference identifies the object that an IP address is for.
  group? string #1 | The API group of the object. Empty means the core group.
  resource? string #2 required | The resource, by its plural, such as services.
  namespace? string #3 | The namespace of the object.
  name? string #4 required | The name of the object.
kind ServiceCIDR since:1.31 deprecated:1.34 removed:1.37 | ServiceCIDR is a range from which Services get their cluster IPs. Several ranges can be used together.
  spec? ServiceCIDRSpec #2 | The range, one per IP family.
  status? ServiceCIDRStatus #3 | Whether the range can be used. Set by the controller.
struct ServiceCIDRSpec | ServiceCIDRSpec holds the addresses of a ServiceCIDR.
  cidrs? []string #1 atomic | One CIDR, or one IPv4 and one IPv6 CIDR. Cannot be changed, except to add one of the other family.
struct ServiceCIDRStatus | ServiceCIDRStatus reports whether a ServiceCIDR can be used.
  conditions? []meta.Condition #1 map:type merge:type | Current conditions. Ready is True while addresses can be allocated from it.
)";
// clang-format on

}  // namespace strake::kinds::types
