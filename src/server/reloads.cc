#include "base/log.h"
#include "server/kubelet_setup.h"
#include "server/option_files.h"
#include "server/server_impl.h"

namespace strake::server {

Result<> Server::Impl::reload_tokens() {
  STRAKE_TRY(std::vector<auth::StaticToken> known, read_tokens(options));
  authenticator->set_tokens(std::move(known));
  return {};
}

Result<> Server::Impl::reload_authorization() {
  // Under a main server, what decides is no file's matter.
  if (!chain || delegation) return {};
  STRAKE_TRY(auth::AuthorizationConfiguration fresh, read_authorization(options));
  if (const auto follows = fresh.check_follows(first_authorization); !follows)
    return std::unexpected(Error(follows.error()).in(options.authorization_config_file));
  return chain->use(fresh);
}

Result<> Server::Impl::reload_issuers() {
  if (authentication_file) return authentication_file->load();
  STRAKE_TRY(std::vector<auth::CompiledJwt> issuers, read_flag_issuers(options));
  token_issuers->set(std::move(issuers));
  return {};
}

Result<> Server::Impl::reload_audit() {
  if (!auditor) return {};
  STRAKE_TRY(audit::Policy policy, read_audit_policy(options));
  auditor->set_policy(std::move(policy));
  if (audit_webhook) {
    STRAKE_TRY(auto service, read_audit_webhook(options));
    audit_webhook->set_service(std::move(service));
  }
  return audit_log ? audit_log->reopen() : Result<>();
}

Result<> Server::Impl::reload_token_keys() {
  Identity fresh = identity;
  if (folder) {
    STRAKE_TRY(fresh, folder->identity(host_names(options), system_clock()));
  }
  STRAKE_TRY(auth::ServiceAccountTokens::Keys keys, read_token_keys(options, fresh));
  account_tokens->set_keys(std::move(keys));
  return {};
}

Result<> Server::Impl::reload_tls() {
  Identity fresh = identity;
  if (folder) {
    // A certificate of our own that is about to run out is made anew on the way.
    STRAKE_TRY(fresh, folder->identity(host_names(options), system_clock()));
    if (fresh.ca_pem != identity.ca_pem) {
      // Clients were told of the authority in many places.
      return fail(Code::kInvalid, "{} has changed, which needs a restart",
                  folder->file("pki/ca.crt"));
    }
  }
  STRAKE_TRY(const http::TlsOptions tls, believe(fresh));
  STRAKE_CHECK(http->set_tls(tls));
  authentication_config->set(authentication_data);
  identity.serving = std::move(fresh.serving);
  return {};
}

Result<> Server::Impl::reload_proxy_certificate() {
  Identity fresh = identity;
  if (folder) {
    STRAKE_TRY(fresh, folder->identity(host_names(options), system_clock()));
  }
  return show_proxy_certificate(*aggregation, options, fresh);
}

Result<> Server::Impl::reload_kubelet_certificates() {
  return kubelets ? use_kubelet_certificates(*kubelets, options, folder, identity) : Result<>();
}

std::vector<FileReloads::Group> Server::Impl::followed_files() {
  const auto reload = [this](Result<> (Impl::*read_again)()) {
    return [this, read_again] {
      const std::lock_guard lock(reloading);
      return (this->*read_again)();
    };
  };
  std::vector<std::string> token_keys = options.service_account_key_files;
  token_keys.push_back(options.service_account_signing_key_file);
  std::vector<std::string> shown = {options.proxy_client_certificate_file,
                                    options.proxy_client_key_file};
  std::vector<std::string> certificates = {options.tls_certificate_file, options.tls_key_file,
                                           options.client_ca_file,
                                           options.requestheader_client_ca_file};
  std::vector<std::string> kubelet_files = {options.kubelet_client_certificate_file,
                                            options.kubelet_client_key_file,
                                            options.kubelet_authority_file};
  if (folder) {
    for (const char* name : {"pki/sa.key", "pki/sa.pub"}) token_keys.push_back(folder->file(name));
    for (const char* name : {"pki/apiserver.crt", "pki/apiserver.key", "pki/ca.crt", "pki/ca.key",
                             "pki/front-proxy-ca.crt", "pki/front-proxy-ca.key"})
      certificates.push_back(folder->file(name));
    for (const char* name :
         {"pki/apiserver-kubelet-client.crt", "pki/apiserver-kubelet-client.key"})
      kubelet_files.push_back(folder->file(name));
    for (const char* name : {"pki/front-proxy-client.crt", "pki/front-proxy-client.key"})
      shown.push_back(folder->file(name));
  }
  return {
      {"tokens", {options.token_file}, reload(&Impl::reload_tokens)},
      {"keys of service account tokens", std::move(token_keys), reload(&Impl::reload_token_keys)},
      {"certificates", std::move(certificates), reload(&Impl::reload_tls)},
      {"certificate of the proxy", std::move(shown), reload(&Impl::reload_proxy_certificate)},
      {"certificates for kubelets", std::move(kubelet_files),
       reload(&Impl::reload_kubelet_certificates)},
      {"map of services", {options.service_resolver_file}, reload(&Impl::reload_service_map)},
      {"members", {options.aggregate_file}, reload(&Impl::reload_members)},
      {"audit policy",
       {options.audit_policy_file, options.audit_webhook_config_file},
       reload(&Impl::reload_audit)},
      {"authorization configuration",
       {options.authorization_config_file},
       reload(&Impl::reload_authorization)},
      {"authentication configuration",
       {options.authentication_config_file, options.oidc_ca_file},
       reload(&Impl::reload_issuers)}};
}

void Server::Impl::follow_files() {
  // Inotify has few places for a user. Without one, SIGHUP does it.
  if (const auto followed = files->follow(loops->at(0), *workers); !followed)
    log::get("server").warn("files are only read again on SIGHUP", {{"error", followed.error()}});
}

std::vector<Error> Server::reload() {
  const std::lock_guard lock(impl_->reloading);
  std::vector<Error> failures;
  // One that fails leaves the others alone.
  for (const Result<>& outcome :
       {impl_->reload_tokens(), impl_->reload_token_keys(), impl_->reload_tls(),
        impl_->reload_audit(), impl_->reload_authorization(), impl_->reload_issuers(),
        impl_->reload_proxy_certificate(), impl_->reload_service_map(), impl_->reload_members()}) {
    if (!outcome) failures.push_back(outcome.error());
  }
  return failures;
}

}  // namespace strake::server
