#include "validate/scan.h"

#include <algorithm>
#include <bit>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "base/lines.h"

// Finds the kind that a CRD defines without parsing it: most CRDs in a folder are for kinds that no
// checked object has, and are never parsed at all. Only block-style YAML with plain keys is
// understood; anything else is unclear, and is parsed. A wrong guess is found out when the CRD is
// used (Catalog::Definition).

namespace strake::validate {
namespace {

// Whichever way the lines end.
std::string_view take_any_line(std::string_view& text) {
  std::string_view line = take_line(text);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

bool is_marker(std::string_view line, std::string_view marker) {
  return line.starts_with(marker) && (line.size() == marker.size() || line[marker.size()] == ' ' ||
                                      line[marker.size()] == '\t');
}

// The text of a simple scalar behind a colon, without quotes and comment; nothing when it is
// anything else.
std::optional<std::string_view> simple_scalar(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  if (text.empty()) return std::nullopt;
  const char first = text.front();
  if (first == '"' || first == '\'') {
    const std::size_t end = text.find(first, 1);
    if (end == std::string_view::npos) return std::nullopt;
    const std::string_view inside = text.substr(1, end - 1);
    const std::size_t behind = text.find_first_not_of(' ', end + 1);
    const bool ends = behind == std::string_view::npos || (text[behind] == '#' && behind > end + 1);
    if (!ends || inside.find('\\') != std::string_view::npos) return std::nullopt;
    return inside;
  }
  if (std::string_view("&*!|>{}[],#%@`").find(first) != std::string_view::npos) return std::nullopt;
  text = text.substr(0, text.find(" #"));
  while (text.ends_with(' ')) text.remove_suffix(1);
  if (text.find(": ") != std::string_view::npos) return std::nullopt;
  return text;
}

// What stands behind `key:`, when the line has this key.
std::optional<std::string_view> behind_key(std::string_view line, std::string_view key) {
  if (!line.starts_with(key) || line.size() == key.size() || line[key.size()] != ':')
    return std::nullopt;
  line.remove_prefix(key.size() + 1);
  if (!line.empty() && line.front() != ' ') return std::nullopt;
  return line;
}

bool is_blank(std::string_view text) {
  const std::size_t first = text.find_first_not_of(' ');
  return first == std::string_view::npos || text[first] == '#';
}

bool may_mark(char first) { return first == '-' || first == '.' || first == '%'; }

// Where the next line begins, behind this place, that may be a marker or a directive; the size of
// the text when there is none. Nearly all of a text is passed over here.
std::size_t next_marked_line(std::string_view text, std::size_t from) {
  const char* p = text.data() + from;
  const char* const end = text.data() + text.size();
#if defined(__SSE2__)
  const auto is = [](__m128i bytes, char c) { return _mm_cmpeq_epi8(bytes, _mm_set1_epi8(c)); };
  for (; end - p > 16; p += 16) {
    const __m128i here = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
    const __m128i behind = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p + 1));
    const __m128i marks =
        _mm_or_si128(is(behind, '-'), _mm_or_si128(is(behind, '.'), is(behind, '%')));
    const auto found =
        static_cast<unsigned>(_mm_movemask_epi8(_mm_and_si128(is(here, '\n'), marks)));
    if (found != 0) return static_cast<std::size_t>(p - text.data()) + std::countr_zero(found) + 1;
  }
#endif
  for (; end - p > 1; ++p) {
    if (p[0] == '\n' && may_mark(p[1])) return static_cast<std::size_t>(p - text.data()) + 1;
  }
  return text.size();
}

// Follows the few lines that matter: apiVersion, kind and spec at the margin, group and names
// inside of spec, kind inside of names.
class DefinitionScanner {
 public:
  Scan run(std::string_view text, ScannedDefinition& out) {
    while (!text.empty()) {
      const std::string_view line = take_any_line(text);
      const std::size_t indent = line.find_first_not_of(' ');
      if (indent == std::string_view::npos || line[indent] == '#') continue;
      if (indent == 0) {
        if (is_marker(line, "---")) {
          if (!is_blank(line.substr(3))) return Scan::kUnclear;
          continue;
        }
        if (const auto result = at_margin(line)) return *result;
      } else if (in_spec_ && !inside_spec(line.substr(indent), indent)) {
        return Scan::kUnclear;
      }
      if (is_definition_ && is_v1_ && !group_.empty() && !kind_.empty()) {
        out = {group_, kind_};
        return Scan::kDefinition;
      }
    }
    return saw_key_ && !is_definition_ ? Scan::kOther : Scan::kUnclear;
  }

 private:
  std::optional<Scan> at_margin(std::string_view line) {
    in_spec_ = false;
    const char first = line.front();
    const bool plain = (first >= 'a' && first <= 'z') || (first >= 'A' && first <= 'Z');
    if (!plain && !(first == '-' && saw_key_))
      return Scan::kUnclear;  // quoted keys, flow style, sequences, tags
    saw_key_ = true;
    if (const auto kind = behind_key(line, "kind")) {
      const auto text = simple_scalar(*kind);
      if (!text) return Scan::kUnclear;
      if (*text != "CustomResourceDefinition")
        return *text == "List" || *text == "CustomResourceDefinitionList" ? Scan::kUnclear
                                                                          : Scan::kOther;
      is_definition_ = true;
    } else if (const auto version = behind_key(line, "apiVersion")) {
      const auto text = simple_scalar(*version);
      if (!text) return Scan::kUnclear;
      if (*text != "apiextensions.k8s.io/v1") return *text == "v1" ? Scan::kUnclear : Scan::kOther;
      is_v1_ = true;
    } else if (behind_key(line, "openapi") || behind_key(line, "swagger")) {
      return Scan::kUnclear;  // not a definition, but a document of many schemas
    } else if (const auto spec = behind_key(line, "spec")) {
      if (!is_blank(*spec)) return Scan::kUnclear;
      in_spec_ = true;
      spec_indent_ = 0;
      names_indent_ = 0;
      in_names_ = false;
    }
    return std::nullopt;
  }

  // False when the line is not what it should be.
  bool inside_spec(std::string_view line, std::size_t indent) {
    if (spec_indent_ == 0) spec_indent_ = indent;
    if (indent == spec_indent_) {
      in_names_ = false;
      if (const auto group = behind_key(line, "group")) {
        const auto text = simple_scalar(*group);
        if (!text) return false;
        group_ = *text;
      } else if (const auto names = behind_key(line, "names")) {
        if (!is_blank(*names)) return false;
        in_names_ = true;
        names_indent_ = 0;
      }
    } else if (in_names_) {
      if (names_indent_ == 0) names_indent_ = indent;
      if (indent != names_indent_) return true;
      if (const auto kind = behind_key(line, "kind")) {
        const auto text = simple_scalar(*kind);
        if (!text) return false;
        kind_ = *text;
      }
    }
    return true;
  }

  bool saw_key_ = false;
  bool is_definition_ = false;
  bool is_v1_ = false;
  bool in_spec_ = false;
  bool in_names_ = false;
  std::size_t spec_indent_ = 0;
  std::size_t names_indent_ = 0;
  std::string_view group_;
  std::string_view kind_;
};

}  // namespace

std::optional<std::vector<std::string_view>> split_yaml(std::string_view text) {
  std::vector<std::string_view> out;
  if (text.starts_with("\xef\xbb\xbf") || text.starts_with("\xff\xfe") ||
      text.starts_with("\xfe\xff")) {
    return std::nullopt;
  }
  std::size_t start = 0;
  for (std::size_t line = 0; line < text.size(); line = next_marked_line(text, line)) {
    const std::string_view rest = text.substr(line);
    if (rest.front() == '%' || rest.starts_with("...")) return std::nullopt;
    if (line > start && rest.starts_with("---")) {
      const bool marker =
          rest.size() == 3 || std::string_view(" \t\r\n").find(rest[3]) != std::string_view::npos;
      if (marker) {
        out.push_back(text.substr(start, line - start));
        start = line;
      }
    }
  }
  out.push_back(text.substr(start));
  return out;
}

Scan scan_definition(std::string_view document, ScannedDefinition& out) {
  return DefinitionScanner().run(document, out);
}

std::vector<ScannedPart> scan_text(std::string_view text) {
  std::vector<ScannedPart> out;
  const auto parts = split_yaml(text);
  if (!parts) return {{.text = text}};
  out.reserve(parts->size());
  for (const std::string_view part : *parts) {
    ScannedPart& scanned = out.emplace_back(ScannedPart{.text = part});
    scanned.scan = scan_definition(part, scanned.definition);
  }
  return out;
}

}  // namespace strake::validate
