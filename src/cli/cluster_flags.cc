#include "cli/cluster_flags.h"

#include "cli/version.h"

namespace strake::cli {

Result<kube::Client> connect_cluster(std::string_view kubeconfig, std::string_view context,
                                     const Io& io) {
  kube::AccessOptions options;
  options.kubeconfig = kubeconfig;
  options.context = context;
  options.environment.kubeconfig = io.env("KUBECONFIG").value_or("");
  options.environment.home = io.env("HOME").value_or("");
  options.environment.service_host = io.env("KUBERNETES_SERVICE_HOST").value_or("");
  options.environment.service_port = io.env("KUBERNETES_SERVICE_PORT").value_or("");
  STRAKE_TRY(kube::Access access, kube::find_access(options));
  return kube::Client(std::move(access), {.user_agent = fmt::format("strake/{}", version_number()),
                                          .has_terminal = io.in_is_terminal});
}

}  // namespace strake::cli
