#pragma once
// What makes text fit for a terminal: color where it is wanted, and nothing that could steer the
// terminal.
#include <cstdint>
#include <string>
#include <string_view>

#include "cli/io/io.h"

namespace strake::cli {

enum class Tone : std::uint8_t { kBold, kDim, kGood, kBad, kWarning, kAdded, kRemoved };

// The text in that tone, or as it is when color is off.
std::string paint(bool color, Tone tone, std::string_view text);

enum class ColorChoice : std::uint8_t { kAuto, kAlways, kNever };
// Auto: only on a terminal that can show it, and never when NO_COLOR is set to anything.
bool color_wanted(ColorChoice choice, bool is_terminal, const Io& io);

// Text from files, objects, names and the environment, fit to be shown on one line. What could
// steer a terminal or a CI system becomes U+FFFD: control characters (also line breaks; tabs stay),
// marks that turn the direction of text, bytes that are not UTF-8, and the first sign of what
// GitHub Actions and Azure Pipelines take for a command (`::name` where the text begins, `##[` and
// `##vso[` anywhere).
std::string printable(std::string_view text);
// The same for text of several lines, each of them the begin of a text.
std::string printable_lines(std::string_view text);
// JSON that says the same, with \u for what a terminal would act upon and JSON would let pass.
std::string printable_json(std::string_view json);

// Prints an error as people read it: "error: ..." on the error stream.
void print_error(std::string_view message, Io& io);

}  // namespace strake::cli
