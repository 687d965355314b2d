#include "kinds/data_keys.h"

#include <fmt/format.h>

#include <algorithm>

namespace strake::kinds {

meta::Messages check_data_key(std::string_view key) {
  constexpr std::size_t kMaxLength = 253;
  meta::Messages out;
  if (key.size() > kMaxLength)
    out.push_back(fmt::format("must be no more than {} characters", kMaxLength));
  const auto is_good = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_' || c == '.';
  };
  if (key.empty() || !std::all_of(key.begin(), key.end(), is_good)) {
    out.emplace_back(
        "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. "
        "'key.name',  or 'KEY_NAME',  or 'key-name', regex used for validation is "
        "'[-._a-zA-Z0-9]+')");
  }
  if (key == ".") {
    out.emplace_back("must not be '.'");
  } else if (key == "..") {
    out.emplace_back("must not be '..'");
  } else if (key.starts_with("..")) {
    out.emplace_back("must not start with '..'");
  }
  return out;
}

std::size_t base64_bytes(std::string_view text) {
  std::size_t bytes = text.size() / 4 * 3;
  if (text.ends_with("==")) return bytes - 2;
  return text.ends_with('=') ? bytes - 1 : bytes;
}

}  // namespace strake::kinds
