#include "kinds/networking/resources.h"

#include "kinds/declare_resource.h"
#include "kinds/networking/strategies.h"

namespace strake::kinds {

void add_networking_resources(std::vector<ResourcePtr>& out) {
  constexpr std::string_view kIngress = "io.k8s.api.networking.v1.Ingress";
  constexpr std::string_view kServiceCidr = "io.k8s.api.networking.v1.ServiceCIDR";
  out.push_back(
      make_resource({.type = kIngress,
                     .plural = "ingresses",
                     .strategy = &ingress_strategy(),
                     .short_names = {"ing"},
                     .keeps_generation = true,
                     .unconditional_update = true,
                     .storage_folder = "ingress",
                     .subresources = {status_subresource(described_type(kIngress), {"spec"})}}));
  out.push_back(make_resource({.type = "io.k8s.api.networking.v1.IngressClass",
                               .plural = "ingressclasses",
                               .strategy = &ingress_class_strategy(),
                               .namespaced = false,
                               .keeps_generation = true,
                               .unconditional_update = true}));
  out.push_back(make_resource({.type = "io.k8s.api.networking.v1.NetworkPolicy",
                               .plural = "networkpolicies",
                               .strategy = &network_policy_strategy(),
                               .short_names = {"netpol"},
                               .keeps_generation = true,
                               .unconditional_update = true}));
  out.push_back(make_resource({.type = "io.k8s.api.networking.v1.IPAddress",
                               .plural = "ipaddresses",
                               .strategy = &ip_address_strategy(),
                               .namespaced = false,
                               .short_names = {"ip"},
                               .unconditional_update = true}));
  out.push_back(make_resource(
      {.type = kServiceCidr,
       .plural = "servicecidrs",
       .strategy = &service_cidr_strategy(),
       .namespaced = false,
       .unconditional_update = true,
       .subresources = {status_subresource(described_type(kServiceCidr), {"metadata", "spec"})}}));
}

}  // namespace strake::kinds
