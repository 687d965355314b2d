#pragma once
// Where a cluster is entered from outside, as its Services and Ingresses say.
#include <string>
#include <string_view>
#include <vector>

#include "kube/objects/objects.h"

namespace strake::kube {

// The first entry of a load balancer; both empty when it has none yet.
struct IngressEndpoint {
  std::string ip;
  std::string hostname;
};

// Of a Service. Fails with kNotFound when there is none.
Result<IngressEndpoint> ingress_endpoint(Objects& objects, const std::string& namespace_name,
                                         const std::string& service);
IngressEndpoint endpoint_of(const value::Value& service_or_ingress);

struct IngressHost {
  std::string host;
  std::string ip;  // empty when the Ingress has none yet
  friend bool operator==(const IngressHost&, const IngressHost&) = default;
};

// The hosts of all rules of the namespace's Ingresses, each once, by name. Of two Ingresses with
// the same host the later one in the list counts.
Result<std::vector<IngressHost>> ingress_hosts(Objects& objects, const std::string& namespace_name,
                                               const std::string& label_selector);

}  // namespace strake::kube
