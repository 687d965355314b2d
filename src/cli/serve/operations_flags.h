#pragma once
// The flags of `serve` about day to day operations: backups and profiles; and what /flagz shows.
#include <map>
#include <span>
#include <string>

#include "cli/command/args.h"
#include "server/server.h"

namespace strake::cli {

inline constexpr FlagSpec kOperationsFlags[] = {
    {.name = "backup-schedule",
     .kind = FlagKind::kText,
     .value_name = "WHEN",
     .summary = "make backups every so often (6h), or by a cron expression in UTC ('30 2 * * *'); "
                "needs --backup-dir, --backup-command or both"},
    {.name = "backup-dir",
     .kind = FlagKind::kText,
     .value_name = "DIR",
     .summary = "folder that backups are kept in, for its owner alone; made when it is not there"},
    {.name = "backup-keep",
     .kind = FlagKind::kCount,
     .value_name = "N",
     .fallback = "7",
     .summary = "backups to keep in the folder; 0 means all"},
    {.name = "backup-max-age",
     .kind = FlagKind::kText,
     .value_name = "DURATION",
     .fallback = "0",
     .summary = "how long to keep backups in the folder, such as 720h; 0 means for ever"},
    {.name = "backup-command",
     .kind = FlagKind::kText,
     .value_name = "COMMAND",
     .summary = "program that gets each backup on its standard input, such as 'restic backup "
                "--stdin --stdin-filename {name}'; run without a shell"},
    {.name = "backup-command-shell", .summary = "run --backup-command by /bin/sh -c"},
    {.name = "backup-command-timeout",
     .kind = FlagKind::kText,
     .value_name = "DURATION",
     .fallback = "1h",
     .summary = "how long --backup-command may take"},
    {.name = "profiling", .summary = "serve processor profiles at /debug/pprof/profile"},
};

// Code::kUsage.
Result<> read_operations(const Arguments& args, std::span<const FlagSpec> flags,
                         server::Options& out);

}  // namespace strake::cli
