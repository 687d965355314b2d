// The grammar is that of distribution/reference, by which kube-apiserver 1.36 reads images:
//
//   [domain/]path[:tag][@digest]
//
// The first component is a domain when it has a dot, a colon or a capital, or is "localhost". What
// has no domain is of "docker.io", which changes nothing here but for the longest path.
#include "kinds/pods/image_reference.h"

#include <algorithm>
#include <optional>

namespace strake::kinds {
namespace {

constexpr std::size_t kLongestPath = 255;
constexpr std::size_t kLongestTag = 128;
constexpr std::size_t kIdentifierDigits = 64;
constexpr std::size_t kFewestDigestDigits = 32;
constexpr std::string_view kOfficial = "library/";

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_letter(char c) { return is_lower(c) || is_upper(c); }
bool is_lower_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f'); }
bool is_hex(char c) { return is_lower_hex(c) || (c >= 'A' && c <= 'F'); }

bool is_separator(std::string_view text) {
  return text == "." || text == "_" || text == "__" ||
         std::ranges::all_of(text, [](char c) { return c == '-'; });
}

// Lower case letters and digits in runs, with separators between them.
bool is_path_component(std::string_view text) {
  const auto is_plain = [](char c) { return is_lower(c) || is_digit(c); };
  if (text.empty() || !is_plain(text.front()) || !is_plain(text.back())) return false;
  for (std::size_t i = 0; i < text.size();) {
    if (is_plain(text[i])) {
      ++i;
      continue;
    }
    std::size_t end = i;
    while (end < text.size() && !is_plain(text[end])) ++end;
    if (!is_separator(text.substr(i, end - i))) return false;
    i = end;
  }
  return true;
}

bool is_path(std::string_view text) {
  while (true) {
    const std::size_t slash = text.find('/');
    if (!is_path_component(text.substr(0, slash))) return false;
    if (slash == std::string_view::npos) return true;
    text.remove_prefix(slash + 1);
  }
}

bool is_host_name(std::string_view text) {
  while (true) {
    const std::size_t dot = text.find('.');
    const std::string_view part = text.substr(0, dot);
    if (part.empty() || part.front() == '-' || part.back() == '-' ||
        !std::ranges::all_of(part, [](char c) { return is_letter(c) || is_digit(c) || c == '-'; }))
      return false;
    if (dot == std::string_view::npos) return true;
    text.remove_prefix(dot + 1);
  }
}

bool is_domain(std::string_view text) {
  std::string_view port;
  bool has_port = false;
  const std::size_t bracket = text.starts_with('[') ? text.find(']') : 0;
  if (bracket == std::string_view::npos) return false;
  if (const std::size_t colon = text.find(':', bracket); colon != std::string_view::npos) {
    has_port = true;
    port = text.substr(colon + 1);
    text = text.substr(0, colon);
  }
  if (has_port && (port.empty() || !std::ranges::all_of(port, is_digit))) return false;
  if (!text.starts_with('[')) return is_host_name(text);
  const std::string_view address = text.substr(1, text.size() - 2);
  return text.ends_with(']') && !address.empty() &&
         std::ranges::all_of(address, [](char c) { return is_hex(c) || c == ':'; });
}

bool is_tag(std::string_view text) {
  const auto is_word = [](char c) { return is_letter(c) || is_digit(c) || c == '_'; };
  return !text.empty() && text.size() <= kLongestTag && is_word(text.front()) &&
         std::ranges::all_of(text, [&](char c) { return is_word(c) || c == '.' || c == '-'; });
}

bool is_digest(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) return false;
  const std::string_view algorithm = text.substr(0, colon);
  const std::string_view digits = text.substr(colon + 1);
  if (digits.size() < kFewestDigestDigits || !std::ranges::all_of(digits, is_lower_hex))
    return false;
  return (algorithm == "sha256" && digits.size() == 64) ||
         (algorithm == "sha384" && digits.size() == 96) ||
         (algorithm == "sha512" && digits.size() == 128);
}

bool has_domain(std::string_view first) {
  return first == "localhost" || first.find_first_of(".:") != std::string_view::npos ||
         std::ranges::any_of(first, is_upper);
}

bool is_name(std::string_view name) {
  const std::size_t slash = name.find('/');
  if (slash == std::string_view::npos)
    return is_path(name) && kOfficial.size() + name.size() <= kLongestPath;
  const std::string_view first = name.substr(0, slash);
  const std::string_view rest = name.substr(slash + 1);
  if (!has_domain(first)) return is_path(name) && name.size() <= kLongestPath;
  // What looks like a domain and is none may still be a component: "a_b.c/d".
  if (is_domain(first)) return is_path(rest) && rest.size() <= kLongestPath;
  return is_path(name) && name.size() <= kLongestPath;
}

}  // namespace

bool is_latest_image(std::string_view image) {
  if (image.size() == kIdentifierDigits && std::ranges::all_of(image, is_lower_hex)) return false;
  std::optional<std::string_view> digest;
  if (const std::size_t at = image.find('@'); at != std::string_view::npos) {
    digest = image.substr(at + 1);
    image = image.substr(0, at);
  }
  std::optional<std::string_view> tag;
  const std::size_t slash = image.rfind('/');
  const std::size_t colon = image.find(':', slash == std::string_view::npos ? 0 : slash);
  if (colon != std::string_view::npos) {
    tag = image.substr(colon + 1);
    image = image.substr(0, colon);
  }
  if (!is_name(image) || (tag && !is_tag(*tag)) || (digest && !is_digest(*digest))) return false;
  return tag ? *tag == "latest" : !digest;
}

}  // namespace strake::kinds
