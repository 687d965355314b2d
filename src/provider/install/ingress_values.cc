#include "provider/install/ingress_values.h"

#include "provider/model/node_pool.h"

namespace strake::provider {

IngressValues ingress_values(const Cluster& cluster) {
  IngressValues out;
  out.namespace_name = ingress_namespace(cluster);
  out.service_account = ingress_service_account(cluster);
  if (cluster.ingress) out.cert_email = cluster.ingress->cert_email;
  if (out.cert_email.empty()) out.cert_email = "noreply@example.com";
  out.node_selector.emplace(kNodePoolLabel, "system");
  return out;
}

}  // namespace strake::provider
