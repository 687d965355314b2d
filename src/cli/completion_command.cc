#include "cli/completion_command.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <vector>

#include "cli/commands.h"

namespace strake::cli {
namespace {

std::vector<const Command*> visible_commands() {
  std::vector<const Command*> out;
  for (const Command* command : commands()) {
    if (!command->hidden) out.push_back(command);
  }
  return out;
}

std::vector<FlagSpec> all_flags(const Command& command) {
  std::vector<FlagSpec> flags(command.flags.begin(), command.flags.end());
  flags.insert(flags.end(), common_flags().begin(), common_flags().end());
  return flags;
}

std::vector<std::string> spellings(const FlagSpec& flag) {
  std::vector<std::string> out = {fmt::format("--{}", flag.name)};
  if (flag.letter != '\0') out.push_back(fmt::format("-{}", flag.letter));
  return out;
}

std::string flag_words(std::span<const FlagSpec> flags) {
  std::vector<std::string> words;
  for (const FlagSpec& flag : flags) {
    for (std::string& word : spellings(flag)) words.push_back(std::move(word));
  }
  return fmt::format("{}", fmt::join(words, " "));
}

// The command words as the first word, and per first word its second words.
std::vector<std::string> words_after(std::string_view prefix) {
  std::vector<std::string> out;
  for (const Command* command : visible_commands()) {
    if (!command->name.starts_with(prefix)) continue;
    const std::string_view rest = command->name.substr(prefix.size());
    const std::string word(rest.substr(0, rest.find(' ')));
    if (std::ranges::find(out, word) == out.end()) out.push_back(word);
  }
  return out;
}

// Operands a command knows by name: its choices, or for help the names of the commands.
std::vector<std::string> operand_words(const Command& command) {
  if (command.name == "help") return words_after("");
  return {command.operands.choices.begin(), command.operands.choices.end()};
}

// --- bash
// ---------------------------------------------------------------------------------------------------------
// Uses nothing but bash itself, so that it works where the bash-completion package is not
// installed.

std::string bash_flag_values(std::string_view scope, std::span<const FlagSpec> flags) {
  std::string out;
  for (const FlagSpec& flag : flags) {
    if (flag.kind == FlagKind::kSwitch) continue;
    for (const std::string& word : spellings(flag)) {
      out += fmt::format("    \"{} {}\") values=\"{}\" ;;\n", scope, word,
                         fmt::join(flag.choices, " "));
    }
  }
  return out;
}

std::string bash_script() {
  std::string values = bash_flag_values("", root_flags());
  std::string operands;
  for (const Command* command : visible_commands()) {
    const auto flags = all_flags(*command);
    values += bash_flag_values(command->name, flags);
    operands += fmt::format("    \"{}\") flags=\"{}\"; words=\"{}\"; files={} ;;\n", command->name,
                            flag_words(flags), fmt::join(operand_words(*command), " "),
                            command->operands.files ? 1 : 0);
    if (const std::size_t space = command->name.find(' '); space != std::string_view::npos) {
      const std::string_view first = command->name.substr(0, space);
      if (operands.find(fmt::format("    \"{}\")", first)) == std::string::npos) {
        operands += fmt::format("    \"{}\") words=\"{}\" ;;\n", first,
                                fmt::join(words_after(std::string(first) + " "), " "));
      }
    }
  }
  std::vector<std::string> names;
  for (const Command* command : visible_commands())
    names.push_back(fmt::format("\"{}\"", command->name));
  std::vector<std::string> firsts;
  for (const std::string& word : words_after("")) firsts.push_back(fmt::format("\"{}\"", word));

  std::string out = "# bash completion for strake\n_strake() {\n";
  out += R"(  local cur="${COMP_WORDS[COMP_CWORD]}" prev="" command="" word i
  local flags="" words="" files=0 values="" takes_value=1
  [ "$COMP_CWORD" -gt 0 ] && prev="${COMP_WORDS[COMP_CWORD-1]}"
  # bash breaks --flag=value at the equals sign
  if [ "$cur" = "=" ]; then
    cur=""
  elif [ "$prev" = "=" ] && [ "$COMP_CWORD" -gt 1 ]; then
    prev="${COMP_WORDS[COMP_CWORD-2]}"
  fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="${COMP_WORDS[i]}"
    case "$word" in -*|=) continue ;; esac
    case "${command:+$command }$word" in
)";
  std::vector<std::string> known = names;
  for (const std::string& first : firsts) {
    if (std::ranges::find(known, first) == known.end()) known.push_back(first);
  }
  out +=
      fmt::format("      {}) command=\"${{command:+$command }}$word\" ;;\n", fmt::join(known, "|"));
  out += R"(    esac
  done
  case "$command $prev" in
)";
  // Root flags stand under the empty command, so their scope is only the blank between.
  out += values;
  out += R"(    *) takes_value=0 ;;
  esac
  if [ "$takes_value" = 1 ]; then
    COMPREPLY=($(compgen -W "$values" -- "$cur"))
    return
  fi
  case "$command" in
)";
  out += operands;
  out += fmt::format("    \"\") flags=\"{}\"; words=\"{}\" ;;\n", flag_words(root_flags()),
                     fmt::join(words_after(""), " "));
  out += R"(  esac
  if [[ "$cur" == -* ]]; then
    COMPREPLY=($(compgen -W "$flags" -- "$cur"))
  elif [ "$files" = 1 ]; then
    compopt -o filenames 2>/dev/null
    local IFS=$'\n'
    COMPREPLY=($(compgen -f -- "$cur"))
  else
    COMPREPLY=($(compgen -W "$words" -- "$cur"))
  fi
}
complete -F _strake strake
)";
  return out;
}

// --- zsh
// ----------------------------------------------------------------------------------------------------------

// Inside single quotes and inside the brackets of an _arguments specification.
std::string zsh_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\'') {
      out += "'\\''";
    } else {
      if (c == '[' || c == ']' || c == ':' || c == '\\') out += '\\';
      out += c;
    }
  }
  return out;
}

std::string zsh_flags(std::span<const FlagSpec> flags) {
  std::string out;
  for (const FlagSpec& flag : flags) {
    const bool takes_value = flag.kind != FlagKind::kSwitch;
    std::string value;
    if (takes_value) {
      value = fmt::format(":{}:({})", zsh_text(flag.value_name), fmt::join(flag.choices, " "));
      if (flag.choices.empty()) value = fmt::format(":{}: ", zsh_text(flag.value_name));
    }
    const auto names = spellings(flag);
    for (const std::string& name : names) {
      const std::string_view joint = !takes_value ? "" : name.starts_with("--") ? "=" : "+";
      out += fmt::format(" \\\n      '({}){}{}[{}]{}'", fmt::join(names, " "), name, joint,
                         zsh_text(flag.summary), value);
    }
  }
  return out;
}

std::string zsh_arguments(const Command& command, std::string_view indent) {
  std::string out = fmt::format("{}_arguments{}", indent, zsh_flags(all_flags(command)));
  if (const auto words = operand_words(command); !words.empty()) {
    out += fmt::format(" \\\n      '*: :({})'", fmt::join(words, " "));
  } else if (command.operands.files) {
    out += " \\\n      '*:file:_files'";
  }
  return out + "\n";
}

// A first word with its second words, each with arguments of its own.
std::string zsh_second_words(const std::string& first) {
  const std::vector<std::string> seconds = words_after(first + " ");
  std::string out = fmt::format(
      "      if (( CURRENT == 2 )); then\n        _arguments '1: :({})'\n        return\n      fi\n"
      "      shift words\n      (( CURRENT-- ))\n      case \"$words[1]\" in\n",
      fmt::join(seconds, " "));
  for (const std::string& second : seconds) {
    const std::string name = fmt::format("{} {}", first, second);
    const Command* command = find_command(name);
    if (command == nullptr) continue;
    out += fmt::format("      {})  # {}\n{}        ;;\n", second, name,
                       zsh_arguments(*command, "        "));
  }
  return out + "      esac\n";
}

// A command that is the first word of others as well.
std::string zsh_first_and_second_words(const Command& first) {
  const std::vector<std::string> seconds = words_after(std::string(first.name) + " ");
  std::string out =
      "      local second=\n      (( CURRENT > 2 )) && second=\"$words[2]\"\n"
      "      case \"$second\" in\n";
  for (const std::string& second : seconds) {
    const std::string name = fmt::format("{} {}", first.name, second);
    out +=
        fmt::format("      {})  # {}\n        shift words\n        (( CURRENT-- ))\n{}        ;;\n",
                    second, name, zsh_arguments(*find_command(name), "        "));
  }
  return out + fmt::format(
                   "      *)\n        _arguments{} \\\n      '1: :({})'\n        ;;\n      esac\n",
                   zsh_flags(all_flags(first)), fmt::join(seconds, " "));
}

std::string zsh_arguments_after(const std::string& word) {
  const Command* command = find_command(word);
  if (command == nullptr) return zsh_second_words(word);
  const auto seconds = words_after(word + " ");
  const bool has_commands = std::ranges::any_of(seconds, [&](const std::string& second) {
    return find_command(fmt::format("{} {}", word, second)) != nullptr;
  });
  return has_commands ? zsh_first_and_second_words(*command) : zsh_arguments(*command, "      ");
}

std::string zsh_script() {
  std::string out =
      "#compdef strake\n# zsh completion for strake\n_strake() {\n  local "
      "curcontext=\"$curcontext\" state line\n"
      "  typeset -A opt_args\n  _arguments -C";
  out += zsh_flags(root_flags());
  out +=
      " \\\n      '1: :->command' \\\n      '*:: :->arguments'\n  case \"$state\" in\n  command)\n "
      "   local -a commands\n"
      "    commands=(\n";
  for (const std::string& word : words_after("")) {
    const Command* command = find_command(word);
    out +=
        fmt::format("      '{}:{}'\n", word, command == nullptr ? "" : zsh_text(command->summary));
  }
  out += "    )\n    _describe command commands\n    ;;\n  arguments)\n    case \"$line[1]\" in\n";
  for (const std::string& word : words_after("")) {
    out += fmt::format("    {})\n{}      ;;\n", word, zsh_arguments_after(word));
  }
  out +=
      "    esac\n    ;;\n  esac\n}\nif [ \"$funcstack[1]\" = \"_strake\" ]; then\n  _strake "
      "\"$@\"\nelse\n"
      "  compdef _strake strake\nfi\n";
  return out;
}

// --- fish
// ---------------------------------------------------------------------------------------------------------

std::string fish_text(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

void add_fish_flags(std::string_view condition, std::span<const FlagSpec> flags, std::string& out) {
  for (const FlagSpec& flag : flags) {
    out += fmt::format("complete -c strake -n '{}' -l {}", condition, flag.name);
    if (flag.letter != '\0') out += fmt::format(" -s {}", flag.letter);
    if (flag.kind != FlagKind::kSwitch)
      out += fmt::format(" -x -a '{}'", fmt::join(flag.choices, " "));
    out += fmt::format(" -d '{}'\n", fish_text(flag.summary));
  }
}

std::string fish_script() {
  std::string out = "# fish completion for strake\ncomplete -c strake -f\n";
  add_fish_flags("__fish_use_subcommand", root_flags(), out);
  for (const std::string& word : words_after("")) {
    const Command* command = find_command(word);
    out += fmt::format("complete -c strake -n '__fish_use_subcommand' -a {} -d '{}'\n", word,
                       command == nullptr ? "" : fish_text(command->summary));
  }
  for (const Command* command : visible_commands()) {
    std::string condition;
    std::string_view rest = command->name;
    while (!rest.empty()) {
      const std::size_t space = rest.find(' ');
      const std::string_view word = rest.substr(0, space);
      condition +=
          fmt::format("{}__fish_seen_subcommand_from {}", condition.empty() ? "" : "; and ", word);
      if (space == std::string_view::npos) break;
      out += fmt::format("complete -c strake -n '{}' -a {} -d '{}'\n", condition,
                         rest.substr(space + 1), fish_text(command->summary));
      rest.remove_prefix(space + 1);
    }
    add_fish_flags(condition, all_flags(*command), out);
    if (command->operands.files) out += fmt::format("complete -c strake -n '{}' -F\n", condition);
    if (const auto words = operand_words(*command); !words.empty()) {
      out += fmt::format("complete -c strake -n '{}' -a '{}'\n", condition, fmt::join(words, " "));
    }
  }
  return out;
}

constexpr std::string_view kShells[] = {"bash", "zsh", "fish"};

ExitCode run_completion(const Arguments& args, Io& io) {
  const std::string& shell = args.operands().front();
  io.out.write(shell == "bash" ? bash_script() : shell == "zsh" ? zsh_script() : fish_script());
  return ExitCode::kFine;
}

constexpr Example kCompletionExamples[] = {
    {"source <(strake completion bash)", "complete in this bash"},
    {"strake completion fish > ~/.config/fish/completions/strake.fish",
     "enable completion in fish"},
};

}  // namespace

constinit const Command kCompletionCommand = {
    .name = "completion",
    .group = Group::kGeneral,
    .summary = "print a completion script for bash, zsh or fish",
    .description =
        "Prints a script that completes commands, flags and their values in the shell. "
        "`make install` installs all three scripts.",
    .operands = {.usage = "bash|zsh|fish", .at_least = 1, .at_most = 1, .choices = kShells},
    .examples = kCompletionExamples,
    .run = run_completion,
};

}  // namespace strake::cli
