#include "provider/model/cluster.h"

namespace strake::provider {

std::string ingress_namespace(const Cluster& cluster) {
  return cluster.ingress && !cluster.ingress->namespace_name.empty()
             ? cluster.ingress->namespace_name
             : std::string(kDefaultIngressNamespace);
}

std::string ingress_service_account(const Cluster& cluster) {
  return cluster.ingress && !cluster.ingress->service_account.empty()
             ? cluster.ingress->service_account
             : std::string(kDefaultIngressServiceAccount);
}

}  // namespace strake::provider
