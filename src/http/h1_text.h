#pragma once
// What the lines of HTTP/1.1 are made of, for requests and responses alike. Internal to http.
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace strake::http {

inline constexpr std::size_t kMaxHeaders = 1000;

inline constexpr std::uint8_t kToken = 1;   // names of methods and headers
inline constexpr std::uint8_t kValue = 2;   // header values
inline constexpr std::uint8_t kTarget = 4;  // request targets

constexpr std::array<std::uint8_t, 256> make_classes() {
  std::array<std::uint8_t, 256> classes{};
  for (unsigned c = 0; c < 256; ++c) {
    if (c == '\t' || (c >= 0x20 && c != 0x7f)) classes[c] |= kValue;
    if (c > 0x20 && c != 0x7f && c != '#') classes[c] |= kTarget;
    if ((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) {
      classes[c] |= kToken;
    }
  }
  for (const char c : std::string_view("!#$%&'*+-.^_`|~")) {
    classes[static_cast<unsigned char>(c)] |= kToken;
  }
  return classes;
}
inline constexpr auto kClasses = make_classes();

inline bool all_are(std::string_view text, std::uint8_t wanted) {
  // One branch at the end: the usual text is all right, and short.
  std::uint8_t seen = wanted;
  for (const char c : text) seen &= kClasses[static_cast<unsigned char>(c)];
  return seen == wanted;
}

struct HeaderLine {
  std::string_view name;
  std::string_view value;  // without the spaces around it
  std::string_view fault;  // static text; empty when it is fine
};
// `line` is not empty, and without its end.
HeaderLine read_header_line(std::string_view line);

// Digits alone: signs, spaces and lists are read differently by others. Leading zeros are harmless.
bool read_content_length(std::string_view value, std::uint64_t& length);

// Whether a header means something behind the body: not those that say where the message ends, whom
// it is for or who asks.
bool is_trailer_name(std::string_view name);

// The protocols of an Upgrade header but for versions of HTTP itself, which nobody here changes to:
// on a connection that is sent on, the other server would speak it with the client alone.
std::string protocols_to_change_to(std::string_view upgrade);

}  // namespace strake::http
