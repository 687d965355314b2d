#pragma once
// The flags of `serve` about the servers behind it, which APIServices name.
#include "cli/command/args.h"
#include "server/server.h"

namespace strake::cli {

inline constexpr FlagSpec kAggregationFlags[] = {
    {.name = "proxy-client-cert-file",
     .kind = FlagKind::kText,
     .value_name = "FILE",
     .summary = "the certificate (PEM) that is shown to the servers of APIServices, in place of "
                "pki/front-proxy-client.crt"},
    {.name = "proxy-client-key-file",
     .kind = FlagKind::kText,
     .value_name = "FILE",
     .summary = "its key (PEM)"},
    {.name = "service-resolver-file",
     .kind = FlagKind::kText,
     .value_name = "FILE",
     .summary = "where services of APIServices are that have no endpoints: a YAML mapping from "
                "NAMESPACE/NAME[:PORT] to HOST:PORT"},
    {.name = "aggregate",
     .kind = FlagKind::kText,
     .value_name = "FILE",
     .summary = "the servers behind this one, each with its own store; reloaded when it changes"},
    {.name = "enable-aggregator-routing",
     .summary = "accepted for compatibility: requests always go to endpoints"},
};

void read_aggregation(const Arguments& args, server::Options& out);

}  // namespace strake::cli
