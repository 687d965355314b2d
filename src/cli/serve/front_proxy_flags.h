#pragma once
// The flags of `serve` that say who may vouch for users in headers.
#include "cli/command/args.h"
#include "server/server.h"

namespace strake::cli {

inline constexpr FlagSpec kFrontProxyFlags[] = {
    {.name = "requestheader-client-ca-file",
     .kind = FlagKind::kText,
     .value_name = "FILE",
     .summary = "authorities (PEM) for front proxies, in place of pki/front-proxy-ca.crt"},
    {.name = "requestheader-allowed-names",
     .kind = FlagKind::kTexts,
     .value_name = "NAMES",
     .summary = "common names of front proxies; default: front-proxy-client, or any name with an "
                "authority of your own"},
    {.name = "requestheader-username-headers",
     .kind = FlagKind::kTexts,
     .value_name = "HEADERS",
     .summary = "headers that name the user; default X-Remote-User"},
    {.name = "requestheader-group-headers",
     .kind = FlagKind::kTexts,
     .value_name = "HEADERS",
     .summary = "headers that name groups; default X-Remote-Group"},
    {.name = "requestheader-uid-headers",
     .kind = FlagKind::kTexts,
     .value_name = "HEADERS",
     .summary = "headers that give the user's UID; default X-Remote-Uid"},
    {.name = "requestheader-extra-headers-prefix",
     .kind = FlagKind::kTexts,
     .value_name = "PREFIXES",
     .summary = "prefixes of headers with extra attributes; default X-Remote-Extra-"},
};

// Code::kUsage.
Result<> read_front_proxy(const Arguments& args, server::Options& out);

}  // namespace strake::cli
