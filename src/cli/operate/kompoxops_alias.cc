#include "cli/operate/kompoxops_alias.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/quote.h"
#include "cli/command/help.h"
#include "cli/command/version.h"
#include "cli/io/terminal.h"
#include "cli/operate/admin_commands.h"
#include "cli/operate/app_commands.h"
#include "cli/operate/box_commands.h"
#include "cli/operate/cluster_commands.h"
#include "cli/operate/init_commands.h"
#include "cli/operate/node_pool_commands.h"
#include "cli/operate/operate_flags.h"
#include "cli/operate/operate_run.h"
#include "cli/operate/volume_commands.h"

namespace strake::cli {
namespace {

ExitCode run_kompox_version(const Arguments& /*args*/, Io& io) {
  io.out.write(
      fmt::format("kompoxops {}\nprogram: strake\nversion: {}\ncompiler: clang {}\n"
                  "platform: linux\n",
                  version_number(), version_text(), __clang_major__));
  return ExitCode::kFine;
}

constexpr FlagSpec kKompoxVersionFlags[] = {kRunFlags[0]};
constexpr Command kKompoxVersionCommand{.name = "version",
                                        .group = Group::kGeneral,
                                        .summary = "show the version",
                                        .flags = kKompoxVersionFlags,
                                        .run = run_kompox_version};

constexpr KompoxCommand kKompoxCommands[] = {
    {"init", &kInitCommand},
    {"version", &kKompoxVersionCommand},
    {"config", &kConfigCommand},
    {"cluster provision", &kClusterProvisionCommand},
    {"cluster deprovision", &kClusterDeprovisionCommand},
    {"cluster install", &kClusterInstallCommand},
    {"cluster uninstall", &kClusterUninstallCommand},
    {"cluster status", &kClusterStatusCommand},
    {"cluster kubeconfig", &kClusterKubeconfigCommand},
    {"cluster logs", &kClusterLogsCommand},
    {"cluster nodepool list", &kNodePoolListCommand},
    {"cluster nodepool create", &kNodePoolCreateCommand},
    {"cluster nodepool update", &kNodePoolUpdateCommand},
    {"cluster nodepool delete", &kNodePoolDeleteCommand},
    {.path = "nodepool list", .command = &kNodePoolListCommand, .other_name = true},
    {.path = "nodepool create", .command = &kNodePoolCreateCommand, .other_name = true},
    {.path = "nodepool update", .command = &kNodePoolUpdateCommand, .other_name = true},
    {.path = "nodepool delete", .command = &kNodePoolDeleteCommand, .other_name = true},
    {"disk list", &kDiskListCommand},
    {"disk create", &kDiskCreateCommand},
    {"disk assign", &kDiskAssignCommand},
    {"disk delete", &kDiskDeleteCommand},
    {"snapshot list", &kSnapshotListCommand},
    {"snapshot create", &kSnapshotCreateCommand},
    {"snapshot delete", &kSnapshotDeleteCommand},
    {"dns deploy", &kDnsDeployCommand},
    {"dns destroy", &kDnsDestroyCommand},
    {"app validate", &kAppValidateCommand},
    {"app deploy", &kAppDeployCommand},
    {"app destroy", &kAppDestroyCommand},
    {"app status", &kAppStatusCommand},
    {"app exec", &kAppExecCommand},
    {"app logs", &kAppLogsCommand},
    {"app tunnel", &kAppTunnelCommand},
    {.path = "app port-forward", .command = &kAppTunnelCommand, .other_name = true},
    {.path = "app pf", .command = &kAppTunnelCommand, .other_name = true},
    {"box deploy", &kBoxDeployCommand},
    {"box destroy", &kBoxDestroyCommand},
    {"box status", &kBoxStatusCommand},
    {"box exec", &kBoxExecCommand},
    {"secret env set", &kSecretEnvCommand, "set"},
    {"secret env delete", &kSecretEnvCommand, "delete"},
    {"secret pull set", &kSecretPullCommand, "set"},
    {"secret pull delete", &kSecretPullCommand, "delete"},
    {"admin workspace list", &kAdminListCommands[0]},
    {"admin workspace get", &kAdminGetCommands[0]},
    {"admin workspace create", &kAdminWriteCommand},
    {"admin workspace update", &kAdminWriteCommand},
    {"admin workspace delete", &kAdminWriteCommand},
    {"admin provider list", &kAdminListCommands[1]},
    {"admin provider get", &kAdminGetCommands[1]},
    {"admin provider create", &kAdminWriteCommand},
    {"admin provider update", &kAdminWriteCommand},
    {"admin provider delete", &kAdminWriteCommand},
    {"admin cluster list", &kAdminListCommands[2]},
    {"admin cluster get", &kAdminGetCommands[2]},
    {"admin cluster create", &kAdminWriteCommand},
    {"admin cluster update", &kAdminWriteCommand},
    {"admin cluster delete", &kAdminWriteCommand},
    {"admin app list", &kAdminListCommands[3]},
    {"admin app get", &kAdminGetCommands[3]},
    {"admin app create", &kAdminWriteCommand},
    {"admin app update", &kAdminWriteCommand},
    {"admin app delete", &kAdminWriteCommand},
};

bool asks_for_kompox_help(std::string_view word) { return word == "--help" || word == "-h"; }

// Whether the next word is the value of this flag: those that may stand before a command do so.
bool takes_next_word(std::string_view word) {
  return std::ranges::any_of(kRunFlags, [&](const FlagSpec& flag) {
    if (flag.kind == FlagKind::kSwitch) return false;
    return (word.starts_with("--") && word.substr(2) == flag.name) ||
           (flag.letter != '\0' && word == fmt::format("-{}", flag.letter));
  });
}

struct KompoxLine {
  std::string path;  // the words of the command
  const KompoxCommand* found = nullptr;
  std::vector<std::string> rest;  // what stood before, between and behind them
  bool help = false;
};

bool is_path_or_front(std::string_view path) {
  return std::ranges::any_of(kKompoxCommands, [&](const KompoxCommand& one) {
    return one.path == path || one.path.starts_with(fmt::format("{} ", path));
  });
}

KompoxLine read_kompox_line(std::span<const std::string> args) {
  KompoxLine out;
  std::size_t i = 0;
  for (; i < args.size() && out.found == nullptr; ++i) {
    const std::string& word = args[i];
    if (asks_for_kompox_help(word)) {
      out.help = true;
    } else if (word.starts_with('-')) {
      out.rest.push_back(word);
      if (takes_next_word(word) && i + 1 < args.size()) out.rest.push_back(args[++i]);
    } else {
      out.path += (out.path.empty() ? "" : " ") + word;
      if (!is_path_or_front(out.path)) return out;
      const auto found = std::ranges::find(kKompoxCommands, out.path, &KompoxCommand::path);
      if (found != std::end(kKompoxCommands)) out.found = &*found;
    }
  }
  bool ours = true;  // up to a `--`
  for (; i < args.size(); ++i) {
    ours = ours && args[i] != "--";
    if (ours && asks_for_kompox_help(args[i])) {
      out.help = true;
    } else {
      out.rest.push_back(args[i]);
    }
  }
  return out;
}

std::string kompox_family_help(std::string_view path) {
  std::string out =
      fmt::format("usage: kompoxops {}{}COMMAND [FLAGS]\n\n", path, path.empty() ? "" : " ");
  std::size_t width = 0;
  const auto shown = [&](const KompoxCommand& one) {
    return !one.other_name && one.command != &kAdminWriteCommand &&
           (path.empty() || one.path.starts_with(fmt::format("{} ", path)));
  };
  for (const KompoxCommand& one : kKompoxCommands) {
    if (shown(one)) width = std::max(width, one.path.size());
  }
  for (const KompoxCommand& one : kKompoxCommands) {
    if (shown(one)) out += fmt::format("  {:<{}}  {}\n", one.path, width, one.command->summary);
  }
  return out;
}

std::string kompox_command_help(const KompoxCommand& command, bool color) {
  const std::string whole = help_for(*command.command, color);
  const std::string_view operands =
      command.operand.empty() ? command.command->operands.usage : std::string_view();
  return fmt::format("usage: kompoxops {} [FLAGS]{}{}{}", command.path, operands.empty() ? "" : " ",
                     operands, std::string_view(whole).substr(whole.find('\n')));
}

ExitCode run_found(const KompoxLine& line, Io& io) {
  const Command& command = *line.found->command;
  std::vector<FlagSpec> flags(command.flags.begin(), command.flags.end());
  flags.insert(flags.end(), common_flags().begin(), common_flags().end());
  std::vector<std::string> words = line.rest;
  if (!line.found->operand.empty()) words.insert(words.begin(), std::string(line.found->operand));
  // Scripts of Kompox expect silence where nobody watches.
  const bool has_progress =
      std::ranges::find(command.flags, "progress", &FlagSpec::name) != command.flags.end();
  if (has_progress && !io.err_is_terminal) words.insert(words.begin(), "--progress=none");
  const auto parsed = parse_arguments(flags, command.operands, words);
  if (!parsed) return operate_failed(parsed.error().message(), {}, io);
  return command.run(*parsed, io);
}

}  // namespace

std::span<const KompoxCommand> kompox_commands() { return kKompoxCommands; }

ExitCode run_kompoxops(std::span<const std::string> args, Io& io) {
  KompoxLine line = read_kompox_line(args);
  if (line.path == "help") {  // `help cluster status` is `cluster status --help`
    std::vector<std::string> rest(args.begin(), args.end());
    rest.erase(std::ranges::find(rest, "help"));
    line = read_kompox_line(rest);
    line.help = true;
  }
  const bool known = line.path.empty() || is_path_or_front(line.path);
  if (!known) {
    return operate_failed(fmt::format("unknown command {} for \"kompoxops\"", quote(line.path)), {},
                          io);
  }
  if (line.found != nullptr && !line.help) return run_found(line, io);
  if (line.found != nullptr) {
    io.out.write(kompox_command_help(*line.found, io.color_out));
    return ExitCode::kFine;
  }
  if (line.path.empty() || line.help) {
    io.out.write(kompox_family_help(line.path));
    return ExitCode::kFine;
  }
  return operate_failed("invalid command", {}, io);
}

}  // namespace strake::cli
