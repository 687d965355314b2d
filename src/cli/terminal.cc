#include "cli/terminal.h"

#include "cli/utf8.h"

namespace strake::cli {
namespace {

std::string_view sequence(Tone tone) {
  switch (tone) {
    case Tone::kBold: return "\x1b[1m";
    case Tone::kDim: return "\x1b[2m";
    case Tone::kGood: return "\x1b[32m";
    case Tone::kBad: return "\x1b[1;31m";
    case Tone::kWarning: return "\x1b[33m";
    case Tone::kAdded: return "\x1b[32m";
    case Tone::kRemoved: return "\x1b[31m";
  }
  return "";
}

}  // namespace

std::string paint(bool colour, Tone tone, std::string_view text) {
  if (!colour || text.empty()) return std::string(text);
  return fmt::format("{}{}\x1b[0m", sequence(tone), text);
}

bool colour_wanted(ColourChoice choice, bool is_terminal, const Io& io) {
  if (choice != ColourChoice::kAuto) return choice == ColourChoice::kAlways;
  if (!is_terminal || io.env("TERM").value_or("dumb") == "dumb") return false;
  return io.env("NO_COLOR").value_or("").empty();
}

std::string printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const CodePoint next = take_code_point(text);
    const bool control = next.value != '\t' && (next.value < 0x20 || (next.value >= 0x7f && next.value < 0xa0));
    if (!next.valid || control) {
      out += "\xef\xbf\xbd";
    } else {
      out += next.bytes;
    }
  }
  return out;
}

}  // namespace strake::cli
