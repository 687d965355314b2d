#include "kube/objects/ingresses.h"

#include <map>

#include "value/fields.h"

namespace strake::kube {

using value::text_of;
using value::Value;

IngressEndpoint endpoint_of(const Value& object) {
  const Value& entries = object.get("status").get("loadBalancer").get("ingress");
  if (entries.items().empty()) return {};
  const Value& first = entries.items().front();
  return {.ip = std::string(text_of(first, "ip")),
          .hostname = std::string(text_of(first, "hostname"))};
}

Result<IngressEndpoint> ingress_endpoint(Objects& objects, const std::string& namespace_name,
                                         const std::string& service) {
  STRAKE_TRY(const value::Document found,
             objects.get({.of = {.api_version = "v1", .kind = "Service"},
                          .namespace_name = namespace_name,
                          .name = service}));
  return endpoint_of(found.root());
}

Result<std::vector<IngressHost>> ingress_hosts(Objects& objects, const std::string& namespace_name,
                                               const std::string& label_selector) {
  STRAKE_TRY(const std::vector<value::Document> pages,
             objects.list({.of = {.api_version = "networking.k8s.io/v1", .kind = "Ingress"},
                           .namespace_name = namespace_name,
                           .label_selector = label_selector,
                           .field_selector = ""}));
  std::map<std::string, std::string> by_host;
  for (const value::Document& page : pages) {
    for (const Value& ingress : page.root().get("items").items()) {
      const IngressEndpoint endpoint = endpoint_of(ingress);
      for (const Value& rule : ingress.get("spec").get("rules").items()) {
        const std::string_view host = text_of(rule, "host");
        if (!host.empty()) by_host[std::string(host)] = endpoint.ip;
      }
    }
  }
  std::vector<IngressHost> out;
  for (auto& [host, ip] : by_host) out.push_back({.host = host, .ip = std::move(ip)});
  return out;
}

}  // namespace strake::kube
