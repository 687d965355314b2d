#pragma once
// `strake store migrate-versions`: asks a running server to rewrite what is stored in old versions.
#include <span>
#include <string>

#include "cli/cluster/cluster_flags.h"
#include "cli/command/args.h"
#include "cli/io/exit_code.h"
#include "cli/io/io.h"

namespace strake::cli {

// The flags that migrate_versions() looks at, besides kContextFlag and kKubeconfigFlag.
inline constexpr FlagSpec kMigrateAllFlag = {
    .name = "all", .summary = "every custom resource that has more than one stored version"};
inline constexpr FlagSpec kMigrateDryRunFlag = {
    .name = "dry-run",
    .summary = "change nothing; show how many objects are stored in which version"};
inline constexpr FlagSpec kMigrateWaitFlag = {
    .name = "wait", .summary = "wait until the migrations have ended, and show how far they are"};
inline constexpr FlagSpec kMigrateTimeoutFlag = {
    .name = "timeout",
    .kind = FlagKind::kText,
    .value_name = "TIME",
    .fallback = "0",
    .summary = "wait no longer than this: 30s, 10m; 0 means no limit"};

// Of the resources that are named, or of all with --all.
ExitCode migrate_versions(std::span<const std::string> kinds, const Arguments& args, Io& io);

}  // namespace strake::cli
