#pragma once
// All flags of `serve`, in the groups in which help shows them.
#include "cli/command/command.h"
#include "cli/serve/aggregation_flags.h"
#include "cli/serve/audit_flags.h"
#include "cli/serve/authorization_flags.h"
#include "cli/serve/delegation_flags.h"
#include "cli/serve/flag_values.h"
#include "cli/serve/front_proxy_flags.h"
#include "cli/serve/issuer_flags.h"
#include "cli/serve/kubelet_flags.h"
#include "cli/serve/listen.h"
#include "cli/serve/load_flags.h"
#include "cli/serve/operations_flags.h"
#include "cli/serve/serve_config.h"

namespace strake::cli {

inline constexpr std::string_view kDataDirSummary =
    "data folder; the kubeconfig is DIR/admin.kubeconfig (default $XDG_DATA_HOME/strake or "
    "~/.local/share/strake; none with --in-memory)";
inline constexpr FlagSpec kMainFlags[] = {
    {.name = "data-dir", .kind = FlagKind::kText, .value_name = "DIR", .summary = kDataDirSummary},
    {.name = "listen",
     .kind = FlagKind::kText,
     .value_name = "HOST:PORT",
     .fallback = "127.0.0.1:6443",
     .summary = "address to listen on; port 0 picks a free port"},
    {.name = "in-memory",
     .summary = "keep objects in memory only; without --data-dir nothing outlives the server"},
    {.name = "kubeconfig-out",
     .kind = FlagKind::kText,
     .value_name = "FILE",
     .summary = "write the administrator's kubeconfig to FILE (mode 0600)"},
    {.name = "ready-fd",
     .kind = FlagKind::kCount,
     .value_name = "FD",
     .summary = "write the URL to this file descriptor when ready, then close it"},
    {.name = "tls-cert",
     .kind = FlagKind::kText,
     .value_name = "FILE",
     .summary = "serving certificate (PEM); needs --tls-key"},
    {.name = "tls-key",
     .kind = FlagKind::kText,
     .value_name = "FILE",
     .summary = "key of --tls-cert (PEM)"},
    {.name = "tls-san",
     .kind = FlagKind::kTexts,
     .value_name = "HOST",
     .summary = "additional name or address for the generated certificate"},
    {.name = "client-ca-file",
     .kind = FlagKind::kText,
     .value_name = "FILE",
     .summary = "additional authorities (PEM) for client certificates"},
    {.name = "client-ca",
     .kind = FlagKind::kText,
     .value_name = "FILE",
     .summary = "the same as --client-ca-file"},
    {.name = "token-file",
     .kind = FlagKind::kText,
     .value_name = "FILE",
     .summary = "static tokens, one per line: token,user,uid,\"groups\""},
    {.name = "service-account-signing-key-file",
     .kind = FlagKind::kText,
     .value_name = "FILE",
     .summary = "private key (PEM, RSA or ECDSA) that signs tokens of service accounts (default "
                "DIR/pki/sa.key)"},
    {.name = "service-account-key-file",
     .kind = FlagKind::kTexts,
     .value_name = "FILE",
     .summary = "additional keys (PEM) that verify tokens of service accounts"},
    {.name = "service-account-issuer",
     .kind = FlagKind::kTexts,
     .value_name = "URL",
     .summary = "issuer of tokens of service accounts; the first one is written, all are accepted; "
                "default: as kube-apiserver"},
    {.name = "service-account-jwks-uri",
     .kind = FlagKind::kText,
     .value_name = "URL",
     .summary = "where the discovery document says the keys are (default this server)"},
    {.name = "service-account-max-token-expiration",
     .kind = FlagKind::kText,
     .value_name = "DURATION",
     .summary = "longest life of a token of a service account, at least 1h (default what its "
                "request says)"},
    {.name = "api-audiences",
     .kind = FlagKind::kTexts,
     .value_name = "NAMES",
     .summary = "audiences of this server, one of which tokens must name (default the first "
                "issuer)"},
    {.name = "anonymous-auth",
     .kind = FlagKind::kChoice,
     .value_name = "true|false",
     .choices = kTruths,
     .fallback = "true",
     .summary = "whether requests without credentials are those of system:anonymous"},
    {.name = "advertise-address",
     .kind = FlagKind::kText,
     .value_name = "HOST",
     .summary = "HOST or HOST:PORT that /api names as the server's address; default: the address "
                "that the client has reached"},
    {.name = "controllers",
     .kind = FlagKind::kTexts,
     .value_name = "NAMES",
     .summary =
         "controllers to run: * for all (default), NAME to run one, -NAME to leave one out, "
         "such as '*,-garbage-collector-controller'; operate runs those of operations beside "
         "them"},
    {.name = "operate-look-again",
     .kind = FlagKind::kText,
     .value_name = "DURATION",
     .fallback = "5m",
     .summary = "with operate: how often providers are asked what they have, to find what drifted"},
    {.name = "workloads",
     .summary = "also serve pods, nodes, deployments and all other kinds that run programs; they "
                "are stored, and no controller acts on them"},
    {.name = "enable-admission-plugins",
     .kind = FlagKind::kTexts,
     .value_name = "NAMES",
     .summary = "admission plugins to ask; all that strake has are on by default"},
    {.name = "disable-admission-plugins",
     .kind = FlagKind::kTexts,
     .value_name = "NAMES",
     .summary =
         "admission plugins not to ask, by their names in Kubernetes, such as ServiceAccount "
         "or PodSecurity; they are about the kinds of --workloads"},
    {.name = "service-cluster-ip-range",
     .kind = FlagKind::kText,
     .value_name = "CIDR[,CIDR]",
     .fallback = "10.0.0.0/24",
     .summary = "where the cluster IPs of services come from: one network, or one of IPv4 and "
                "one of IPv6, the preferred one first"},
    {.name = "service-node-port-range",
     .kind = FlagKind::kText,
     .value_name = "FROM-TO",
     .fallback = "30000-32767",
     .summary = "where the node ports of services come from"},
    {.name = "io-threads",
     .kind = FlagKind::kCount,
     .value_name = "N",
     .fallback = "0",
     .summary = "threads for connections; 0 means one per core"},
    {.name = "drain-seconds",
     .kind = FlagKind::kCount,
     .value_name = "N",
     .fallback = "30",
     .summary = "how long requests in progress can take to finish at shutdown"},
    {.name = "log-level",
     .kind = FlagKind::kChoice,
     .value_name = "LEVEL",
     .choices = kLogLevels,
     .fallback = "info",
     .summary = "debug, info, warn, error or off"},
    {.name = "log-requests",
     .summary = "log every request at info: user, agent, source, verb, path, code and time; "
                "refused ones (401, 403) are logged always"},
    {.name = "log-slow-requests",
     .kind = FlagKind::kText,
     .value_name = "DURATION",
     .fallback = "0",
     .summary =
         "log requests that take longer, such as 500ms; 0 means none. A watch takes the time "
         "until it begins"},
};

inline constexpr auto kServeFlags = joined_flags(
    kMainFlags, kConfigFlags, kAuthorizationFlags, kAuditFlags, kIssuerFlags, kFrontProxyFlags,
    kAggregationFlags, kKubeletFlags, kDelegationFlags, kLoadFlags, kOperationsFlags);

inline constexpr std::string_view kAccessFlags[] = {"tls-cert",
                                                    "tls-key",
                                                    "tls-san",
                                                    "client-ca-file",
                                                    "client-ca",
                                                    "token-file",
                                                    "service-account-signing-key-file",
                                                    "service-account-key-file",
                                                    "service-account-issuer",
                                                    "service-account-jwks-uri",
                                                    "service-account-max-token-expiration",
                                                    "api-audiences",
                                                    "anonymous-auth"};
inline constexpr auto kAuthorizationFlagNames = flag_names(kAuthorizationFlags);
inline constexpr auto kAuditFlagNames = flag_names(kAuditFlags);
inline constexpr std::string_view kProcessFlags[] = {"advertise-address",  "controllers",
                                                     "operate-look-again", "ready-fd",
                                                     "io-threads",         "drain-seconds"};
inline constexpr std::string_view kServiceFlags[] = {"service-cluster-ip-range",
                                                     "service-node-port-range"};
inline constexpr auto kIssuerFlagNames = flag_names(kIssuerFlags);
inline constexpr auto kFrontProxyFlagNames = flag_names(kFrontProxyFlags);
inline constexpr auto kAggregationFlagNames = flag_names(kAggregationFlags);
inline constexpr auto kKubeletFlagNames = flag_names(kKubeletFlags);
inline constexpr auto kDelegationFlagNames = flag_names(kDelegationFlags);
inline constexpr auto kLoadFlagNames = flag_names(kLoadFlags);
inline constexpr auto kOperationsFlagNames = flag_names(kOperationsFlags);
inline constexpr FlagSection kServeSections[] = {
    {"certificates and tokens", kAccessFlags},
    {"tokens of others", kIssuerFlagNames},
    {"front proxy", kFrontProxyFlagNames},
    {"aggregation", kAggregationFlagNames},
    {"authorization", kAuthorizationFlagNames},
    {"audit log", kAuditFlagNames},
    {"services", kServiceFlags},
    {"kubelets", kKubeletFlagNames},
    {"extension server", kDelegationFlagNames},
    {"load", kLoadFlagNames},
    {"backups and profiles", kOperationsFlagNames},
    {"process", kProcessFlags},
};

}  // namespace strake::cli
