#include "cli/app.h"

#include <algorithm>
#include <vector>

#include "cli/command/help.h"
#include "cli/command/shared_flags.h"
#include "cli/commands.h"
#include "cli/io/terminal.h"
#include "cli/overview.h"
#include "cli/version_command.h"

namespace strake::cli {
namespace {

constexpr std::uint64_t kMostMemory = std::uint64_t{4} << 30;

ColorChoice color_choice(const Arguments& args) {
  const std::string_view text = args.text("color");
  if (text == "always") return ColorChoice::kAlways;
  return text == "never" ? ColorChoice::kNever : ColorChoice::kAuto;
}

void settle_color(const Arguments& args, Io& io) {
  io.color_out = color_wanted(color_choice(args), io.out_is_terminal, io);
  io.color_err = color_wanted(color_choice(args), io.err_is_terminal, io);
}

// How many of the arguments come before the command: flags, and the values of flags that take one.
std::size_t count_root_arguments(std::span<const std::string> args) {
  std::size_t i = 0;
  while (i < args.size() && args[i].starts_with('-')) {
    const bool value_follows = std::ranges::any_of(root_flags(), [&](const FlagSpec& flag) {
      return flag.kind != FlagKind::kSwitch && args[i] == fmt::format("--{}", flag.name);
    });
    i += value_follows ? 2 : 1;
  }
  return std::min(i, args.size());
}

struct Found {
  const Command* command;
  std::size_t words;
};

Found find_command_in(std::span<const std::string> args) {
  if (args.size() >= 2) {
    if (const Command* command = find_command(fmt::format("{} {}", args[0], args[1])))
      return {command, 2};
  }
  return {find_command(args[0]), 1};
}

ExitCode usage_error(std::string_view message, std::string_view help, Io& io) {
  print_error(message, io);
  io.err.write(fmt::format("`{}` shows what there is\n", help));
  return ExitCode::kInput;
}

ExitCode unknown_command(std::span<const std::string> args, Io& io) {
  std::vector<std::string_view> second_words;
  std::vector<std::string_view> names;
  for (const Command* command : commands()) {
    if (command->name.starts_with(args[0] + " "))
      second_words.push_back(command->name.substr(args[0].size() + 1));
    if (!command->hidden) names.push_back(command->name);
  }
  if (second_words.empty()) {
    return usage_error(fmt::format("unknown command \"{}\"{}", args[0], suggestion(args[0], names)),
                       "strake --help", io);
  }
  if (args.size() >= 2 && (args[1] == "--help" || args[1] == "-h")) {
    io.out.write(help_family(args[0]));
    return ExitCode::kFine;
  }
  if (args.size() < 2) {
    return usage_error(
        fmt::format("\"{}\" needs one of: {}", args[0], fmt::join(second_words, ", ")),
        "strake --help", io);
  }
  return usage_error(fmt::format("unknown command \"{} {}\"{}", args[0], args[1],
                                 suggestion(args[1], second_words)),
                     "strake --help", io);
}

ExitCode run_command(std::span<const std::string> args, Io& io) {
  const auto [command, words] = find_command_in(args);
  if (command == nullptr) return unknown_command(args, io);
  if (command->run_words != nullptr) io.limit_memory(kMostMemory);
  if (command->run_words != nullptr) return command->run_words(args.subspan(words), io);

  std::vector<FlagSpec> flags(command->flags.begin(), command->flags.end());
  flags.insert(flags.end(), common_flags().begin(), common_flags().end());
  const auto rest = args.subspan(words);
  // Whoever asks for help gets it, whatever else is wrong with the line.
  const auto flags_end = std::ranges::find(rest, "--");
  if (std::find_if(rest.begin(), flags_end, [](const std::string& arg) {
        return arg == "--help" || arg == "-h";
      }) != flags_end) {
    io.out.write(help_for(*command, io.color_out));
    return ExitCode::kFine;
  }
  const auto parsed = parse_arguments(flags, command->operands, rest);
  if (!parsed) {
    return usage_error(parsed.error().to_string(), fmt::format("strake help {}", command->name),
                       io);
  }
  if (parsed->given("color")) settle_color(*parsed, io);
  // A server works for others for weeks, and limits its requests instead; so does one that a
  // command of operate starts, which would inherit the limit.
  if (command->group != Group::kServe && command->group != Group::kOperate) {
    const bool has_flag =
        std::ranges::find(flags, kMaxMemoryFlag.name, &FlagSpec::name) != flags.end();
    io.limit_memory(has_flag ? parsed->number(kMaxMemoryFlag.name) : kMostMemory);
  }
  return command->run(*parsed, io);
}

ExitCode run_strake(std::span<const std::string> args, Io& io) {
  const std::size_t root_count = count_root_arguments(args);
  const auto root = parse_arguments(root_flags(), {}, args.first(root_count));
  if (!root) return usage_error(root.error().to_string(), "strake --help", io);
  settle_color(*root, io);
  args = args.subspan(root_count);

  if (root->on("help")) {
    io.out.write(help_overview(io.color_out));
    return ExitCode::kFine;
  }
  if (root->on("version")) {
    io.out.write(version_line());
    return ExitCode::kFine;
  }
  if (args.empty()) {
    io.err.write(help_overview(io.color_err));
    return ExitCode::kInput;
  }
  return run_command(args, io);
}

ExitCode run_alias(const Alias& alias, std::span<const std::string> args, Io& io) {
  if (!alias.starts_servers) io.limit_memory(kMostMemory);
  return alias.run(args, io);
}

}  // namespace

ExitCode run(std::string_view program, std::span<const std::string> args, Io& io) {
  const std::string_view name = program.substr(program.rfind('/') + 1);
  const auto alias = std::ranges::find(aliases(), name, &Alias::name);
  ExitCode code = alias == aliases().end() ? run_strake(args, io) : run_alias(*alias, args, io);
  if (const auto flushed = io.out.flush(); !flushed) {
    if (!io.output_failure_told) print_error(flushed.error().message(), io);
    code = ExitCode::kOutputFailed;
  }
  // Nobody is left to tell when the error stream fails, but the caller still sees the code.
  if (!io.err.flush() && code == ExitCode::kFine) code = ExitCode::kOutputFailed;
  return code;
}

}  // namespace strake::cli
