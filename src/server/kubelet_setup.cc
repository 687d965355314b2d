#include "server/kubelet_setup.h"

#include "base/time.h"
#include "server/option_files.h"

namespace strake::server {
namespace {

std::unexpected<Error> explained(const Error& why) {
  return std::unexpected(Error(why).prefixed("certificates for kubelets"));
}

Result<kubelet::Certificates> read_certificates(const Options& options) {
  kubelet::Certificates out;
  STRAKE_TRY(out.certificate_pem, read_file(options.kubelet_client_certificate_file));
  STRAKE_TRY(std::string key, read_file(options.kubelet_client_key_file));
  out.key_pem = Secret(std::move(key));
  return out;
}

Result<kubelet::Certificates> made_certificates(const DataDir* folder, const Identity& identity) {
  const Result<http::CertifiedKey> own = folder != nullptr
                                             ? folder->kubelet_client(identity, system_clock())
                                             : make_kubelet_client(identity, system_clock());
  if (!own) return explained(own.error());
  return kubelet::Certificates{.certificate_pem = own->certificate_pem, .key_pem = own->key_pem};
}

}  // namespace

Result<> use_kubelet_certificates(kubelet::KubeletConnections& connections, const Options& options,
                                  const std::optional<DataDir>& folder, const Identity& identity) {
  if (options.kubelet_client_certificate_file.empty() != options.kubelet_client_key_file.empty())
    return fail(Code::kUsage,
                "the certificate and the key that are shown to kubelets must be given together");
  std::string authorities;
  if (!options.kubelet_authority_file.empty()) {
    STRAKE_TRY(authorities, read_file(options.kubelet_authority_file));
    if (authorities.empty())
      return fail(Code::kInvalid, "{} holds no certificate", options.kubelet_authority_file);
  }
  const DataDir* own_folder = folder ? &*folder : nullptr;
  const bool given = !options.kubelet_client_certificate_file.empty();
  if (!given && authorities.empty()) {
    connections.set_certificates_when_needed(
        [own_folder, &identity] { return made_certificates(own_folder, identity); });
    return {};
  }
  STRAKE_TRY(kubelet::Certificates used,
             given ? read_certificates(options) : made_certificates(own_folder, identity));
  used.authorities_pem = std::move(authorities);
  if (const auto set = connections.set_certificates(used); !set) return explained(set.error());
  return {};
}

}  // namespace strake::server
