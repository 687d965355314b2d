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

// A tool whose scripts run unchanged when the program is called by its name.
struct Alias {
  std::string_view name;
  ExitCode (*run)(std::span<const std::string> args, Io& io) = nullptr;
  bool starts_servers = false;  // that would inherit a limit of memory
};
std::span<const Alias> aliases();

}  // namespace strake::cli
