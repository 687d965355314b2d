#pragma once
// The commands of `kustomize` as data, so that each has help in that tool's layout and all words
// are found in one way.
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "cli/command/args.h"
#include "cli/io/io.h"

namespace strake::cli {

struct KustomizeCommand {
  std::string_view name;      // "image", of the family "edit set"
  std::string_view operands;  // "NAME=NEWNAME:TAG..."; empty when there are none
  std::string_view summary;   // no full stop
  std::span<const FlagSpec> flags;
  std::span<const FlagSpec> more_flags;
  // Gets what stands behind its name.
  Result<> (*run)(std::span<const std::string> args, Io& io) = nullptr;
  bool family = false;  // has commands of its own, and tells of them itself
};

// Runs the command that the first word names, or prints its help when that is asked for. Without a
// word, or when the first asks for help, prints the list of commands. `words` are those that led
// here ("edit set"), empty at the top. Code::kUsage for a word that is no command.
Result<> run_kustomize_family(std::string_view words, std::string_view about,
                              std::span<const KustomizeCommand> commands,
                              std::span<const std::string> args, Io& io);

}  // namespace strake::cli
