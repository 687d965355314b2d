#include "http/h1_text.h"

#include <algorithm>
#include <charconv>
#include <limits>

#include "base/trim.h"
#include "http/body.h"

namespace strake::http {
HeaderLine read_header_line(std::string_view line) {
  if (line.front() == ' ' || line.front() == '\t') {
    return {.fault = "header lines must not be folded"};
  }
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos || colon == 0) return {.fault = "malformed header line"};
  const std::string_view name = line.substr(0, colon);
  const std::string_view value = trim(line.substr(colon + 1), kBlanks);
  if (!all_are(name, kToken)) return {.fault = "invalid header name"};
  if (!all_are(value, kValue)) return {.fault = "invalid header value"};
  return {.name = name, .value = value};
}

bool read_content_length(std::string_view value, std::uint64_t& length) {
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), length);
  return !value.empty() && error == std::errc() && end == value.data() + value.size() &&
         length <= std::numeric_limits<std::int64_t>::max();
}

bool is_trailer_name(std::string_view name) {
  static constexpr std::string_view kForbidden[] = {
      "host", "authorization", "cookie", "set-cookie", "expect", "te", "trailer"};
  return !name.empty() && !is_hop_header(name) &&
         std::ranges::none_of(kForbidden, [name](std::string_view forbidden) {
           return equals_ignoring_case(name, forbidden);
         });
}

std::string protocols_to_change_to(std::string_view upgrade) {
  std::string out;
  while (!upgrade.empty()) {
    const std::size_t comma = std::min(upgrade.find(','), upgrade.size());
    const std::string_view one = trim(upgrade.substr(0, comma), kBlanks);
    upgrade.remove_prefix(std::min(comma + 1, upgrade.size()));
    const std::string_view name = one.substr(0, one.find('/'));
    // h2c may come with a version too.
    if (one.empty() || equals_ignoring_case(name, "http") || equals_ignoring_case(name, "h2c") ||
        equals_ignoring_case(name, "h2")) {
      continue;
    }
    if (!out.empty()) out += ", ";
    out += one;
  }
  return out;
}

}  // namespace strake::http
