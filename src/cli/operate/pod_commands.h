#pragma once
// What commands for people do in the pod of a component: of an app, and of a box.
#include <array>
#include <string>
#include <string_view>

#include "cli/operate/operate_flags.h"
#include "cli/operate/operate_run.h"
#include "cli/operate/ordered_json.h"
#include "ops/cases/component.h"

namespace strake::cli {

inline constexpr auto kExecFlags = std::to_array<FlagSpec>({
    {.name = "stdin", .letter = 'i', .summary = "connect standard input"},
    {.name = "tty", .letter = 't', .summary = "run it on a terminal"},
    {.name = "container",
     .letter = 'c',
     .kind = FlagKind::kText,
     .value_name = "NAME",
     .summary = "container of the pod (default: the first)"},
});
inline constexpr auto kComponentFlags = std::to_array<FlagSpec>({
    {.name = "component",
     .kind = FlagKind::kText,
     .value_name = "NAME",
     .fallback = "app",
     .summary = "app, or the component of a box"},
});
inline constexpr OperandSpec kExecOperands{
    .usage = "-- COMMAND [ARGUMENT]...", .at_least = 1, .at_most = kAnyNumber};

// The command of the operands; its exit code is ours.
provider::Outcome<ExitCode> exec_in_component(OperateRun& run, const provider::App& app,
                                              const std::string& component);
// The keys that app_status and box_status share.
void write_component_status(const ops::ComponentStatus& status, OrderedJson& out);

// "8080:80", ":80" for any port that is free, "80" for the same one. Fails with kInvalid.
provider::Outcome<kube::ForwardedPort> read_forwarded_port(std::string_view text);

}  // namespace strake::cli
