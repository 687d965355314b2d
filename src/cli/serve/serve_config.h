#pragma once
// The configuration file of `serve`: its flags, in the section `serve` of a YAML file, and what of
// it can change while the server runs.
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "cli/command/args.h"

namespace strake::cli {

inline constexpr FlagSpec kConfigFlags[] = {
    {.name = "config",
     .kind = FlagKind::kText,
     .value_name = "FILE",
     .summary = "flags in a YAML file, under serve: (dataDir for --data-dir); flags on the command "
                "line have precedence; SIGHUP reads it again"},
    {.name = "check-config",
     .summary = "check the flags, the configuration and the files that they name, and exit"},
};

// What was given, with what the file of --config says beside it. `flags` are those of the command.
Result<Arguments> with_config(std::span<const FlagSpec> flags, const Arguments& given);

// Of the flags that differ, those that need a restart: all but the ones below.
std::vector<std::string> changed_for_restart(const Arguments& old, const Arguments& fresh);
inline constexpr std::string_view kReloadedFlags[] = {"log-level", "log-requests",
                                                      "log-slow-requests"};

}  // namespace strake::cli
