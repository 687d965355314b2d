#include "schema/format/format_net.h"

#include <array>
#include <cstdint>

namespace strake::schema {
namespace {

bool net_digit(char c) { return c >= '0' && c <= '9'; }
bool net_alpha(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

int net_hex(char c) {
  if (net_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// Digits of a decimal number up to `most`, taken from the front.
bool take_decimal(std::string_view& text, int most, LeadingZeros zeros) {
  int value = 0;
  std::size_t digits = 0;
  const char first = text.empty() ? '\0' : text.front();
  while (!text.empty() && net_digit(text.front())) {
    value = value * 10 + (text.front() - '0');
    if (value > most) return false;
    ++digits;
    text.remove_prefix(1);
  }
  return digits > 0 && (digits == 1 || first != '0' || zeros == LeadingZeros::kTolerated);
}

// ---- net/url ----

enum class UrlPart : std::uint8_t { kHost, kZone, kPath, kUser };

bool host_byte_allowed(unsigned char c) {
  if (c >= 0x80 || net_alpha(static_cast<char>(c)) || net_digit(static_cast<char>(c))) return true;
  return std::string_view("!$&'()*+,;=:[]<>\"-_.~").find(static_cast<char>(c)) !=
         std::string_view::npos;
}

bool escapes_are_sound(std::string_view text, UrlPart part) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (c != '%') {
      if ((part == UrlPart::kHost || part == UrlPart::kZone) && !host_byte_allowed(c)) return false;
      continue;
    }
    if (i + 2 >= text.size() || net_hex(text[i + 1]) < 0 || net_hex(text[i + 2]) < 0) return false;
    const int value = net_hex(text[i + 1]) * 16 + net_hex(text[i + 2]);
    // In a host only bytes beyond ASCII may be escaped; in a zone also what a host could hold
    // plainly, and a space.
    if (part == UrlPart::kHost && value < 0x80 && value != '%') return false;
    if (part == UrlPart::kZone && value != '%' && value != ' ' &&
        !host_byte_allowed(static_cast<unsigned char>(value))) {
      return false;
    }
    i += 2;
  }
  return true;
}

bool is_port_suffix(std::string_view text) {
  if (text.empty()) return true;
  if (text.front() != ':') return false;
  for (const char c : text.substr(1)) {
    if (!net_digit(c)) return false;
  }
  return true;
}

// parseHost of net/url: brackets hold an IPv6 address, whose zone follows an escaped percent sign.
// With http and https a host outside of brackets has no colon of its own.
bool is_url_host(std::string_view host, bool web) {
  const std::size_t open = host.rfind('[');
  if (open != std::string_view::npos) {
    const std::size_t close = host.rfind(']');
    if (open != 0 || close == std::string_view::npos || !is_port_suffix(host.substr(close + 1)))
      return false;
    std::string_view address = host.substr(1, close - 1);
    if (const std::size_t zone = address.find("%25"); zone != std::string_view::npos) {
      if (!escapes_are_sound(address.substr(zone), UrlPart::kZone) || address.size() == zone + 3)
        return false;
      address = address.substr(0, zone);
    }
    return is_ipv6(address, LeadingZeros::kRefused);
  }
  if (const std::size_t colon = host.rfind(':'); colon != std::string_view::npos) {
    if (!is_port_suffix(host.substr(colon))) return false;
    if (web && host.substr(0, colon).find(':') != std::string_view::npos) return false;
  }
  return escapes_are_sound(host, UrlPart::kHost);
}

bool is_url_authority(std::string_view authority, bool web) {
  const std::size_t at = authority.rfind('@');
  if (at == std::string_view::npos) return is_url_host(authority, web);
  const std::string_view user = authority.substr(0, at);
  for (const char c : user) {
    const bool known = net_alpha(c) || net_digit(c) ||
                       std::string_view("-._:~!$&'()*+,;=%@").find(c) != std::string_view::npos;
    if (!known) return false;
  }
  return is_url_host(authority.substr(at + 1), web) && escapes_are_sound(user, UrlPart::kUser);
}

bool equals_ignoring_case(std::string_view a, std::string_view lower) {
  if (a.size() != lower.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const char c = a[i] >= 'A' && a[i] <= 'Z' ? static_cast<char>(a[i] + 32) : a[i];
    if (c != lower[i]) return false;
  }
  return true;
}

}  // namespace

bool is_ipv4(std::string_view text, LeadingZeros zeros) {
  for (int part = 0; part < 4; ++part) {
    if (part > 0) {
      if (!text.starts_with('.')) return false;
      text.remove_prefix(1);
    }
    if (!take_decimal(text, 255, zeros)) return false;
  }
  return text.empty();
}

bool is_ipv6(std::string_view text, LeadingZeros zeros) {
  int groups = 0;
  bool ellipsis = false;
  if (text.starts_with("::")) {
    ellipsis = true;
    text.remove_prefix(2);
    if (text.empty()) return true;
  }
  while (groups < 8) {
    const std::string_view before = text;
    std::size_t digits = 0;
    unsigned value = 0;
    while (!text.empty() && net_hex(text.front()) >= 0) {
      value = value * 16 + static_cast<unsigned>(net_hex(text.front()));
      if (value > 0xFFFF || (++digits > 4 && zeros == LeadingZeros::kRefused)) return false;
      text.remove_prefix(1);
    }
    if (digits == 0) return false;
    if (text.starts_with('.')) {  // the last 32 bits as IPv4
      if ((!ellipsis && groups != 6) || groups > 6) return false;
      if (!is_ipv4(before, zeros)) return false;
      text = {};
      groups += 2;
      break;
    }
    ++groups;
    if (text.empty()) break;
    if (text.front() != ':' || text.size() == 1) return false;
    text.remove_prefix(1);
    if (text.front() == ':') {
      if (ellipsis) return false;
      ellipsis = true;
      text.remove_prefix(1);
      if (text.empty()) break;
    }
  }
  if (!text.empty()) return false;
  return ellipsis ? groups < 8 : groups == 8;  // the ellipsis stands for at least one group
}

bool is_cidr(std::string_view text, LeadingZeros zeros) {
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return false;
  const std::string_view address = text.substr(0, slash);
  std::string_view bits = text.substr(slash + 1);
  const bool four = is_ipv4(address, zeros);
  if (!four && !is_ipv6(address, zeros)) return false;
  return take_decimal(bits, four ? 32 : 128, LeadingZeros::kTolerated) && bits.empty();
}

bool is_mac(std::string_view text) {
  if (text.size() < 14) return false;
  std::size_t pairs_per_group = 1;
  char separator = text[2];
  // Either pairs divided by ':' or '-', or groups of four digits divided by '.'. One form
  // throughout.
  if (separator != ':' && separator != '-') {
    separator = text[4];
    pairs_per_group = 2;
    if (separator != '.') return false;
  }
  const std::size_t stride = pairs_per_group * 2 + 1;
  if ((text.size() + 1) % stride != 0) return false;
  const std::size_t octets = (text.size() + 1) / stride * pairs_per_group;
  if (octets != 6 && octets != 8 && octets != 20) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool good = i % stride == stride - 1 ? text[i] == separator : net_hex(text[i]) >= 0;
    if (!good) return false;
  }
  return true;
}

bool is_request_uri(std::string_view text) {
  if (text.empty()) return false;
  for (const char c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) return false;
  }
  if (text == "*") return true;
  std::string_view scheme;
  std::string_view rest = text;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (net_alpha(c)) continue;
    if (net_digit(c) || c == '+' || c == '-' || c == '.') {
      if (i == 0) break;
      continue;
    }
    if (c == ':') {
      if (i == 0) return false;
      scheme = text.substr(0, i);
      rest = text.substr(i + 1);
    }
    break;
  }
  rest = rest.substr(0, rest.find('?'));
  // An opaque URI such as mailto:x passes; a relative reference does not.
  if (!rest.starts_with('/')) return !scheme.empty();
  if (!scheme.empty() && rest.starts_with("//")) {
    const std::string_view authority = rest.substr(2, rest.find('/', 2) - 2);
    const bool web = equals_ignoring_case(scheme, "http") || equals_ignoring_case(scheme, "https");
    if (!is_url_authority(authority, web)) return false;
    rest.remove_prefix(2 + authority.size());
  }
  return escapes_are_sound(rest, UrlPart::kPath);
}

}  // namespace strake::schema
