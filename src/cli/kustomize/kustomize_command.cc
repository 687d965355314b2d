#include "cli/kustomize/kustomize_command.h"

#include <algorithm>

#include "cli/command/help.h"

namespace strake::cli {
namespace {

constexpr FlagSpec kHelpFlag = {.name = "help", .letter = 'h', .summary = "help for this command"};

bool is_help(std::string_view word) { return word == "--help" || word == "-h"; }

bool asks_for_help(std::span<const std::string> args) {
  const auto end = std::ranges::find(args, "--");
  return std::find_if(args.begin(), end, [](const std::string& word) { return is_help(word); }) !=
         end;
}

// "kustomize edit set image"
std::string spelled(std::string_view words, std::string_view name = {}) {
  std::string out = "kustomize";
  for (const std::string_view part : {words, name}) {
    if (!part.empty()) out.append(1, ' ').append(part);
  }
  return out;
}

std::string help_of_family(std::string_view words, std::string_view about,
                           std::span<const KustomizeCommand> commands) {
  std::string out =
      fmt::format("{}\n\nUsage:\n  {} [command]\n\nAvailable Commands:\n", about, spelled(words));
  std::size_t width = 0;
  for (const KustomizeCommand& one : commands) width = std::max(width, one.name.size());
  for (const KustomizeCommand& one : commands)
    out += fmt::format("  {:<{}}  {}\n", one.name, width, one.summary);
  return out + fmt::format("\nUse \"{} [command] --help\" for more information about a command.\n",
                           spelled(words));
}

std::string help_of_command(std::string_view words, const KustomizeCommand& command) {
  std::string out =
      fmt::format("{}\n\nUsage:\n  {}", command.summary, spelled(words, command.name));
  if (!command.operands.empty()) out += fmt::format(" {}", command.operands);
  out += " [flags]\n\nFlags:\n";
  std::vector<FlagSpec> flags(command.flags.begin(), command.flags.end());
  flags.insert(flags.end(), command.more_flags.begin(), command.more_flags.end());
  flags.push_back(kHelpFlag);
  std::ranges::sort(flags, {}, &FlagSpec::name);
  return out + flag_rows(flags);
}

}  // namespace

Result<> run_kustomize_family(std::string_view words, std::string_view about,
                              std::span<const KustomizeCommand> commands,
                              std::span<const std::string> args, Io& io) {
  if (args.empty() || is_help(args[0]) || (args[0] == "help" && args.size() == 1)) {
    io.out.write(help_of_family(words, about, commands));
    return {};
  }
  // `help build` is `build --help`.
  const bool help_first = args[0] == "help";
  if (help_first) args = args.subspan(1);
  const auto found = std::ranges::find(commands, args[0], &KustomizeCommand::name);
  if (found == commands.end())
    return fail(Code::kUsage, "unknown command \"{}\" for \"{}\"", args[0], spelled(words));
  const auto rest = args.subspan(1);
  if (found->family && help_first) {
    std::vector<std::string> asked = {"help"};
    asked.insert(asked.end(), rest.begin(), rest.end());
    return found->run(asked, io);
  }
  if (!found->family && (help_first || asks_for_help(rest))) {
    io.out.write(help_of_command(words, *found));
    return {};
  }
  return found->run(rest, io);
}

}  // namespace strake::cli
