#include "cli/io/terminal.h"

#include <array>

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

// Controls of both sets, and what changes the direction or the lines of text.
bool steers(char32_t c) {
  return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x061c || c == 0x200e || c == 0x200f ||
         (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

// "::error file=a::text". Addresses such as ::1 are none.
bool is_command_start(std::string_view text) {
  if (!text.starts_with("::") || text.size() < 3) return false;
  const char c = text[2];
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// "##[error]text" and "##vso[task.setvariable]text" count wherever they stand in a line.
bool is_old_command_start(std::string_view text) {
  return text.starts_with("##[") || text.starts_with("##vso[");
}

// Bytes that are shown as they are, whatever is around them.
constexpr std::array<bool, 256> kPlain = [] {
  std::array<bool, 256> out{};
  for (std::size_t c = ' '; c < 0x7f; ++c) out[c] = c != ':' && c != '#';
  out['\t'] = true;
  return out;
}();

std::size_t plain_bytes(std::string_view text) {
  std::size_t count = 0;
  while (count < text.size() && kPlain[static_cast<unsigned char>(text[count])]) ++count;
  return count;
}

}  // namespace

std::string paint(bool color, Tone tone, std::string_view text) {
  if (!color || text.empty()) return std::string(text);
  return fmt::format("{}{}\x1b[0m", sequence(tone), text);
}

bool color_wanted(ColorChoice choice, bool is_terminal, const Io& io) {
  if (choice != ColorChoice::kAuto) return choice == ColorChoice::kAlways;
  if (!is_terminal || io.env("TERM").value_or("dumb") == "dumb") return false;
  return io.env("NO_COLOR").value_or("").empty();
}

std::string printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  bool at_start = true;  // but for blanks, which the runner of GitHub Actions passes over
  while (!text.empty()) {
    // Nearly all text is plain, and a report has megabytes of it.
    if (const std::size_t count = plain_bytes(text); count > 0) {
      const std::string_view plain = text.substr(0, count);
      out += plain;
      at_start = at_start && plain.find_first_not_of(" \t") == std::string_view::npos;
      text.remove_prefix(count);
      continue;
    }
    const utf8::Decoded next = utf8::decode(text);
    const char32_t c = next.code_point;
    const bool command = (at_start && is_command_start(text)) || is_old_command_start(text);
    utf8::append(out, command || steers(c) ? utf8::kReplacement : c);
    at_start = false;
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

std::string printable_json(std::string_view json) {
  std::string out;
  out.reserve(json.size());
  while (!json.empty()) {
    const utf8::Decoded next = utf8::decode(json);
    const char32_t c = next.code_point;
    // Below the space JSON itself allows only what lays it out.
    if (c >= 0x7f && steers(c)) {
      out += fmt::format("\\u{:04x}", static_cast<std::uint32_t>(c));
    } else {
      out += json.substr(0, next.width);
    }
    json.remove_prefix(next.width);
  }
  return out;
}

void print_error(std::string_view message, Io& io) {
  io.err.write(
      fmt::format("{} {}\n", paint(io.color_err, Tone::kBad, "error:"), printable(message)));
}

}  // namespace strake::cli
