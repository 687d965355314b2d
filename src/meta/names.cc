#include "meta/names.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace strake::meta {
namespace {

constexpr std::size_t kLabelMax = 63;
constexpr std::size_t kSubdomainMax = 253;

constexpr std::string_view kLabelText =
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and "
    "must start and end "
    "with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is "
    "'[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
constexpr std::string_view kSubdomainText =
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or "
    "'.', and must start "
    "and end with an alphanumeric character (e.g. 'example.com', regex used for validation is "
    "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
constexpr std::string_view kLabel1035Text =
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an "
    "alphabetic character, "
    "and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for "
    "validation is "
    "'[a-z]([-a-z0-9]*[a-z0-9])?')";
constexpr std::string_view kKeyText =
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an "
    "alphanumeric character "
    "(e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is "
    "'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
constexpr std::string_view kValueText =
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', "
    "and must start "
    "and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex "
    "used for validation is "
    "'(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

bool is_lower_alnum(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }
bool is_alnum(char c) { return is_lower_alnum(c) || (c >= 'A' && c <= 'Z'); }

bool is_label(std::string_view s) {
  if (s.empty() || !is_lower_alnum(s.front()) || !is_lower_alnum(s.back())) return false;
  return std::all_of(s.begin(), s.end(), [](char c) { return is_lower_alnum(c) || c == '-'; });
}

bool is_subdomain(std::string_view s) {
  for (;;) {
    const std::size_t dot = s.find('.');
    if (!is_label(s.substr(0, dot))) return false;
    if (dot == std::string_view::npos) return true;
    s.remove_prefix(dot + 1);
  }
}

bool is_key_name(std::string_view s) {
  if (s.empty() || !is_alnum(s.front()) || !is_alnum(s.back())) return false;
  return std::all_of(s.begin(), s.end(),
                     [](char c) { return is_alnum(c) || c == '-' || c == '_' || c == '.'; });
}

// The checks of older code count "characters", those of newer code "bytes"; both count bytes.
std::string too_long(std::size_t max, std::string_view unit) {
  return fmt::format("must be no more than {} {}", max, unit);
}

Messages check_subdomain(std::string_view name, std::string_view unit) {
  Messages out;
  if (name.size() > kSubdomainMax) out.push_back(too_long(kSubdomainMax, unit));
  if (!is_subdomain(name)) out.emplace_back(kSubdomainText);
  return out;
}

// kube-apiserver 1.36 masks a dash at the end together with the character before it.
std::string mask_trailing_dash(std::string_view name) {
  if (name.size() > 1 && name.back() == '-')
    return std::string(name.substr(0, name.size() - 2)) + "a";
  return std::string(name);
}

}  // namespace

Messages check_dns1123_label(std::string_view name) {
  Messages out;
  if (name.size() > kLabelMax) out.push_back(too_long(kLabelMax, "characters"));
  if (!is_label(name)) out.emplace_back(is_subdomain(name) ? "must not contain dots" : kLabelText);
  return out;
}

Messages check_dns1123_subdomain(std::string_view name) {
  return check_subdomain(name, "characters");
}

Messages check_dns1035_label(std::string_view name) {
  Messages out;
  if (name.size() > kLabelMax) out.push_back(too_long(kLabelMax, "characters"));
  if (!is_label(name) || name.front() < 'a') out.emplace_back(kLabel1035Text);
  return out;
}

Messages check_qualified_name(std::string_view name) {
  Messages out;
  const std::size_t slash = name.find('/');
  if (slash != std::string_view::npos) {
    if (name.find('/', slash + 1) != std::string_view::npos) {
      out.push_back(
          fmt::format("a valid label key {} with an optional DNS subdomain prefix and '/' (e.g. "
                      "'example.com/MyName')",
                      kKeyText));
      return out;
    }
    const std::string_view prefix = name.substr(0, slash);
    if (prefix.empty()) {
      out.emplace_back("prefix part must be non-empty");
    } else {
      for (const std::string& message : check_subdomain(prefix, "bytes"))
        out.push_back("prefix part " + message);
    }
    name.remove_prefix(slash + 1);
  }
  if (name.empty()) {
    out.emplace_back("name part must be non-empty");
  } else if (name.size() > kLabelMax) {
    out.push_back("name part " + too_long(kLabelMax, "bytes"));
  }
  if (!is_key_name(name)) out.push_back(fmt::format("name part {}", kKeyText));
  return out;
}

Messages check_label_value(std::string_view value) {
  Messages out;
  if (value.size() > kLabelMax) out.push_back(too_long(kLabelMax, "bytes"));
  if (!value.empty() && !is_key_name(value)) out.emplace_back(kValueText);
  return out;
}

Messages check_path_segment_name(std::string_view name) {
  if (name == "." || name == "..") return {fmt::format("may not be '{}'", name)};
  return check_path_segment_prefix(name);
}

Messages check_path_segment_prefix(std::string_view name) {
  Messages out;
  for (const char illegal : {'/', '%'}) {
    if (name.find(illegal) != std::string_view::npos)
      out.push_back(fmt::format("may not contain '{}'", illegal));
  }
  return out;
}

Messages check_port(std::int64_t port) {
  if (port >= 1 && port <= 65535) return {};
  return {"must be between 1 and 65535, inclusive"};
}

Messages name_is_dns_subdomain(std::string_view name, bool prefix) {
  return prefix ? check_dns1123_subdomain(mask_trailing_dash(name)) : check_dns1123_subdomain(name);
}

Messages name_is_dns_label(std::string_view name, bool prefix) {
  return prefix ? check_dns1123_label(mask_trailing_dash(name)) : check_dns1123_label(name);
}

Messages name_is_dns1035_label(std::string_view name, bool prefix) {
  return prefix ? check_dns1035_label(mask_trailing_dash(name)) : check_dns1035_label(name);
}

Messages name_is_path_segment(std::string_view name, bool prefix) {
  return prefix ? check_path_segment_prefix(name) : check_path_segment_name(name);
}

std::string join(const Messages& messages, std::string_view separator) {
  return fmt::format("{}", fmt::join(messages, separator));
}

std::string to_lower_ascii(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

}  // namespace strake::meta
