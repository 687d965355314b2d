#include "cli/overview.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "cli/command/help.h"
#include "cli/commands.h"
#include "cli/io/terminal.h"

namespace strake::cli {
namespace {

constexpr Group kGroups[] = {Group::kCheck, Group::kAuthor,  Group::kBuild,
                             Group::kServe, Group::kOperate, Group::kGeneral};

// Commands that share their first word and stand in one line, since the list must fit a screen.
// `strake WORD` lists them.
struct Family {
  std::string_view word;
  std::string_view summary;
  std::optional<Group> group = {};  // where they stand in one line; everywhere without
};
constexpr Family kFamilies[] = {
    {"auth", "say who can do what in a cluster, and why"},
    {"crd", "check CRDs for mistakes, or show what changed between two", Group::kCheck},
    {"user", "let colleagues and CI jobs in, and out again"},
    {"openapi", "fetch or describe OpenAPI schemas"},
    {"schema", "explain the fields of a kind, or export its schema"},
    {"testserver", "run an API server for the time of a test suite"},
};

// The first words of the commands of a group that is one line, since its commands are many.
std::vector<std::string_view> words_of(Group group) {
  std::vector<std::string_view> out;
  for (const Command* command : commands()) {
    const std::string_view word = command->name.substr(0, command->name.find(' '));
    if (command->group == group && !command->hidden && std::ranges::find(out, word) == out.end())
      out.push_back(word);
  }
  return out;
}

const Family* family_of(const Command& command) {
  const std::string_view word = command.name.substr(0, command.name.find(' '));
  for (const Family& one : kFamilies) {
    if (one.word == word && one.group.value_or(command.group) == command.group) return &one;
  }
  return nullptr;
}

}  // namespace

std::string help_family(std::string_view word) {
  const std::string front = fmt::format("{} ", word);
  std::size_t width = 0;
  for (const Command* command : commands()) {
    if (command->name.starts_with(front)) width = std::max(width, command->name.size());
  }
  if (width == 0) return {};
  std::string out = fmt::format("usage: strake {} COMMAND [FLAGS] [ARGUMENTS]\n\n", word);
  for (const Command* command : commands()) {
    if (command->name.starts_with(front) && !command->hidden)
      out += fmt::format("  {:<{}}  {}\n", command->name, width, command->summary);
  }
  return out + fmt::format("\n`strake help {} COMMAND` explains a command\n", word);
}

std::string help_overview(bool color) {
  std::string out =
      "Strake: the Kubernetes API machinery for custom resources in one program.\n"
      "usage: strake [FLAGS] COMMAND [FLAGS] [ARGUMENTS]\n";
  std::size_t width = 0;
  for (const Command* command : commands()) {
    if (command->hidden || command->group == Group::kOperate) continue;
    const Family* family = family_of(*command);
    width = std::max(width, family != nullptr ? family->word.size() : command->name.size());
  }
  out += '\n';
  // Headings alone divide the groups: the list must fit a screen.
  for (const Group group : kGroups) {
    if (group == Group::kOperate) {
      out += fmt::format(
          "{}\n  {}\n  {:<{}}  clusters and the apps in them; `strake app` lists more\n",
          paint(color, Tone::kBold, to_string(group)), fmt::join(words_of(group), " "), "", width);
      continue;
    }
    bool first = true;
    const Family* last = nullptr;
    for (const Command* command : commands()) {
      if (command->hidden || command->group != group) continue;
      const Family* family = family_of(*command);
      if (family != nullptr && std::exchange(last, family) == family) continue;
      if (std::exchange(first, false))
        out += fmt::format("{}\n", paint(color, Tone::kBold, to_string(group)));
      out += fmt::format("  {:<{}}  {}\n", family != nullptr ? family->word : command->name, width,
                         family != nullptr ? family->summary : command->summary);
    }
  }
  out += fmt::format("\n{}\n{}", paint(color, Tone::kBold, "flags"), flag_rows(root_flags()));
  out += "`strake help COMMAND` explains a command. Exit codes:";
  for (const ExitCodeRow& row : exit_code_table()) {
    if (row.code == ExitCode::kInput) out += "\n ";
    out += fmt::format(" {} {}{}", static_cast<int>(row.code), row.name,
                       row.code == exit_code_table().back().code ? "\n" : ",");
  }
  return out;
}

}  // namespace strake::cli
