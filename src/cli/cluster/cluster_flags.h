#pragma once
// The flags of commands that ask a cluster, a client by them, and many requests at once.
#include <span>
#include <string>
#include <vector>

#include "cli/command/args.h"
#include "cli/io/io.h"
#include "kube/client.h"

namespace strake::cli {

inline constexpr FlagSpec kContextFlag = {
    .name = "context",
    .kind = FlagKind::kText,
    .value_name = "NAME",
    .summary = "context of the kubeconfig; default: the current context"};
inline constexpr FlagSpec kKubeconfigFlag = {
    .name = "kubeconfig",
    .kind = FlagKind::kText,
    .value_name = "FILE",
    .summary = "kubeconfig to use; default: $KUBECONFIG, then ~/.kube/config"};

// The flags of commands that may ask a cluster besides reading files; any of them makes them do so.
inline constexpr FlagSpec kFromClusterFlag = {
    .name = "from-cluster", .summary = "also use schemas from the cluster of the current context"};
inline constexpr FlagSpec kFromContextFlag = {
    .name = "context",
    .kind = FlagKind::kText,
    .value_name = "NAME",
    .summary = "also use schemas from the cluster of this context of the kubeconfig"};
bool asks_cluster(const Arguments& args);

// Reads the kubeconfig; the cluster itself is not asked yet.
Result<kube::Client> connect_cluster(std::string_view kubeconfig, std::string_view context,
                                     const Io& io);

// The bodies behind the paths, asked for several at a time, with a bar when that takes long.
Result<std::vector<std::string>> get_all(const kube::Client& cluster,
                                         std::span<const std::string> paths, Io& io);

}  // namespace strake::cli
