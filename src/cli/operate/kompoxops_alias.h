#pragma once
// The program under the name `kompoxops`: the commands of operate in the tree that Kompox has, with
// its words and exit codes.
#include <span>
#include <string>
#include <string_view>

#include "cli/command/command.h"

namespace strake::cli {

struct KompoxCommand {
  std::string_view path;          // "cluster nodepool list"
  const Command* command;         // that does it
  std::string_view operand = {};  // its first operand: "set" of `secret env set`
  bool other_name = false;        // works, and is not listed
};
std::span<const KompoxCommand> kompox_commands();

ExitCode run_kompoxops(std::span<const std::string> args, Io& io);

}  // namespace strake::cli
