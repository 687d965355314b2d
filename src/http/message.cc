#include "http/message.h"

#include <algorithm>

#include "base/hex.h"
#include "base/trim.h"

namespace strake::http {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; }

bool is_unreserved(char c) {
  return (c >= '0' && c <= '9') || (lower(c) >= 'a' && lower(c) <= 'z') || c == '-' || c == '.' ||
         c == '_' || c == '~';
}

}  // namespace

bool equals_ignoring_case(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (lower(a[i]) != lower(b[i])) return false;
  }
  return true;
}

bool has_token(std::string_view list, std::string_view token) {
  while (!list.empty()) {
    const std::size_t comma = std::min(list.find(','), list.size());
    if (equals_ignoring_case(trim(list.substr(0, comma), kBlanks), token)) return true;
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return false;
}

void Headers::set(std::string_view name, std::string_view value) {
  // The value may lie in one that is about to go.
  std::string copy(value);
  remove(name);
  all_.push_back({std::string(name), std::move(copy)});
}

void Headers::remove(std::string_view name) {
  std::erase_if(all_,
                [name](const Header& header) { return equals_ignoring_case(header.name, name); });
}

std::string_view Headers::get(std::string_view name) const {
  for (const Header& header : all_) {
    if (equals_ignoring_case(header.name, name)) return header.value;
  }
  return {};
}

bool Headers::has(std::string_view name) const {
  return std::ranges::any_of(
      all_, [name](const Header& header) { return equals_ignoring_case(header.name, name); });
}

std::vector<std::string_view> Headers::get_all(std::string_view name) const {
  std::vector<std::string_view> values;
  for (const Header& header : all_) {
    if (equals_ignoring_case(header.name, name)) values.push_back(header.value);
  }
  return values;
}

Result<std::string> percent_decode(std::string_view text, bool plus_is_space) {
  // Nearly every name on its way through has nothing to decode.
  if (!text.contains('%') && !(plus_is_space && text.contains('+'))) return std::string(text);
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '+' && plus_is_space) {
      out += ' ';
    } else if (c != '%') {
      out += c;
    } else {
      const int high = i + 1 < text.size() ? hex_digit(text[i + 1]) : -1;
      const int low = i + 2 < text.size() ? hex_digit(text[i + 2]) : -1;
      if (high < 0 || low < 0) {
        return fail(Code::kBadRequest, "invalid URL escape \"{}\"", text.substr(i, 3));
      }
      out += static_cast<char>(high * 16 + low);
      i += 2;
    }
  }
  return out;
}

std::string percent_encode(std::string_view text) {
  static constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    if (is_unreserved(c)) {
      out += c;
    } else {
      const auto byte = static_cast<unsigned char>(c);
      out += '%';
      out += kDigits[byte >> 4];
      out += kDigits[byte & 15];
    }
  }
  return out;
}

Result<Query> Query::parse(std::string_view text) {
  Query query;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('&'), text.size());
    const std::string_view pair = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (pair.empty()) continue;
    const std::size_t equals = std::min(pair.find('='), pair.size());
    STRAKE_TRY(std::string name, percent_decode(pair.substr(0, equals), true));
    STRAKE_TRY(std::string value,
               percent_decode(pair.substr(std::min(equals + 1, pair.size())), true));
    query.all_.push_back({std::move(name), std::move(value)});
  }
  return query;
}

std::optional<std::string_view> Query::get(std::string_view name) const {
  for (const Header& pair : all_) {
    if (pair.name == name) return pair.value;
  }
  return std::nullopt;
}

std::vector<std::string_view> Query::get_all(std::string_view name) const {
  std::vector<std::string_view> values;
  for (const Header& pair : all_) {
    if (pair.name == name) values.push_back(pair.value);
  }
  return values;
}

}  // namespace strake::http
