#pragma once
// A command as data. Help, the man page and the shell completions are all made from these, so they
// cannot disagree.
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "cli/command/args.h"
#include "cli/io/exit_code.h"
#include "cli/io/io.h"

namespace strake::cli {

enum class Group : std::uint8_t { kCheck, kAuthor, kBuild, kServe, kOperate, kGeneral };

std::string_view to_string(Group group);  // "check", "author", ...

struct Example {
  std::string_view command_line;
  std::string_view meaning;
};

// Flags that help shows under a heading of their own, behind the others: the rarer ones.
struct FlagSection {
  std::string_view title;                   // "limits"
  std::span<const std::string_view> flags;  // names, in the order in which they are shown
};

struct Command {
  std::string_view name;  // one word, or two: "crd lint"
  Group group = Group::kGeneral;
  std::string_view summary;      // what it does, for the list of commands; no full stop
  std::string_view description;  // paragraphs divided by an empty line
  std::span<const FlagSpec> flags;
  std::span<const FlagSection> sections;  // flags that are in none are shown first
  OperandSpec operands;
  std::span<const Example> examples;
  bool hidden = false;  // works, but is not listed
  ExitCode (*run)(const Arguments& args, Io& io) = nullptr;
  // Instead of `run`, for a command whose words are read by another tool's rules.
  ExitCode (*run_words)(std::span<const std::string> args, Io& io) = nullptr;
};

// What every command takes besides its own flags.
std::span<const FlagSpec> common_flags();
// What may stand before the command.
std::span<const FlagSpec> root_flags();

}  // namespace strake::cli
