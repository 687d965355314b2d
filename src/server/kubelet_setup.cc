#include "server/kubelet_setup.h"

#include "base/time.h"
#include "server/option_files.h"

namespace strake::server {
namespace {

Result<http::CertifiedKey> shown_to_kubelets(const Options& options,
                                             const std::optional<DataDir>& folder,
                                             const Identity& identity) {
  if (options.kubelet_client_certificate_file.empty() != options.kubelet_client_key_file.empty())
    return fail(Code::kUsage,
                "the certificate and the key that are shown to kubelets must be given together");
  if (options.kubelet_client_certificate_file.empty()) {
    return folder ? folder->kubelet_client(identity, system_clock())
                  : make_kubelet_client(identity, system_clock());
  }
  http::CertifiedKey out;
  STRAKE_TRY(out.certificate_pem, read_file(options.kubelet_client_certificate_file));
  STRAKE_TRY(std::string key, read_file(options.kubelet_client_key_file));
  out.key_pem = Secret(std::move(key));
  return out;
}

}  // namespace

Result<> use_kubelet_certificates(kubelet::KubeletConnections& connections, const Options& options,
                                  const std::optional<DataDir>& folder, const Identity& identity) {
  STRAKE_TRY(const http::CertifiedKey shown, shown_to_kubelets(options, folder, identity));
  std::string authorities;
  if (!options.kubelet_authority_file.empty()) {
    STRAKE_TRY(authorities, read_file(options.kubelet_authority_file));
    if (authorities.empty())
      return fail(Code::kInvalid, "{} holds no certificate", options.kubelet_authority_file);
  }
  auto used = connections.set_certificates(shown.certificate_pem, shown.key_pem, authorities);
  if (!used) return std::unexpected(Error(used.error()).prefixed("certificates for kubelets"));
  return {};
}

}  // namespace strake::server
