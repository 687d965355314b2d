#pragma once
// The table of all commands, and the other names the program answers to.
#include <span>
#include <string_view>

#include "cli/command/command.h"

namespace strake::cli {

// In the order in which help shows them.
std::span<const Command* const> commands();

// The command of that name, hidden ones included; null when there is none.
const Command* find_command(std::string_view name);

// A command that is planned and named in the documentation, but not part of this build.
struct PlannedCommand {
  std::string_view name;
  std::string_view job;
};
std::span<const PlannedCommand> planned_commands();
// Null when no command of that name is planned.
const PlannedCommand* find_planned(std::string_view name);

// A tool whose scripts run unchanged when the program is called by its name.
struct Alias {
  std::string_view name;
  std::string_view job;
  ExitCode (*run)(std::span<const std::string> args,
                  Io& io) = nullptr;  // null until the job is there
};
std::span<const Alias> aliases();

}  // namespace strake::cli
