#pragma once
// The flags of `serve` about tokens that others have issued: OpenID Connect, and a webhook.
#include "cli/command/args.h"
#include "server/server.h"

namespace strake::cli {

inline constexpr std::string_view kReviewVersions[] = {"v1", "v1beta1"};
inline constexpr FlagSpec kIssuerFlags[] = {
    {.name = "authentication-config",
     .kind = FlagKind::kText,
     .value_name = "FILE",
     .summary =
         "AuthenticationConfiguration: issuers of tokens and anonymous access; reloaded when "
         "it changes; not with --oidc-*"},
    {.name = "oidc-issuer-url",
     .kind = FlagKind::kText,
     .value_name = "URL",
     .summary = "accept tokens (JWT) of this OpenID Connect issuer, an https URL; needs "
                "--oidc-client-id"},
    {.name = "oidc-client-id",
     .kind = FlagKind::kText,
     .value_name = "ID",
     .summary = "audience that tokens of the issuer must name"},
    {.name = "oidc-username-claim",
     .kind = FlagKind::kText,
     .value_name = "CLAIM",
     .fallback = "sub",
     .summary = "claim that names the user"},
    {.name = "oidc-username-prefix",
     .kind = FlagKind::kText,
     .value_name = "PREFIX",
     .summary = "prefix of user names; - means none (default URL# of the issuer, none for email)"},
    {.name = "oidc-groups-claim",
     .kind = FlagKind::kText,
     .value_name = "CLAIM",
     .summary = "claim that lists groups, or names one (default no groups)"},
    {.name = "oidc-groups-prefix",
     .kind = FlagKind::kText,
     .value_name = "PREFIX",
     .summary = "prefix of group names"},
    {.name = "oidc-required-claim",
     .kind = FlagKind::kTexts,
     .value_name = "KEY=VALUE",
     .summary = "claim that tokens must have with this value; can be repeated"},
    {.name = "oidc-signing-algs",
     .kind = FlagKind::kTexts,
     .value_name = "ALGS",
     .summary = "accepted algorithms: RS, PS or ES with 256, 384 or 512; default RS256"},
    {.name = "oidc-ca-file",
     .kind = FlagKind::kText,
     .value_name = "FILE",
     .summary =
         "authorities (PEM) for the certificate of the issuer (default those of the system)"},
    {.name = "oidc-jwks-file",
     .kind = FlagKind::kText,
     .value_name = "FILE",
     .summary = "keys of the issuer (JWKS) from a file; the issuer is not contacted"},
    {.name = "authentication-token-webhook-config-file",
     .kind = FlagKind::kText,
     .value_name = "FILE",
     .summary = "kubeconfig of a webhook that is asked whose other tokens are"},
    {.name = "authentication-token-webhook-version",
     .kind = FlagKind::kChoice,
     .value_name = "VERSION",
     .choices = kReviewVersions,
     .fallback = "v1beta1",
     .summary = "version of the TokenReview that the webhook gets: v1 or v1beta1"},
    {.name = "authentication-token-webhook-cache-ttl",
     .kind = FlagKind::kText,
     .value_name = "DURATION",
     .fallback = "2m",
     .summary = "how long answers of the webhook are cached"},
};

// Nothing where none is given. Code::kUsage.
Result<> read_oidc(const Arguments& args, server::Options& out);
Result<> read_token_webhook(const Arguments& args, server::Options& out);

}  // namespace strake::cli
