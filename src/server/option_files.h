#pragma once
// What a server reads from the files that its options name, and from its own keys: each function
// reads them anew. Failures name the file.
#include <memory>
#include <string>
#include <vector>

#include "audit/policy.h"
#include "auth/authenticator.h"
#include "auth/authorization/configuration.h"
#include "auth/oidc/check_config.h"
#include "auth/tokens/service_account_tokens.h"
#include "base/result.h"
#include "http/tls_options.h"
#include "kube/webhook_connection.h"

namespace strake::server {

struct Identity;
struct Options;

// That the serving certificate has to have.
std::vector<std::string> host_names(const Options& options);
// The certificate of the options or the server's own, and the authorities of clients.
Result<http::TlsOptions> tls_options(const Options& options, const Identity& identity);
Result<std::vector<auth::StaticToken>> read_tokens(const Options& options);
Result<auth::AuthorizationConfiguration> read_authorization(const Options& options);
Result<std::shared_ptr<const kube::WebhookConnection>> read_audit_webhook(const Options& options);
Result<audit::Policy> read_audit_policy(const Options& options);

// Keys of service account tokens, and what is not read from files.
Result<auth::ServiceAccountTokens::Keys> read_token_keys(const Options& options,
                                                         const Identity& identity);
auth::ServiceAccountTokens::Options token_options(const Options& options);
std::vector<std::string> account_issuers(const Options& options);
// The issuer of the flags; nothing when there is none.
Result<std::vector<auth::CompiledJwt>> read_flag_issuers(const Options& options);

}  // namespace strake::server
