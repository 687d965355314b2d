#include "schema/format/format.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "base/go_duration.h"
#include "base/rfc3339.h"
#include "base/utf8.h"
#include "schema/format/format_net.h"
#include "schema/pattern/pattern.h"

// The formats of k8s.io/kube-openapi/pkg/validation/strfmt, with their quirks: what the server
// accepts counts, not what the name promises. A date-time may have text behind it, a duration may
// be any text with "3 days" in it, and dashes in the name of a format do not matter.

namespace strake::schema {
namespace {

// Sorted by name; dashes removed, as the server compares them.
constexpr std::array<std::pair<std::string_view, Format>, 26> kStringFormats{{
    {"bsonobjectid", Format::kBsonObjectId},
    {"byte", Format::kByte},
    {"cidr", Format::kCidr},
    {"creditcard", Format::kCreditCard},
    {"date", Format::kDate},
    {"datetime", Format::kDateTime},
    {"duration", Format::kDuration},
    {"email", Format::kEmail},
    {"hexcolor", Format::kHexColor},
    {"hostname", Format::kHostname},
    {"ipv4", Format::kIpv4},
    {"ipv6", Format::kIpv6},
    {"isbn", Format::kIsbn},
    {"isbn10", Format::kIsbn10},
    {"isbn13", Format::kIsbn13},
    {"k8slongname", Format::kLongName},
    {"k8sshortname", Format::kShortName},
    {"mac", Format::kMac},
    {"password", Format::kPassword},
    {"rgbcolor", Format::kRgbColor},
    {"ssn", Format::kSsn},
    {"uri", Format::kUri},
    {"uuid", Format::kUuid},
    {"uuid3", Format::kUuid3},
    {"uuid4", Format::kUuid4},
    {"uuid5", Format::kUuid5},
}};
static_assert(std::ranges::is_sorted(kStringFormats, {},
                                     &std::pair<std::string_view, Format>::first));

std::string without_dashes(std::string_view name) {
  std::string out;
  std::ranges::copy_if(name, std::back_inserter(out), [](char c) { return c != '-'; });
  return out;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_hex_digit(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}
char lower_of(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

bool is_regexp_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '\r';
}

bool is_name_segment(std::string_view text) {
  if (text.empty() || text.front() == '-' || text.back() == '-') return false;
  return std::ranges::all_of(
      text, [](char c) { return is_digit(c) || (c >= 'a' && c <= 'z') || c == '-'; });
}

bool is_long_name(std::string_view text) {
  if (text.size() > 253) return false;
  while (true) {
    const std::size_t dot = text.find('.');
    if (!is_name_segment(text.substr(0, dot))) return false;
    if (dot == std::string_view::npos) return true;
    text.remove_prefix(dot + 1);
  }
}

// A version of '\0' stands for any; `variant` asks for one of 8, 9, a, b in its place. Each dash
// may be left out.
bool is_uuid(std::string_view text, char version, bool variant) {
  static constexpr std::array<std::size_t, 5> kGroups{8, 4, 4, 4, 12};
  std::size_t digits = 0;
  for (std::size_t group = 0; group < kGroups.size(); ++group) {
    if (group > 0 && text.starts_with('-')) text.remove_prefix(1);
    if (text.size() < kGroups[group]) return false;
    for (std::size_t i = 0; i < kGroups[group]; ++i, ++digits) {
      const char c = lower_of(text[i]);
      if (!is_hex_digit(c)) return false;
      if (digits == 12 && version != '\0' && c != version) return false;
      if (digits == 16 && variant && c != '8' && c != '9' && c != 'a' && c != 'b') return false;
    }
    text.remove_prefix(kGroups[group]);
  }
  return text.empty();
}

std::string without_spaces_and_dashes(std::string_view text) {
  std::string out;
  std::ranges::copy_if(text, std::back_inserter(out),
                       [](char c) { return c != '-' && !is_regexp_space(c); });
  return out;
}

// Weights 1 to 10, and a sum that 11 divides; X is ten in the last place.
bool is_isbn10(std::string_view text) {
  const std::string isbn = without_spaces_and_dashes(text);
  if (isbn.size() != 10) return false;
  int sum = 0;
  for (std::size_t i = 0; i < 10; ++i) {
    const bool ten = i == 9 && isbn[i] == 'X';
    if (!ten && !is_digit(isbn[i])) return false;
    sum += static_cast<int>(i + 1) * (ten ? 10 : isbn[i] - '0');
  }
  return sum % 11 == 0;
}

bool is_isbn13(std::string_view text) {
  const std::string isbn = without_spaces_and_dashes(text);
  if (isbn.size() != 13 || !std::ranges::all_of(isbn, is_digit)) return false;
  int sum = 0;
  for (std::size_t i = 0; i < 13; ++i) sum += (i % 2 == 0 ? 1 : 3) * (isbn[i] - '0');
  return sum % 10 == 0;
}

// All that is no digit is dropped first. Then the ranges of the issuers, and Luhn's check sum.
bool is_credit_card(std::string_view text) {
  std::string digits;
  std::ranges::copy_if(text, std::back_inserter(digits), is_digit);
  static const Pattern kIssuers(
      "^(?:4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}|(222[1-9]|22[3-9][0-9]|2[3-6][0-9]{2}|27[01][0-"
      "9]|2720)[0-9]{12}|"
      "6(?:011|5[0-9][0-9])[0-9]{12}|3[47][0-9]{13}|3(?:0[0-5]|[68][0-9])[0-9]{11}|(?:2131|1800|"
      "35\\d{3})\\d{11}|"
      "6[27][0-9]{14})$");
  if (!kIssuers.search(digits)) return false;
  int sum = 0;
  bool twice = false;
  for (std::size_t i = digits.size(); i-- > 0; twice = !twice) {
    const int digit = (digits[i] - '0') * (twice ? 2 : 1);
    sum += digit > 9 ? digit - 9 : digit;
  }
  return sum % 10 == 0;
}

bool is_ssn(std::string_view text) {
  static const Pattern kShape("^\\d{3}[- ]?\\d{2}[- ]?\\d{4}$");
  return text.size() == 11 && kShape.search(text);
}

bool is_hex_color(std::string_view text) {
  if (text.starts_with('#')) text.remove_prefix(1);
  return (text.size() == 3 || text.size() == 6) && std::ranges::all_of(text, is_hex_digit);
}

bool is_rgb_color(std::string_view text) {
  static const Pattern kShape(
      "^rgb\\(\\s*(0|[1-9]\\d?|1\\d\\d?|2[0-4]\\d|25[0-5])\\s*,\\s*(0|[1-9]\\d?|1\\d\\d?|2[0-4]\\d|"
      "25[0-5])\\s*,\\s*"
      "(0|[1-9]\\d?|1\\d\\d?|2[0-4]\\d|25[0-5])\\s*\\)$");
  return kShape.search(text);
}

bool is_base64(std::string_view text) {
  if (text.empty() || text.size() % 4 != 0) return false;
  if (text.ends_with('=')) text.remove_suffix(text.ends_with("==") ? 2 : 1);
  return std::ranges::all_of(
      text, [](char c) { return is_letter(c) || is_digit(c) || c == '+' || c == '/'; });
}

bool is_date(std::string_view text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return false;
  const auto number = [&](std::size_t from, std::size_t count) {
    unsigned value = 0;
    for (const char c : text.substr(from, count))
      value = is_digit(c) ? value * 10 + static_cast<unsigned>(c - '0') : 100'000;
    return value;
  };
  const unsigned year = number(0, 4);
  const unsigned month = number(5, 2);
  const unsigned day = number(8, 2);
  return year <= 9999 && month >= 1 && month <= 12 && day >= 1 && day <= days_in_month(year, month);
}

// Only what stands between the first T and the next one is looked at, whatever follows.
bool is_date_time(std::string_view text) {
  const std::size_t t = text.find_first_of("tT");
  if (t == std::string_view::npos || !is_date(text.substr(0, t))) return false;
  std::string_view time = text.substr(t + 1);
  time = time.substr(0, time.find_first_of("tT"));
  const auto two_digits = [&](int most) {
    if (time.size() < 2 || !is_digit(time[0]) || !is_digit(time[1])) return false;
    const bool good = (time[0] - '0') * 10 + (time[1] - '0') <= most;
    time.remove_prefix(2);
    return good;
  };
  const auto colon = [&] {
    if (!time.starts_with(':')) return false;
    time.remove_prefix(1);
    return true;
  };
  if (!two_digits(23) || !colon() || !two_digits(59) || !colon() || !two_digits(59)) return false;
  const auto is_zone = [](std::string_view zone) {
    if (zone == "z" || zone == "Z") return true;
    return zone.size() == 6 && (zone[0] == '+' || zone[0] == '-') && is_digit(zone[1]) &&
           is_digit(zone[2]) && zone[3] == ':' && is_digit(zone[4]) && is_digit(zone[5]);
  };
  if (is_zone(time)) return true;
  // A fraction: any one character, digits, and the zone.
  const utf8::Decoded point = utf8::decode(time);
  if (point.width == 0 || point.code_point == '\n') return false;
  time.remove_prefix(point.width);
  const std::size_t digits = std::min(time.find_first_not_of("0123456789"), time.size());
  return digits > 0 && is_zone(time.substr(digits));
}

bool is_time_unit(std::string_view unit) {
  std::string lower;
  std::ranges::transform(unit, std::back_inserter(lower), lower_of);
  // Whole names, and beginnings of longer ones.
  static constexpr std::array<std::string_view, 10> kNames{"ns", "us", "\u00b5s", "ms", "s",
                                                           "m",  "h",  "hr",      "d",  "w"};
  static constexpr std::array<std::string_view, 8> kStems{"nano", "micro", "milli", "sec",
                                                          "min",  "hour",  "day",   "week"};
  if (std::ranges::find(kNames, lower) != kNames.end() || lower == "wk") return true;
  return std::ranges::any_of(kStems,
                             [&](std::string_view stem) { return lower.starts_with(stem); });
}

// What Go reads, or a text in which a number followed by a unit stands anywhere.
bool is_duration(std::string_view text) {
  if (parse_go_duration(text)) return true;
  bool found = false;
  std::size_t i = 0;
  while (i < text.size()) {
    if (!is_digit(text[i])) {
      ++i;
      continue;
    }
    const std::size_t number = i;
    while (i < text.size() && is_digit(text[i])) ++i;
    const std::string_view digits = text.substr(number, i - number);
    std::size_t unit = i;
    while (unit < text.size() && is_regexp_space(text[unit])) ++unit;
    std::size_t end = unit;
    while (end < text.size()) {
      if (is_letter(text[end])) {
        ++end;
      } else if (text.substr(end).starts_with("\u00b5")) {
        end += 2;
      } else {
        break;
      }
    }
    if (end == unit) continue;
    const std::size_t significant = std::min(digits.find_first_not_of('0'), digits.size());
    const std::string_view value = digits.substr(significant);
    if (value.size() > 19 || (value.size() == 19 && value > "9223372036854775807")) return false;
    found = found || is_time_unit(text.substr(unit, end - unit));
    i = end;
  }
  return found;
}

// Letters, and symbols such as emoji, beyond ASCII; the tables are RE2's.
bool is_host_rune(char32_t c, bool last_label) {
  if (c < 0x80) {
    const char ascii = static_cast<char>(c);
    if (is_letter(ascii)) return true;
    return !last_label &&
           (is_digit(ascii) || std::string_view("$+<=>^`|~").find(ascii) != std::string_view::npos);
  }
  static const Pattern kLetter("^\\p{L}$");
  static const Pattern kLetterOrSymbol("^[\\p{S}\\p{L}]$");
  return (last_label ? kLetter : kLetterOrSymbol).search(utf8::encode(c));
}

bool is_hostname(std::string_view text) {
  if (text.size() > 255) return false;
  std::u32string label;
  bool dotted = false;
  const auto count = [&](bool last) {
    return std::ranges::count_if(label, [&](char32_t c) { return is_host_rune(c, last); });
  };
  const auto length = [&] { return static_cast<std::ptrdiff_t>(label.size()); };
  std::size_t label_bytes = 0;
  while (!text.empty()) {
    const utf8::Decoded read = utf8::decode(text);
    text.remove_prefix(read.width);
    if (read.code_point != '.') {
      label.push_back(read.code_point);
      label_bytes += read.width;
      if (label_bytes > 63) return false;
      continue;
    }
    // Letters, digits, symbols and dashes, no dash at either end.
    if (label.empty() || label.front() == '-' || label.back() == '-') return false;
    if (count(false) + std::ranges::count(label, U'-') != length()) return false;
    dotted = true;
    label.clear();
    label_bytes = 0;
  }
  if (dotted) return length() >= 2 && count(true) == length();
  // A single label may have one dash only, in the second place.
  if (label.empty() || label.front() == '-') return false;
  const std::ptrdiff_t dash = label.size() > 1 && label[1] == '-' ? 1 : 0;
  return count(false) + dash == length();
}

}  // namespace

Format string_format(std::string_view name) {
  const std::string plain = without_dashes(name);
  const auto it = std::ranges::lower_bound(kStringFormats, plain, {},
                                           &std::pair<std::string_view, Format>::first);
  return it != kStringFormats.end() && it->first == plain ? it->second : Format::kNone;
}

Format integer_format(std::string_view name) {
  const std::string plain = without_dashes(name);
  if (plain == "int32") return Format::kInt32;
  return plain == "int64" ? Format::kInt64 : Format::kNone;
}

Format number_format(std::string_view name) {
  const std::string plain = without_dashes(name);
  if (plain == "float") return Format::kFloat;
  return plain == "double" ? Format::kDouble : Format::kNone;
}

bool is_recognized_format(std::string_view name) {
  return string_format(name) != Format::kNone || integer_format(name) != Format::kNone ||
         number_format(name) != Format::kNone;
}

bool matches_format(Format format, std::string_view text) {
  switch (format) {
    case Format::kBsonObjectId: return text.size() == 24 && std::ranges::all_of(text, is_hex_digit);
    case Format::kUri: return is_request_uri(text);
    case Format::kEmail: return is_mail_address(text);
    case Format::kHostname: return is_hostname(text);
    case Format::kIpv4:
      return text.find('.') != std::string_view::npos &&
             (is_ipv4(text, LeadingZeros::kTolerated) || is_ipv6(text, LeadingZeros::kTolerated));
    case Format::kIpv6: return is_ipv6(text, LeadingZeros::kRefused);
    case Format::kCidr: return is_cidr(text, LeadingZeros::kTolerated);
    case Format::kMac: return is_mac(text);
    case Format::kUuid: return is_uuid(text, '\0', false);
    case Format::kUuid3: return is_uuid(text, '3', false);
    case Format::kUuid4: return is_uuid(text, '4', true);
    case Format::kUuid5: return is_uuid(text, '5', true);
    case Format::kIsbn: return is_isbn10(text) || is_isbn13(text);
    case Format::kIsbn10: return is_isbn10(text);
    case Format::kIsbn13: return is_isbn13(text);
    case Format::kCreditCard: return is_credit_card(text);
    case Format::kSsn: return is_ssn(text);
    case Format::kHexColor: return is_hex_color(text);
    case Format::kRgbColor: return is_rgb_color(text);
    case Format::kByte: return is_base64(text);
    case Format::kDate: return is_date(text);
    case Format::kDuration: return is_duration(text);
    case Format::kDateTime: return is_date_time(text);
    case Format::kShortName: return text.size() <= 63 && is_name_segment(text);
    case Format::kLongName: return is_long_name(text);
    case Format::kNone:
    case Format::kPassword:
    case Format::kInt32:
    case Format::kInt64:
    case Format::kFloat:
    case Format::kDouble: return true;
  }
  return true;
}

}  // namespace strake::schema
