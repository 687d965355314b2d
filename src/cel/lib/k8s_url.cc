#include "cel/lib/k8s_url.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>

#include "base/ip_address.h"
#include "base/quote.h"

// A port of Go's net/url, with its error texts: what it accepts decides what url() and isURL()
// accept. Which characters must be escaped depends on the part of the URL, and the same table
// serves reading and writing.

namespace strake::cel {
namespace {

using Unescaped = std::expected<std::string, std::string>;

enum class UrlPart : std::uint8_t { kPath, kHost, kZone, kUser, kQuery, kFragment };

bool url_alnum(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

bool one_of(char c, std::string_view set) { return set.find(c) != std::string_view::npos; }

int url_hex(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

bool must_escape(char c, UrlPart part) {
  if (url_alnum(c) || one_of(c, "-_.~")) return false;
  if ((part == UrlPart::kHost || part == UrlPart::kZone) && one_of(c, "!$&'()*+,;=:[]<>\"")) {
    return false;
  }
  if (one_of(c, "$&+,/:;=?@")) {
    switch (part) {
      case UrlPart::kPath: return c == '?';
      case UrlPart::kUser: return one_of(c, "@/?:");
      case UrlPart::kQuery: return true;
      case UrlPart::kFragment: return false;
      default: return true;
    }
  }
  return !(part == UrlPart::kFragment && one_of(c, "!()*"));
}

std::string escape(std::string_view text, UrlPart part) {
  std::string out;
  for (const char c : text) {
    if (must_escape(c, part)) {
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    } else {
      out += c;
    }
  }
  return out;
}

std::unexpected<std::string> bad_escape(std::string_view at) {
  return std::unexpected("invalid URL escape " + quote(at.substr(0, 3)));
}

Unescaped unescape(std::string_view text, UrlPart part) {
  const bool in_host = part == UrlPart::kHost || part == UrlPart::kZone;
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '+' && part == UrlPart::kQuery) {
      out += ' ';
    } else if (c != '%') {
      if (in_host && static_cast<unsigned char>(c) < 0x80 && must_escape(c, part)) {
        return std::unexpected(
            fmt::format("invalid character {} in host name", quote(text.substr(i, 1))));
      }
      out += c;
    } else {
      if (i + 2 >= text.size() || url_hex(text[i + 1]) < 0 || url_hex(text[i + 2]) < 0) {
        return bad_escape(text.substr(i));
      }
      const int value = url_hex(text[i + 1]) * 16 + url_hex(text[i + 2]);
      // In a host only bytes past ASCII are escaped; a zone may also escape what a host may hold.
      if (part == UrlPart::kHost && value < 0x80 && value != '%') return bad_escape(text.substr(i));
      if (part == UrlPart::kZone && value != '%' && value != ' ' &&
          must_escape(static_cast<char>(value), UrlPart::kHost)) {
        return bad_escape(text.substr(i));
      }
      out += static_cast<char>(value);
      i += 2;
    }
  }
  return out;
}

bool is_optional_port(std::string_view text) {
  if (text.empty()) return true;
  return text.front() == ':' &&
         std::all_of(text.begin() + 1, text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::unexpected<std::string> bad_port(std::string_view port) {
  return std::unexpected(fmt::format("invalid port {} after host", quote(port)));
}

Unescaped bracketed_host(std::string_view host) {
  const std::size_t close = host.rfind(']');
  if (close == std::string_view::npos) return std::unexpected("missing ']' in host");
  const std::string_view port = host.substr(close + 1);
  if (!is_optional_port(port)) return bad_port(port);
  std::string_view name = host.substr(1, close - 1);
  std::string zone;
  if (const std::size_t at = name.find("%25"); at != std::string_view::npos) {
    const Unescaped decoded = unescape(name.substr(at), UrlPart::kZone);
    if (!decoded) return decoded;
    zone = *decoded;
    name = name.substr(0, at);
  }
  const Unescaped decoded = unescape(name, UrlPart::kHost);
  if (!decoded) return decoded;
  const auto address = parse_ip_address(*decoded + zone);
  if (!address) return std::unexpected("invalid host: " + address.error());
  if (address->address.v4) return std::unexpected("invalid IP-literal");
  return "[" + *decoded + zone + "]" + std::string(port);
}

Unescaped parse_host(std::string_view scheme, std::string_view host) {
  const std::size_t open = host.rfind('[');
  if (open != std::string_view::npos) {
    if (open != 0) return std::unexpected("invalid IP-literal");
    return bracketed_host(host);
  }
  std::size_t colon = host.find(':');
  if (colon != std::string_view::npos) {
    // Only web addresses are strict about a second colon.
    if (scheme != "http" && scheme != "https") colon = host.rfind(':');
    if (!is_optional_port(host.substr(colon))) return bad_port(host.substr(colon));
  }
  return unescape(host, UrlPart::kHost);
}

std::optional<std::string> parse_user(std::string_view text, Url& out) {
  for (const char c : text) {
    if (!url_alnum(c) && !one_of(c, "-._:~!$&'()*+,;=%@")) return "net/url: invalid userinfo";
  }
  out.has_user = true;
  const std::size_t colon = text.find(':');
  const Unescaped name = unescape(text.substr(0, colon), UrlPart::kUser);
  if (!name) return name.error();
  out.user = escape(*name, UrlPart::kUser);
  if (colon == std::string_view::npos) return std::nullopt;
  const Unescaped password = unescape(text.substr(colon + 1), UrlPart::kUser);
  if (!password) return password.error();
  out.user += ':' + escape(*password, UrlPart::kUser);
  return std::nullopt;
}

std::optional<std::string> parse_authority(std::string_view authority, Url& out) {
  const std::size_t at = authority.rfind('@');
  const Unescaped host =
      parse_host(out.scheme, at == std::string_view::npos ? authority : authority.substr(at + 1));
  if (!host) return host.error();
  out.host = *host;
  if (at == std::string_view::npos) return std::nullopt;
  return parse_user(authority.substr(0, at), out);
}

// Splits off the scheme; leaves both as they are when there is none.
std::optional<std::string> take_scheme(std::string_view& rest, std::string& scheme) {
  for (std::size_t i = 0; i < rest.size(); ++i) {
    const char c = rest[i];
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) continue;
    if ((c >= '0' && c <= '9') || one_of(c, "+-.")) {
      if (i == 0) return std::nullopt;
      continue;
    }
    if (c != ':') return std::nullopt;
    if (i == 0) return "missing protocol scheme";
    scheme = rest.substr(0, i);
    std::ranges::transform(scheme, scheme.begin(), [](char l) {
      return l >= 'A' && l <= 'Z' ? static_cast<char>(l - 'A' + 'a') : l;
    });
    rest.remove_prefix(i + 1);
    return std::nullopt;
  }
  return std::nullopt;
}

std::optional<std::string> set_path(std::string_view text, Url& out) {
  const Unescaped path = unescape(text, UrlPart::kPath);
  if (!path) return path.error();
  out.path = *path;
  // The text is kept only when escaping the decoded path would not give it back (%2f against /).
  if (escape(out.path, UrlPart::kPath) != text) out.raw_path = text;
  return std::nullopt;
}

std::optional<std::string> parse_into(Url& out, std::string_view rest, bool via_request) {
  const bool control = std::ranges::any_of(
      rest, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
  if (control) return "net/url: invalid control character in URL";
  if (rest.empty() && via_request) return "empty url";
  if (rest == "*") {
    out.path = "*";
    return std::nullopt;
  }
  if (auto fault = take_scheme(rest, out.scheme)) return fault;
  const std::size_t mark = rest.find('?');
  if (mark != std::string_view::npos) {
    out.raw_query = rest.substr(mark + 1);
    out.force_query = mark + 1 == rest.size();
    rest = rest.substr(0, mark);
  }
  if (!rest.starts_with('/')) {
    if (!out.scheme.empty()) {
      out.opaque = rest;
      return std::nullopt;
    }
    if (via_request) return "invalid URI for request";
    if (rest.substr(0, rest.find('/')).find(':') != std::string_view::npos) {
      return "first path segment in URL cannot contain colon";
    }
  }
  const bool may_have_host = !out.scheme.empty() || (!via_request && !rest.starts_with("///"));
  if (may_have_host && rest.starts_with("//")) {
    std::string_view authority = rest.substr(2);
    const std::size_t slash = authority.find('/');
    rest = slash == std::string_view::npos ? std::string_view{} : authority.substr(slash);
    if (auto fault = parse_authority(authority.substr(0, slash), out)) return fault;
  }
  return set_path(rest, out);
}

std::unexpected<std::string> parse_failure(std::string_view text, const std::string& why) {
  return std::unexpected(fmt::format("parse {}: {}", quote(text), why));
}

// Whether the text is how a path may be written, whatever it decodes to.
bool is_valid_encoded_path(std::string_view text) {
  return std::ranges::all_of(text, [](char c) {
    return one_of(c, "!$&'()*+,;=:@[]%") || !must_escape(c, UrlPart::kPath);
  });
}

}  // namespace

std::string Url::hostname() const {
  std::string_view out = host;
  const std::size_t colon = out.rfind(':');
  if (colon != std::string_view::npos && is_optional_port(out.substr(colon))) {
    out = out.substr(0, colon);
  }
  if (out.starts_with('[') && out.ends_with(']')) out = out.substr(1, out.size() - 2);
  return std::string(out);
}

std::string Url::port() const {
  const std::size_t colon = host.rfind(':');
  if (colon == std::string::npos || !is_optional_port(std::string_view(host).substr(colon))) {
    return {};
  }
  return host.substr(colon + 1);
}

std::string Url::escaped_path() const {
  if (!raw_path.empty() && is_valid_encoded_path(raw_path)) {
    const Unescaped decoded = unescape(raw_path, UrlPart::kPath);
    if (decoded && *decoded == path) return raw_path;
  }
  if (path == "*") return path;
  return escape(path, UrlPart::kPath);
}

std::vector<std::pair<std::string, std::string>> Url::query() const {
  std::vector<std::pair<std::string, std::string>> out;
  std::string_view rest = raw_query;
  while (!rest.empty()) {
    const std::size_t ampersand = rest.find('&');
    const std::string_view part = rest.substr(0, ampersand);
    rest = ampersand == std::string_view::npos ? std::string_view{} : rest.substr(ampersand + 1);
    // Go refuses semicolons as separators and skips such a pair.
    if (part.empty() || part.find(';') != std::string_view::npos) continue;
    const std::size_t equals = part.find('=');
    const Unescaped key = unescape(part.substr(0, equals), UrlPart::kQuery);
    const Unescaped value =
        equals == std::string_view::npos ? "" : unescape(part.substr(equals + 1), UrlPart::kQuery);
    if (key && value) out.emplace_back(*key, *value);
  }
  return out;
}

std::string Url::to_string() const {
  std::string out;
  if (!scheme.empty()) out += scheme + ":";
  if (!opaque.empty()) {
    out += opaque;
  } else {
    if (has_user || !host.empty()) {
      out += "//";
      if (has_user) out += user + "@";
      out += escape(host, UrlPart::kHost);
    }
    const std::string text = escaped_path();
    if (!text.empty() && text.front() != '/' && !host.empty()) out += '/';
    out += text;
  }
  if (force_query || !raw_query.empty()) out += "?" + raw_query;
  if (!fragment.empty()) out += "#" + fragment;
  return out;
}

std::expected<Url, std::string> parse_request_uri(std::string_view text) {
  Url out;
  if (auto fault = parse_into(out, text, true)) return parse_failure(text, *fault);
  return out;
}

std::expected<Url, std::string> parse_url(std::string_view text) {
  const std::size_t hash = text.find('#');
  Url out;
  if (auto fault = parse_into(out, text.substr(0, hash), false)) {
    return parse_failure(text.substr(0, hash), *fault);
  }
  if (hash == std::string_view::npos) return out;
  const Unescaped fragment = unescape(text.substr(hash + 1), UrlPart::kFragment);
  if (!fragment) return parse_failure(text, fragment.error());
  out.fragment = text.substr(hash + 1);
  return out;
}

}  // namespace strake::cel
