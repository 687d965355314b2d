#pragma once
// The flags of `serve` about how many requests it handles at a time, and whose.
#include "cli/command/args.h"
#include "cli/serve/flag_values.h"
#include "server/server.h"

namespace strake::cli {

inline constexpr FlagSpec kLoadFlags[] = {
    {.name = "enable-priority-and-fairness",
     .kind = FlagKind::kChoice,
     .value_name = "true|false",
     .choices = kTruths,
     .fallback = "true",
     .summary = "share the server among requests by FlowSchemas and PriorityLevelConfigurations; "
                "otherwise limit reads and writes by number alone"},
    {.name = "max-requests-inflight",
     .kind = FlagKind::kCount,
     .value_name = "N",
     .fallback = "400",
     .summary =
         "with priority and fairness, the seats that requests share are the sum of this and "
         "the next; otherwise, how many reads are handled at a time, and 0 means any number"},
    {.name = "max-mutating-requests-inflight",
     .kind = FlagKind::kCount,
     .value_name = "N",
     .fallback = "200",
     .summary = "the same for writes"},
};

// Code::kUsage.
Result<> read_load(const Arguments& args, server::Options& out);

}  // namespace strake::cli
