#include "server/unregister.h"

#include "async/loops.h"
#include "async/run.h"
#include "extension/registration.h"
#include "extension/resolver_file.h"
#include "http/pki.h"
#include "server/data_dir.h"

namespace strake::server {

Result<std::string> registered_id(const std::string& ca_pem) {
  STRAKE_TRY(const std::set<std::string> sums, http::certificate_sums(ca_pem));
  constexpr std::size_t kSize = 16;
  return sums.begin()->substr(0, kSize);
}

Result<> unregister(const Options& options) {
  STRAKE_TRY(const std::string ca_pem, read_file(options.data_dir + "/pki/ca.crt"));
  extension::RegistrationOptions with;
  STRAKE_TRY(with.server_id, registered_id(ca_pem));
  with.service = options.registration->service;
  STRAKE_TRY(
      const kube::Access access,
      kube::find_access(
          {.kubeconfig = options.delegation->main_kubeconfig, .context = {}, .environment = {}}));
  async::Loops loops(1);
  STRAKE_TRY(with.cluster,
             kube::ClusterClient::make(access, loops, {.user_agent = "strake-extension"}));
  const std::string service = with.service.to_string();
  Result<> removed =
      async::run_blocking(loops.at(0), extension::remove_registration(std::move(with)));
  const std::string& file = options.registration->resolver_file;
  if (removed && !file.empty()) {
    async::Workers workers(1);
    removed = async::run_blocking(
        loops.at(0), extension::set_service_place(workers, file, service, {},
                                                  Deadline::after(extension::kResolverFileWait)));
  }
  loops.stop();
  return removed;
}

}  // namespace strake::server
