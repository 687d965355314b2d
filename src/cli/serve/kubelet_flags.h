#pragma once
// The flags of `serve` about the nodes whose pods people look into.
#include "cli/command/args.h"
#include "server/server.h"

namespace strake::cli {

inline constexpr FlagSpec kKubeletFlags[] = {
    {.name = "kubelet-client-certificate",
     .kind = FlagKind::kText,
     .value_name = "FILE",
     .summary = "the certificate (PEM) that is shown to kubelets, in place of "
                "pki/apiserver-kubelet-client.crt"},
    {.name = "kubelet-client-key",
     .kind = FlagKind::kText,
     .value_name = "FILE",
     .summary = "its key (PEM)"},
    {.name = "kubelet-certificate-authority",
     .kind = FlagKind::kText,
     .value_name = "FILE",
     .summary = "authorities (PEM) of the certificates of kubelets; without it none is verified"},
    {.name = "kubelet-preferred-address-types",
     .kind = FlagKind::kTexts,
     .value_name = "TYPES",
     .summary = "which address of a node is used, the preferred type first (default "
                "Hostname, InternalDNS, InternalIP, ExternalDNS, ExternalIP)"},
};

void read_kubelet(const Arguments& args, server::Options& out);

}  // namespace strake::cli
