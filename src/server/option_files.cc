#include "server/option_files.h"

#include <algorithm>

#include "base/private_folder.h"
#include "extension/member_services.h"
#include "http/pki.h"
#include "server/data_dir.h"
#include "server/server.h"

namespace strake::server {

std::vector<std::string> host_names(const Options& options) {
  std::vector<std::string> out = {"localhost",
                                  "127.0.0.1",
                                  "::1",
                                  "kubernetes",
                                  "kubernetes.default",
                                  "kubernetes.default.svc",
                                  "kubernetes.default.svc.cluster.local"};
  const auto add = [&out](const std::string& host) {
    if (!host.empty() && std::find(out.begin(), out.end(), host) == out.end()) out.push_back(host);
  };
  if (options.host != "0.0.0.0" && options.host != "::") add(options.host);
  for (const std::string& host : options.extra_hosts) add(host);
  if (options.registration) add(options.registration->service.host());
  if (options.delegation) add(std::string(extension::kMembersHosts));
  return out;
}

Result<http::TlsOptions> tls_options(const Options& options, const Identity& identity) {
  http::TlsOptions tls;
  tls.certificate_pem = identity.serving.certificate_pem;
  tls.key_pem = identity.serving.key_pem.reveal();
  tls.client_ca_pem = identity.ca_pem;
  if (options.tls_certificate_file.empty() != options.tls_key_file.empty()) {
    return fail(Code::kUsage, "a certificate and its key must be given together");
  }
  if (!options.tls_certificate_file.empty()) {
    STRAKE_TRY(tls.certificate_pem, read_file(options.tls_certificate_file));
    STRAKE_TRY(tls.key_pem, read_file(options.tls_key_file));
  }
  if (!options.client_ca_file.empty()) {
    STRAKE_TRY(const std::string more, read_file(options.client_ca_file));
    // Ours stand before it, so that text without any certificate would pass unseen.
    if (const auto first = http::read_certificate(more); !first)
      return std::unexpected(Error(first.error()).prefixed("client CA").in(options.client_ca_file));
    tls.client_ca_pem += more;
  }
  return tls;
}

Result<std::vector<auth::StaticToken>> read_tokens(const Options& options) {
  if (options.token_file.empty()) return std::vector<auth::StaticToken>();
  STRAKE_TRY(const std::string text, read_file(options.token_file));
  auto read = auth::read_token_file(text);
  if (!read) return std::unexpected(Error(read.error()).in(options.token_file));
  return read;
}

Result<auth::AuthorizationConfiguration> read_authorization(const Options& options) {
  if (options.authorization_config_file.empty()) return options.authorization.to_configuration();
  STRAKE_TRY(const std::string text, read_file(options.authorization_config_file));
  return auth::AuthorizationConfiguration::read(text, options.authorization_config_file);
}

Result<std::shared_ptr<const kube::WebhookConnection>> read_audit_webhook(const Options& options) {
  auto opened = kube::WebhookConnection::open(options.audit_webhook_config_file);
  if (!opened)
    return std::unexpected(std::move(opened).error().prefixed("initializing audit webhook"));
  return opened;
}

Result<audit::Policy> read_audit_policy(const Options& options) {
  STRAKE_TRY(const std::string text, read_file(options.audit_policy_file));
  return audit::Policy::read(text, options.audit_policy_file);
}

Result<auth::ServiceAccountTokens::Keys> read_token_keys(const Options& options,
                                                         const Identity& identity) {
  Secret signing_pem = identity.service_account_key;
  std::string name = "pki/sa.key";
  if (!options.service_account_signing_key_file.empty()) {
    name = options.service_account_signing_key_file;
    STRAKE_TRY(std::string text, read_file(name));
    signing_pem = Secret(std::move(text));
  }
  auto signing = auth::SigningKey::read(signing_pem);
  if (!signing) return std::unexpected(Error(signing.error()).in(name));
  auth::ServiceAccountTokens::Keys out{.signing = *std::move(signing), .verifying = {}};
  const auto add = [&out](std::string_view pem, const std::string& from) -> Result<> {
    auto keys = auth::VerifyingKey::read(pem);
    if (!keys) return std::unexpected(Error(keys.error()).in(from));
    for (auth::VerifyingKey& one : *keys) out.verifying.push_back(std::move(one));
    return {};
  };
  if (!identity.service_account_public_pem.empty())
    STRAKE_CHECK(add(identity.service_account_public_pem, "pki/sa.pub"));
  for (const std::string& file : options.service_account_key_files) {
    STRAKE_TRY(const std::string text, read_file(file));
    STRAKE_CHECK(add(text, file));
  }
  return out;
}

auth::ServiceAccountTokens::Options token_options(const Options& options) {
  auth::ServiceAccountTokens::Options out;
  if (!options.service_account_issuers.empty()) out.issuers = options.service_account_issuers;
  out.audiences = options.api_audiences;
  out.longest_life = options.service_account_longest_life;
  out.keys_url = options.service_account_keys_url;
  return out;
}

std::vector<std::string> account_issuers(const Options& options) {
  return token_options(options).issuers;
}

Result<std::vector<auth::CompiledJwt>> read_flag_issuers(const Options& options) {
  std::vector<auth::CompiledJwt> out;
  if (!options.oidc) return out;
  auth::JwtConfig config = *options.oidc;
  if (!options.oidc_ca_file.empty()) {
    STRAKE_TRY(config.issuer.certificate_authority, read_file(options.oidc_ca_file));
  }
  STRAKE_TRY(auth::CompiledJwt one, auth::compile_jwt(config, account_issuers(options)));
  out.push_back(std::move(one));
  return out;
}

}  // namespace strake::server
