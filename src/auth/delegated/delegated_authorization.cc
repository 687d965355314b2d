#include "auth/delegated/delegated_authorization.h"

namespace strake::auth {

Result<AuthorizationConfiguration> DelegatedAuthorization::to_configuration() const {
  AuthorizationConfiguration out;
  STRAKE_TRY(out.open_paths, AllowedPaths::parse(open_paths));
  AuthorizationWebhook webhook{.authorized_ttl = allowed_kept,
                               .unauthorized_ttl = refused_kept,
                               .timeout = timeout,
                               .version = AccessReviewVersion::kV1};
  STRAKE_TRY(webhook.service, kube::WebhookConnection::make(
                                  access, "/apis/authorization.k8s.io/v1/subjectaccessreviews"));
  out.authorizers.push_back({.type = AuthorizationConfiguration::Type::kWebhook,
                             .name = "main server",
                             .webhook = std::move(webhook)});
  return out;
}

}  // namespace strake::auth
