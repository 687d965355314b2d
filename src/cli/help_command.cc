#include "cli/help_command.h"

#include <fmt/ranges.h>

#include <vector>

#include "cli/command/help.h"
#include "cli/commands.h"
#include "cli/io/terminal.h"
#include "cli/overview.h"

namespace strake::cli {
namespace {

ExitCode run_help(const Arguments& args, Io& io) {
  if (args.operands().empty()) {
    io.out.write(help_overview(io.color_out));
    return ExitCode::kFine;
  }
  const std::string name = fmt::format("{}", fmt::join(args.operands(), " "));
  if (const Command* command = find_command(name)) {
    io.out.write(help_for(*command, io.color_out));
    return ExitCode::kFine;
  }
  if (const std::string family = help_family(name); !family.empty()) {
    io.out.write(family);
    return ExitCode::kFine;
  }
  std::vector<std::string_view> names;
  for (const Command* command : commands()) {
    if (!command->hidden) names.push_back(command->name);
  }
  print_error(fmt::format("unknown command \"{}\"{}", name, suggestion(name, names)), io);
  return ExitCode::kInput;
}

}  // namespace

constinit const Command kHelpCommand = {
    .name = "help",
    .group = Group::kGeneral,
    .summary = "show the help of a command",
    .operands = {.usage = "[COMMAND]", .at_most = 2},
    .run = run_help,
};

}  // namespace strake::cli
