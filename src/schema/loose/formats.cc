#include "schema/loose/formats.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/rfc3339.h"
#include "base/utf8.h"
#include "schema/format/format.h"
#include "schema/format/format_net.h"
#include "schema/loose/ecma_pattern.h"
#include "schema/pattern/pattern.h"

namespace strake::schema::loose {
namespace {

constexpr std::array<std::pair<std::string_view, StringFormat>, 19> kFormats{{
    {"date", StringFormat::kDate},
    {"date-time", StringFormat::kDateTime},
    {"duration", StringFormat::kDuration},
    {"email", StringFormat::kEmail},
    {"hostname", StringFormat::kHostname},
    {"idn-email", StringFormat::kIdnEmail},
    {"idn-hostname", StringFormat::kIdnHostname},
    {"ipv4", StringFormat::kIpv4},
    {"ipv6", StringFormat::kIpv6},
    {"iri", StringFormat::kIri},
    {"iri-reference", StringFormat::kIriReference},
    {"json-pointer", StringFormat::kJsonPointer},
    {"regex", StringFormat::kRegex},
    {"relative-json-pointer", StringFormat::kRelativeJsonPointer},
    {"time", StringFormat::kTime},
    {"uri", StringFormat::kUri},
    {"uri-reference", StringFormat::kUriReference},
    {"uri-template", StringFormat::kUriTemplate},
    {"uuid", StringFormat::kUuid},
}};

bool digit_at(std::string_view text, std::size_t i) {
  return i < text.size() && text[i] >= '0' && text[i] <= '9';
}

// Two digits at a place, or -1.
int two_digits_at(std::string_view text, std::size_t i) {
  return digit_at(text, i) && digit_at(text, i + 1) ? (text[i] - '0') * 10 + (text[i + 1] - '0')
                                                    : -1;
}

// Years from 0000 on, with the days of each month, as RFC 3339 has them.
bool is_full_date(std::string_view text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return false;
  const int century = two_digits_at(text, 0);
  const int year = two_digits_at(text, 2);
  const int month = two_digits_at(text, 5);
  const int day = two_digits_at(text, 8);
  if (century < 0 || year < 0 || month < 1 || month > 12 || day < 1) return false;
  return static_cast<unsigned>(day) <=
         days_in_month(century * 100 + year, static_cast<unsigned>(month));
}

// RFC 3339 full-time. A second of 60 must be the last of a day in UTC.
bool is_full_time(std::string_view text) {
  const int hour = two_digits_at(text, 0);
  const int minute = two_digits_at(text, 3);
  const int second = two_digits_at(text, 6);
  if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 60) return false;
  if (text[2] != ':' || text[5] != ':') return false;
  text.remove_prefix(8);
  if (text.starts_with('.')) {
    const std::size_t end = std::min(text.find_first_not_of("0123456789", 1), text.size());
    if (end == 1) return false;
    text.remove_prefix(end);
  }
  int offset = 0;
  if (text != "Z" && text != "z") {
    if (text.size() != 6 || (text[0] != '+' && text[0] != '-') || text[3] != ':') return false;
    const int hours = two_digits_at(text, 1);
    const int minutes = two_digits_at(text, 4);
    if (hours < 0 || hours > 23 || minutes < 0 || minutes > 59) return false;
    offset = (text[0] == '-' ? -1 : 1) * (hours * 60 + minutes);
  }
  if (second < 60) return true;
  const int utc = ((hour * 60 + minute - offset) % 1440 + 1440) % 1440;
  return utc == 23 * 60 + 59;
}

// The grammar of RFC 3339, appendix A: weeks stand alone, no fractions, and no unit between two
// others may be left out.
bool is_iso_duration(std::string_view text) {
  static const Pattern kShape(
      "^P(?:[0-9]+W|(?:[0-9]+Y(?:[0-9]+M(?:[0-9]+D)?)?|[0-9]+M(?:[0-9]+D)?|[0-9]+D)"
      "(?:T(?:[0-9]+H(?:[0-9]+M(?:[0-9]+S)?)?|[0-9]+M(?:[0-9]+S)?|[0-9]+S))?"
      "|T(?:[0-9]+H(?:[0-9]+M(?:[0-9]+S)?)?|[0-9]+M(?:[0-9]+S)?|[0-9]+S))$");
  return kShape.search(text);
}

// Mailbox of RFC 5321, 4.1.2; with the characters of RFC 6531 when international. The last @
// divides, since a quoted local part may hold others.
bool is_mailbox(std::string_view text, bool international) {
  if (!international && !utf8::is_ascii(text)) return false;
  static const Pattern kAtoms(
      "^[A-Za-z0-9!#$%&'*+/=?^_`{|}~\\x{80}-\\x{10ffff}-]+(?:\\.[A-Za-z0-9!#$%&'*+/"
      "=?^_`{|}~\\x{80}-\\x{10ffff}-]+)*$");
  static const Pattern kQuoted(
      "^\"(?:[\\x20\\x21\\x23-\\x5b\\x5d-\\x7e\\x{80}-\\x{10ffff}]|\\\\[\\x20-\\x7e])*\"$");
  const std::size_t at = text.rfind('@');
  if (at == std::string_view::npos) return false;
  const std::string_view local = text.substr(0, at);
  std::string_view domain = text.substr(at + 1);
  if (!kAtoms.search(local) && !kQuoted.search(local)) return false;
  if (domain.starts_with('[') && domain.ends_with(']')) {
    domain = domain.substr(1, domain.size() - 2);
    if (domain.starts_with("IPv6:")) return is_ipv6(domain.substr(5), LeadingZeros::kRefused);
    return is_ipv4(domain, LeadingZeros::kRefused);
  }
  return is_host_name(domain, international);
}

bool is_plain_uuid(std::string_view text) {
  if (text.size() != 36) return false;
  for (std::size_t i = 0; i < 36; ++i) {
    const bool dash = i == 8 || i == 13 || i == 18 || i == 23;
    const char c = text[i];
    const bool hex = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
    if (dash ? c != '-' : !hex) return false;
  }
  return true;
}

bool is_json_pointer(std::string_view text) {
  if (text.empty()) return true;
  if (text.front() != '/') return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '~' && (i + 1 >= text.size() || (text[i + 1] != '0' && text[i + 1] != '1')))
      return false;
  }
  return true;
}

bool is_relative_json_pointer(std::string_view text) {
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  if (digits == 0 || (digits > 1 && text.front() == '0')) return false;
  text.remove_prefix(digits);
  return text == "#" || is_json_pointer(text);
}

bool is_uri_template(std::string_view text) {
  static const Pattern kShape(
      "^(?:[^\\x00-\\x20\\x7f\"%<>\\\\^`{|}]|%[0-9A-Fa-f]{2}|"
      "\\{[+#./"
      ";?&=,!@|]?(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2})(?:\\.?(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2}))*(?::[1-9]"
      "[0-9]{0,3}|\\*)?"
      "(?:,(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2})(?:\\.?(?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2}))*(?::[1-9][0-9]{"
      "0,3}|\\*)?)*\\})*$");
  return kShape.search(text);
}

// The letters of a part of a URI, with the escapes; beyond ASCII those that an IRI may have.
std::string uri_class(std::string_view extra, bool international) {
  std::string out = "(?:[A-Za-z0-9._~!$&'()*+,;=";
  out += extra;
  if (international) {
    out +=
        "\\x{a0}-\\x{d7ff}\\x{f900}-\\x{fdcf}\\x{fdf0}-\\x{ffef}\\x{10000}-\\x{1fffd}\\x{20000}-"
        "\\x{2fffd}\\x{30000}-\\x{3fffd}"
        "\\x{40000}-\\x{4fffd}\\x{50000}-\\x{5fffd}\\x{60000}-\\x{6fffd}\\x{70000}-\\x{7fffd}\\x{"
        "80000}-\\x{8fffd}"
        "\\x{90000}-\\x{9fffd}\\x{a0000}-\\x{afffd}\\x{b0000}-\\x{bfffd}\\x{c0000}-\\x{cfffd}\\x{"
        "d0000}-\\x{dfffd}"
        "\\x{e1000}-\\x{efffd}";
  }
  out += "-]|%[0-9A-Fa-f]{2})";
  return out;
}

struct UriPatterns {
  explicit UriPatterns(bool international)
      : user("^" + uri_class(":", international) + "*$"),
        name("^" + uri_class("", international) + "*$"),
        path("^" + uri_class(":@/", international) + "*$"),
        // A query of an IRI may also have private characters.
        query("^(?:" + uri_class(":@/?", international) +
              (international ? "|[\\x{e000}-\\x{f8ff}\\x{f0000}-\\x{ffffd}]" : "") + ")*$"),
        fragment("^" + uri_class(":@/?", international) + "*$") {}
  Pattern user;
  Pattern name;
  Pattern path;
  Pattern query;
  Pattern fragment;
};

bool is_uri_authority(std::string_view authority, const UriPatterns& patterns) {
  if (const std::size_t at = authority.rfind('@'); at != std::string_view::npos) {
    if (!patterns.user.search(authority.substr(0, at))) return false;
    authority.remove_prefix(at + 1);
  }
  static const Pattern kPort("^(?::[0-9]*)?$");
  static const Pattern kFuture("^[vV][0-9A-Fa-f]+\\.[A-Za-z0-9._~!$&'()*+,;=:-]+$");
  if (authority.starts_with('[')) {
    const std::size_t close = authority.find(']');
    if (close == std::string_view::npos) return false;
    const std::string_view host = authority.substr(1, close - 1);
    return (is_ipv6(host, LeadingZeros::kRefused) || kFuture.search(host)) &&
           kPort.search(authority.substr(close + 1));
  }
  const std::size_t colon = authority.rfind(':');
  if (colon != std::string_view::npos && !kPort.search(authority.substr(colon))) return false;
  return patterns.name.search(authority.substr(0, colon));
}

}  // namespace

bool is_uri_text(std::string_view text, bool reference, bool international) {
  static const UriPatterns kPlain(false);
  static const UriPatterns kInternational(true);
  const UriPatterns& patterns = international ? kInternational : kPlain;
  if (const std::size_t hash = text.find('#'); hash != std::string_view::npos) {
    if (!patterns.fragment.search(text.substr(hash + 1))) return false;
    text = text.substr(0, hash);
  }
  if (const std::size_t mark = text.find('?'); mark != std::string_view::npos) {
    if (!patterns.query.search(text.substr(mark + 1))) return false;
    text = text.substr(0, mark);
  }
  static const Pattern kScheme("^[A-Za-z][A-Za-z0-9+.-]*$");
  const std::size_t colon = text.find(':');
  const bool schemed = colon != std::string_view::npos && kScheme.search(text.substr(0, colon));
  if (!schemed && !reference) return false;
  if (schemed) {
    text.remove_prefix(colon + 1);
  } else if (colon != std::string_view::npos && text.find('/') > colon && !text.starts_with("//")) {
    return false;  // a colon in the first segment would be taken for a scheme
  }
  if (text.starts_with("//")) {
    const std::size_t slash = std::min(text.find('/', 2), text.size());
    if (!is_uri_authority(text.substr(2, slash - 2), patterns)) return false;
    text.remove_prefix(slash);
  }
  return patterns.path.search(text);
}

StringFormat find_string_format(std::string_view name) {
  const auto it =
      std::ranges::find(kFormats, name, &std::pair<std::string_view, StringFormat>::first);
  if (it != kFormats.end()) return it->second;
  return string_format(name) != Format::kNone ? StringFormat::kServer : StringFormat::kNone;
}

bool matches_string_format(StringFormat format, std::string_view name, std::string_view text) {
  switch (format) {
    case StringFormat::kNone: return true;
    case StringFormat::kDateTime:
      return text.size() > 11 && (text[10] == 'T' || text[10] == 't') &&
             is_full_date(text.substr(0, 10)) && is_full_time(text.substr(11));
    case StringFormat::kDate: return is_full_date(text);
    case StringFormat::kTime: return is_full_time(text);
    case StringFormat::kDuration: return is_iso_duration(text);
    case StringFormat::kEmail: return is_mailbox(text, false);
    case StringFormat::kIdnEmail: return is_mailbox(text, true);
    case StringFormat::kHostname: return is_host_name(text, false);
    case StringFormat::kIdnHostname: return is_host_name(text, true);
    case StringFormat::kIpv4: return is_ipv4(text, LeadingZeros::kRefused);
    case StringFormat::kIpv6: return is_ipv6(text, LeadingZeros::kRefused);
    case StringFormat::kUri: return is_uri_text(text, false, false);
    case StringFormat::kUriReference: return is_uri_text(text, true, false);
    case StringFormat::kIri: return is_uri_text(text, false, true);
    case StringFormat::kIriReference: return is_uri_text(text, true, true);
    case StringFormat::kUuid: return is_plain_uuid(text);
    case StringFormat::kUriTemplate: return is_uri_template(text);
    case StringFormat::kJsonPointer: return is_json_pointer(text);
    case StringFormat::kRelativeJsonPointer: return is_relative_json_pointer(text);
    case StringFormat::kRegex: {
      const auto read = go_from_ecma(text, true);
      return read.has_value() || read.error().code() == Code::kUnsupported;
    }
    case StringFormat::kServer: return matches_format(string_format(name), text);
  }
  return true;
}

}  // namespace strake::schema::loose
