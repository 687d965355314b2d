#pragma once
// The flags of `serve` that make it an extension server of another one.
#include "cli/command/args.h"
#include "server/server.h"

namespace strake::cli {

inline constexpr FlagSpec kDelegationFlags[] = {
    {.name = "delegated",
     .summary = "be an extension server: the main server of --main-kubeconfig says who users are "
                "and what they may do"},
    {.name = "main-kubeconfig",
     .kind = FlagKind::kText,
     .value_name = "FILE",
     .summary = "kubeconfig of the main server"},
    {.name = "group",
     .kind = FlagKind::kTexts,
     .value_name = "GROUPS",
     .summary = "serve only these groups to others; default: those of all definitions here"},
    {.name = "authentication-kubeconfig",
     .kind = FlagKind::kText,
     .value_name = "FILE",
     .summary = "kubeconfig for TokenReviews and the ConfigMap, in place of --main-kubeconfig"},
    {.name = "authentication-skip-lookup",
     .summary = "do not ask the main server whom to believe; needs --client-ca-file or "
                "--requestheader-client-ca-file"},
    {.name = "authentication-tolerate-lookup-failure",
     .summary = "start even if the main server does not say whom to believe"},
    {.name = "authorization-kubeconfig",
     .kind = FlagKind::kText,
     .value_name = "FILE",
     .summary = "kubeconfig for SubjectAccessReviews, in place of --main-kubeconfig"},
    {.name = "authorization-always-allow-paths",
     .kind = FlagKind::kTexts,
     .value_name = "PATHS",
     .summary = "paths that everyone can read, with a * at the end for all below; default: "
                "/healthz,/readyz,/livez"},
    {.name = "no-namespace-mirror",
     .summary = "keep namespaces of its own instead of copies of those of the main server"},
    {.name = "register",
     .summary = "keep an APIService at the main server for each version of each group; needs "
                "--data-dir"},
    {.name = "register-service",
     .kind = FlagKind::kText,
     .value_name = "NAMESPACE/NAME",
     .fallback = "default/strake-extension",
     .summary = "the service that leads here; it is made when others can reach this address"},
    {.name = "register-ca-file",
     .kind = FlagKind::kText,
     .value_name = "FILE",
     .summary = "authorities (PEM) of the serving certificate, with --tls-cert"},
    {.name = "register-resolver-file",
     .kind = FlagKind::kText,
     .value_name = "FILE",
     .summary = "write the address to the --service-resolver-file of a main server on this machine "
                "instead of making a service"},
    {.name = "unregister-on-stop", .summary = "remove what was registered at a clean stop"},
    {.name = "unregister", .summary = "remove what was registered and exit"},
};

// Nothing without --delegated, which the other flags need. Code::kUsage.
Result<> read_delegation(const Arguments& args, server::Options& out);

}  // namespace strake::cli
