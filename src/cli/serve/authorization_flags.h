#pragma once
// The flags of `serve` about who decides what a user may do.
#include "cli/command/args.h"
#include "server/server.h"

namespace strake::cli {

inline constexpr FlagSpec kAuthorizationFlags[] = {
    {.name = "authorization-mode",
     .kind = FlagKind::kTexts,
     .value_name = "MODES",
     .summary = "who decides about permissions, in order: RBAC, Webhook, AlwaysAllow, AlwaysDeny "
                "(default RBAC)"},
    {.name = "authorization-config",
     .kind = FlagKind::kText,
     .value_name = "FILE",
     .summary = "AuthorizationConfiguration, in place of the other --authorization flags; reloaded "
                "when it changes"},
    {.name = "authorization-webhook-config-file",
     .kind = FlagKind::kText,
     .value_name = "FILE",
     .summary = "kubeconfig of the webhook of mode Webhook"},
    {.name = "authorization-webhook-version",
     .kind = FlagKind::kText,
     .value_name = "VERSION",
     .fallback = "v1beta1",
     .summary = "version of the SubjectAccessReviews it is sent: v1 or v1beta1"},
    {.name = "authorization-webhook-cache-authorized-ttl",
     .kind = FlagKind::kText,
     .value_name = "DURATION",
     .fallback = "5m",
     .summary = "how long to remember that it allowed a request; 0 means not at all"},
    {.name = "authorization-webhook-cache-unauthorized-ttl",
     .kind = FlagKind::kText,
     .value_name = "DURATION",
     .fallback = "30s",
     .summary = "how long to remember that it did not; 0 means not at all"},
};

// Code::kUsage.
Result<> read_authorization(const Arguments& args, server::Options& out);

}  // namespace strake::cli
