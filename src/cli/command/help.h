#pragma once
// The text that explains a command, made from its data.
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command/command.h"

namespace strake::cli {

std::string help_for(const Command& command, bool color);

// The flags of a command as help shows them: first those of no section, then the sections.
inline constexpr std::string_view kFirstSection = "flags";
struct ShownFlags {
  std::string_view title;
  std::vector<FlagSpec> flags;
};
std::vector<ShownFlags> shown_flags(const Command& command);

// A line for each, its label before its summary, wrapped to the screen; labels are padded to
// `width` or, without one, to the longest.
std::string flag_rows(std::span<const FlagSpec> flags, std::size_t width = 0);

// "-o, --output FORMAT"
std::string flag_label(const FlagSpec& flag);
// "usage: strake fmt [FLAGS] [FILE|DIR|-]..."
std::string usage_line(const Command& command);

// Breaks at spaces so that no line passes `width` columns; every line starts with `indent` spaces.
// Paragraphs divided by an empty line stay apart. Ends in a newline.
std::string wrap(std::string_view text, std::size_t indent, std::size_t width);

}  // namespace strake::cli
