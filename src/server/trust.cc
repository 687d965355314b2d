#include "server/trust.h"

#include "auth/authentication_config_map.h"
#include "base/log.h"
#include "http/pki.h"
#include "server/data_dir.h"
#include "server/server.h"

namespace strake::server {
namespace {

Result<> read_sums(Trust& trust, const std::string& proxy_ca_file) {
  STRAKE_TRY(trust.client_sums, http::certificate_sums(trust.client_ca_pem));
  if (!trust.proxy) return {};
  auto sums = http::certificate_sums(trust.proxy_ca_pem);
  if (!sums)
    return std::unexpected(Error(sums.error()).prefixed("request-header CA").in(proxy_ca_file));
  trust.proxy_sums = *std::move(sums);
  return {};
}

}  // namespace

std::map<std::string, std::string> Trust::to_config_map() const {
  return auth::authentication_data(client_ca_pem, proxy_ca_pem, proxy ? &*proxy : nullptr);
}

Result<Trust> trust_of(const Options& options, const Identity& identity,
                       std::string client_ca_pem) {
  Trust out{.client_ca_pem = std::move(client_ca_pem),
            .proxy_ca_pem = identity.front_proxy_ca.certificate_pem,
            .proxy = options.front_proxy};
  if (!options.requestheader_client_ca_file.empty()) {
    STRAKE_TRY(out.proxy_ca_pem, read_file(options.requestheader_client_ca_file));
  } else if (out.proxy->allowed_names.empty()) {
    // Of our own authority for proxies there is one certificate.
    out.proxy->allowed_names = {std::string(kFrontProxyName)};
  }
  STRAKE_CHECK(read_sums(out, options.requestheader_client_ca_file));
  return out;
}

Result<Trust> delegated_trust(const Options& options, const auth::ClusterTrust& main,
                              std::string client_ca_pem) {
  auth::ClusterTrust own = options.delegation->own;
  if (!options.requestheader_client_ca_file.empty()) {
    STRAKE_TRY(own.proxy_ca_pem, read_file(options.requestheader_client_ca_file));
  }
  const auth::ClusterTrust all = own.or_else(main);
  Trust out{.client_ca_pem = std::move(client_ca_pem)};
  if (options.client_ca_file.empty() && all.client_ca_pem)
    out.client_ca_pem += "\n" + *all.client_ca_pem;
  out.proxy = all.front_proxy();
  if (out.proxy) out.proxy_ca_pem = *all.proxy_ca_pem;
  STRAKE_CHECK(read_sums(out, options.requestheader_client_ca_file));
  return out;
}

void warn_of(const Trust& trust) {
  const log::Logger log = log::get("server");
  if (!trust.proxy) {
    log.warn("no authority for front proxies is known: no proxy is believed");
    return;
  }
  for (const std::string& one : auth::warnings_about(*trust.proxy)) log.warn(one);
  for (const std::string& sum : trust.proxy_sums) {
    if (trust.client_sums.contains(sum)) {
      log.warn(
          "a client authority is also the request-header authority: every client certificate with "
          "an allowed name can act as anyone; use separate authorities");
      return;
    }
  }
}

}  // namespace strake::server
