#include "server/data_dir.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <optional>

#include "auth/jwt/key.h"
#include "base/quote.h"
#include "kube/kubeconfig_writer.h"
#include "server/key_folder.h"

namespace strake::server {
namespace {

struct KeyFile {
  std::string_view name;
  unsigned mode;
};
constexpr KeyFile kKeyFiles[] = {
    {"pki/admin.crt", 0644},
    {"pki/admin.key", 0600},
    {"pki/apiserver-kubelet-client.crt", 0644},
    {"pki/apiserver-kubelet-client.key", 0600},
    {"pki/apiserver.crt", 0644},
    {"pki/apiserver.key", 0600},
    {"pki/ca.crt", 0644},
    {"pki/ca.key", 0600},
    {"pki/front-proxy-ca.crt", 0644},
    {"pki/front-proxy-ca.key", 0600},
    {"pki/front-proxy-client.crt", 0644},
    {"pki/front-proxy-client.key", 0600},
    {"pki/sa.key", 0600},
    {"pki/sa.pub", 0644},
};

constexpr std::string_view kAuthorityName = "strake-ca";
constexpr std::string_view kFrontProxyAuthorityName = "strake-front-proxy-ca";

http::CertificateSpec admin_spec(const Clock& clock) {
  http::CertificateSpec spec;
  spec.common_name = "admin";
  spec.organizations = {"system:masters"};
  spec.use = http::CertificateUse::kClient;
  spec.validity = validity(clock, kCertificateLife);
  return spec;
}

http::CertificateSpec front_proxy_spec(const Clock& clock) {
  http::CertificateSpec spec;
  spec.common_name = kFrontProxyName;
  spec.use = http::CertificateUse::kClient;
  spec.validity = validity(clock, kCertificateLife);
  return spec;
}

// Of the group that kubelets let do everything, as kubeadm made it.
http::CertificateSpec kubelet_client_spec(const Clock& clock) {
  http::CertificateSpec spec = admin_spec(clock);
  spec.common_name = "kube-apiserver";
  return spec;
}

}  // namespace

Result<DataDir> DataDir::open(const std::string& path) {
  STRAKE_TRY(PrivateFolder folder, PrivateFolder::open(path));
  STRAKE_TRY(PrivateFolder pki, folder.folder("pki"));
  return DataDir(std::move(folder), std::move(pki));
}

Result<Identity> DataDir::identity(const std::vector<std::string>& hosts,
                                   const Clock& clock) const {
  const KeyFolder folder(pki_);
  Identity out;
  STRAKE_TRY(out.ca, folder.authority("ca", kAuthorityName, clock));
  out.ca_pem = out.ca.certificate_pem;
  STRAKE_TRY(out.serving,
             folder.keep_or_issue("apiserver", out.ca, serving_spec(hosts, clock), clock));
  STRAKE_TRY(out.admin, folder.keep_or_issue("admin", out.ca, admin_spec(clock), clock));
  STRAKE_TRY(out.front_proxy_ca,
             folder.authority("front-proxy-ca", kFrontProxyAuthorityName, clock));
  STRAKE_TRY(out.front_proxy_client, folder.keep_or_issue("front-proxy-client", out.front_proxy_ca,
                                                          front_proxy_spec(clock), clock));
  Result<std::string> key = pki_.read("sa.key");
  if (key) {
    out.service_account_key = Secret(*std::move(key));
  } else if (key.error().code() == Code::kNotFound) {
    STRAKE_TRY(const auth::SigningKey made, auth::SigningKey::make());
    out.service_account_key = made.pem();
    STRAKE_CHECK(pki_.write("sa.key", out.service_account_key.reveal(), 0600));
    STRAKE_CHECK(pki_.write("sa.pub", made.verifying().pem(), 0644));
  } else {
    return std::unexpected(key.error());
  }
  Result<std::string> known = pki_.read("sa.pub");
  if (!known && known.error().code() != Code::kNotFound) return std::unexpected(known.error());
  if (known) out.service_account_public_pem = *std::move(known);
  return out;
}

Result<http::CertifiedKey> DataDir::kubelet_client(const Identity& identity,
                                                   const Clock& clock) const {
  return KeyFolder(pki_).keep_or_issue("apiserver-kubelet-client", identity.ca,
                                       kubelet_client_spec(clock), clock);
}

Result<std::string> DataDir::write_kubeconfig(const Identity& identity,
                                              std::string_view server_url) const {
  const std::string name = "admin.kubeconfig";
  const std::string wanted = kubeconfig_text(identity, server_url);
  const Result<std::string> found = folder_.read(name);
  if (!found || *found != wanted) STRAKE_CHECK(folder_.write(name, wanted, 0600));
  return file(name);
}

Result<> DataDir::write_key(std::string_view name, const Secret& content, unsigned mode) const {
  return pki_.write(std::string(name.substr(name.find('/') + 1)), content.reveal(), mode);
}

Result<std::vector<store::sqlite::AttachedFile>> read_keys(const std::string& data_dir) {
  std::vector<store::sqlite::AttachedFile> out;
  for (const KeyFile& file : kKeyFiles) {
    Result<std::string> content = read_file(fmt::format("{}/{}", data_dir, file.name));
    if (content) {
      out.push_back({.name = std::string(file.name), .content = Secret(*std::move(content))});
    } else if (content.error().code() != Code::kNotFound) {
      return std::unexpected(content.error());
    }
  }
  return out;
}

Result<> write_keys(const std::string& data_dir,
                    const std::vector<store::sqlite::AttachedFile>& files, bool overwrite) {
  if (files.empty()) return {};
  const auto mode_of = [](std::string_view name) -> std::optional<unsigned> {
    for (const KeyFile& file : kKeyFiles) {
      if (file.name == name) return file.mode;
    }
    return std::nullopt;
  };
  for (const auto& file : files) {
    if (!mode_of(file.name))
      return fail(Code::kInvalid, "the backup holds a file {} that no server has",
                  quote(file.name));
    if (!overwrite && ::access(fmt::format("{}/{}", data_dir, file.name).c_str(), F_OK) == 0)
      return fail(Code::kAlreadyExists, "{}/{} is there already", data_dir, file.name);
  }
  STRAKE_TRY(const DataDir folder, DataDir::open(data_dir));
  for (const auto& file : files) {
    STRAKE_CHECK(folder.write_key(file.name, file.content, *mode_of(file.name)));
  }
  return {};
}

Result<> make_front_proxy_keys(Identity& to, const Clock& clock) {
  STRAKE_TRY(const http::Authority proxy_ca,
             http::Authority::make(kFrontProxyAuthorityName, validity(clock, kAuthorityLife)));
  to.front_proxy_ca = proxy_ca.pair();
  STRAKE_TRY(to.front_proxy_client, proxy_ca.issue(front_proxy_spec(clock)));
  return {};
}

Result<> make_own_keys(Identity& to, const std::vector<std::string>& hosts, const Clock& clock) {
  STRAKE_TRY(const http::Authority ca,
             http::Authority::make(kAuthorityName, validity(clock, kAuthorityLife)));
  to.ca = ca.pair();
  to.ca_pem = to.ca.certificate_pem;
  STRAKE_TRY(to.serving, ca.issue(serving_spec(hosts, clock)));
  STRAKE_TRY(to.admin, ca.issue(admin_spec(clock)));
  STRAKE_TRY(const auth::SigningKey key, auth::SigningKey::make());
  to.service_account_key = key.pem();
  return {};
}

Result<Identity> make_identity(const std::vector<std::string>& hosts, const Clock& clock) {
  Identity out;
  STRAKE_CHECK(make_own_keys(out, hosts, clock));
  STRAKE_CHECK(make_front_proxy_keys(out, clock));
  return out;
}

Result<http::CertifiedKey> make_kubelet_client(const Identity& identity, const Clock& clock) {
  return http::issue_certificate(identity.ca, kubelet_client_spec(clock));
}

std::string kubeconfig_text(const Identity& identity, std::string_view server_url) {
  return kube::write_kubeconfig({.cluster = "strake",
                                 .user = "admin",
                                 .context = "strake",
                                 .server = std::string(server_url),
                                 .ca_pem = identity.ca_pem,
                                 .certificate_pem = identity.admin.certificate_pem,
                                 .key_pem = identity.admin.key_pem})
      .reveal();
}

}  // namespace strake::server
