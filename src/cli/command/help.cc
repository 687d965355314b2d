#include "cli/command/help.h"

#include <algorithm>

#include "cli/io/terminal.h"

namespace strake::cli {
namespace {

constexpr std::size_t kScreenColumns = 80;
// Flags with longer names stand on a line of their own, so that summaries have room.
constexpr std::size_t kWidestLabel = 40;

std::size_t label_width(std::span<const FlagSpec> flags) {
  std::size_t width = 0;
  for (const FlagSpec& flag : flags) {
    const std::size_t own = flag_label(flag).size();
    if (own <= kWidestLabel) width = std::max(width, own);
  }
  return width;
}

}  // namespace

std::string flag_rows(std::span<const FlagSpec> flags, std::size_t width) {
  width = std::max(width, label_width(flags));
  std::string out;
  for (const FlagSpec& flag : flags) {
    std::string summary(flag.summary);
    if (!flag.fallback.empty()) summary += fmt::format(" (default {})", flag.fallback);
    const std::string lines = wrap(summary, width + 4, kScreenColumns);
    const std::string label = flag_label(flag);
    if (label.size() > width) {
      out += fmt::format("  {}\n{}", label, lines);
    } else {
      out += fmt::format("  {:<{}}  {}", label, width, std::string_view(lines).substr(width + 4));
    }
  }
  return out;
}

std::string wrap(std::string_view text, std::size_t indent, std::size_t width) {
  std::string out;
  std::size_t column = 0;  // 0: nothing on this line yet
  while (!text.empty()) {
    const std::size_t end = text.find_first_of(" \n");
    const std::string_view word = text.substr(0, end);
    if (!word.empty()) {
      if (column > 0 && column + 1 + word.size() > width) {
        out += '\n';
        column = 0;
      }
      out += column == 0 ? std::string(indent, ' ') : " ";
      out += word;
      column += word.size() + (column == 0 ? indent : 1);
    }
    if (end == std::string_view::npos) break;
    if (text.substr(end).starts_with("\n\n")) {
      out += "\n\n";
      column = 0;
      text.remove_prefix(end + 2);
    } else {
      text.remove_prefix(end + 1);
    }
  }
  out += '\n';
  return out;
}

std::vector<ShownFlags> shown_flags(const Command& command) {
  const auto in_section = [&](const FlagSpec& flag) {
    return std::ranges::any_of(command.sections, [&](const FlagSection& section) {
      return std::ranges::find(section.flags, flag.name) != section.flags.end();
    });
  };
  std::vector<ShownFlags> out = {{.title = kFirstSection, .flags = {}}};
  for (const FlagSpec& flag : command.flags) {
    if (!in_section(flag)) out[0].flags.push_back(flag);
  }
  for (const FlagSection& section : command.sections) {
    ShownFlags& shown = out.emplace_back(ShownFlags{.title = section.title, .flags = {}});
    for (const std::string_view name : section.flags) {
      const auto found = std::ranges::find(command.flags, name, &FlagSpec::name);
      if (found != command.flags.end()) shown.flags.push_back(*found);
    }
  }
  return out;
}

std::string flag_label(const FlagSpec& flag) {
  std::string label = flag.letter == '\0' ? "    " : fmt::format("-{}, ", flag.letter);
  label += fmt::format("--{}", flag.name);
  if (!flag.value_name.empty()) label += fmt::format(" {}", flag.value_name);
  return label;
}

std::string usage_line(const Command& command) {
  std::string line = fmt::format("usage: strake {} [FLAGS]", command.name);
  if (!command.operands.usage.empty()) line += fmt::format(" {}", command.operands.usage);
  return line;
}

std::string help_for(const Command& command, bool color) {
  std::string out = fmt::format("{}\n\n", usage_line(command));
  out +=
      wrap(command.description.empty() ? command.summary : command.description, 0, kScreenColumns);
  const std::size_t width = std::max(label_width(command.flags), label_width(common_flags()));
  for (const ShownFlags& section : shown_flags(command)) {
    out += fmt::format("\n{}\n{}", paint(color, Tone::kBold, section.title),
                       flag_rows(section.flags, width));
    if (section.title == kFirstSection) out += flag_rows(common_flags(), width);
  }
  if (!command.examples.empty())
    out += fmt::format("\n{}\n", paint(color, Tone::kBold, "examples"));
  for (const Example& example : command.examples) {
    out += fmt::format("  {}\n      {}\n", example.command_line, example.meaning);
  }
  return out;
}

}  // namespace strake::cli
