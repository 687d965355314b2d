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

}  // namespace strake::http
