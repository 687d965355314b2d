#include "cli/terminal.h"

#include "base/utf8.h"

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
    const utf8::Decoded next = utf8::decode(text);
    const char32_t c = next.code_point;
    const bool control = c != '\t' && (c < 0x20 || (c >= 0x7f && c < 0xa0));
    utf8::append(out, control ? utf8::kReplacement : c);
    text.remove_prefix(next.width);
  }
  return out;
}

std::string printable_lines(std::string_view text) {
  std::string out;
  while (true) {
    const std::size_t end = text.find('\n');
    out += printable(text.substr(0, end));
    if (end == std::string_view::npos) return out;
    out += '\n';
    text.remove_prefix(end + 1);
  }
}

}  // namespace strake::cli
