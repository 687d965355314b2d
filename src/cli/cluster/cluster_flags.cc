#include "cli/cluster/cluster_flags.h"

#include "cli/command/version.h"
#include "cli/io/parallel.h"
#include "cli/io/progress.h"

namespace strake::cli {
namespace {

constexpr std::size_t kRequestsAtATime = 4;

}  // namespace

bool asks_cluster(const Arguments& args) {
  return args.on("from-cluster") || args.given("context") || args.given("kubeconfig");
}

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

Result<std::vector<std::string>> get_all(const kube::Client& cluster,
                                         std::span<const std::string> paths, Io& io) {
  std::vector<Result<std::string>> texts(paths.size());
  Progress progress(io, "asking the cluster", paths.size());
  for_each_index(
      paths.size(), kRequestsAtATime, [&](std::size_t i) { texts[i] = cluster.get(paths[i]); },
      [&](std::size_t done) {
        for (std::size_t i = 0; i < done; ++i) progress.step();
      });
  std::vector<std::string> out;
  for (Result<std::string>& text : texts) {
    STRAKE_TRY(std::string body, std::move(text));
    out.push_back(std::move(body));
  }
  return out;
}

}  // namespace strake::cli
