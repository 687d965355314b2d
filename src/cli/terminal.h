#pragma once
// What makes text fit for a terminal: colour where it is wanted, and nothing that could steer the
// terminal.
#include <cstdint>
#include <string>
#include <string_view>

#include "cli/io.h"

namespace strake::cli {

enum class Tone : std::uint8_t { kBold, kDim, kGood, kBad, kWarning, kAdded, kRemoved };

// The text in that tone, or as it is when colour is off.
std::string paint(bool colour, Tone tone, std::string_view text);

enum class ColourChoice : std::uint8_t { kAuto, kAlways, kNever };
// Auto: only on a terminal that can show it, and never when NO_COLOR is set to anything.
bool colour_wanted(ColourChoice choice, bool is_terminal, const Io& io);

// Control characters and bytes that are not UTF-8 become U+FFFD; tabs stay.
std::string printable(std::string_view text);
// The same for text of several lines.
std::string printable_lines(std::string_view text);

}  // namespace strake::cli
