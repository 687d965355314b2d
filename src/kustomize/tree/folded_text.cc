#include "kustomize/tree/folded_text.h"

#include "value/yaml_parser.h"

namespace strake::kustomize {
namespace {

using value::YamlEvent;
using value::YamlEventKind;
using value::YamlParser;

constexpr std::string_view kLineSeparator = "\xe2\x80\xa8";
constexpr std::string_view kParagraphSeparator = "\xe2\x80\xa9";

// The length of the line break at a place; 0 when there is none.
std::size_t break_at(std::string_view text, std::size_t at) {
  if (at >= text.size()) return 0;
  if (text[at] == '\n') return 1;
  const std::string_view rest = text.substr(at);
  return rest.starts_with(kLineSeparator) || rest.starts_with(kParagraphSeparator) ? 3 : 0;
}

bool ends_with_break(std::string_view text) {
  return text.ends_with('\n') || text.ends_with(kLineSeparator) ||
         text.ends_with(kParagraphSeparator);
}

// Whether the writer takes the character as it is; the others make it use double quotes.
bool writes_as_is(std::string_view rest) {
  const auto byte = [&](std::size_t i) {
    return i < rest.size() ? static_cast<unsigned char>(rest[i]) : 0U;
  };
  if (byte(0) < 0x80)
    return byte(0) == '\n' || byte(0) == '\t' || (byte(0) >= ' ' && byte(0) < 0x7f);
  if (byte(0) < 0xc0) return true;  // within a character
  if (byte(0) == 0xc2) return byte(1) >= 0xa0;
  if (byte(0) == 0xef) {
    return !(byte(1) == 0xbb && byte(2) == 0xbf) && !(byte(1) == 0xbf && byte(2) >= 0xbe);
  }
  return byte(0) < 0xf0;
}

bool may_be_block(std::string_view text) {
  if (text.empty() || text.ends_with(' ')) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == ' ' && break_at(text, i + 1) > 0) return false;
    if (!writes_as_is(text.substr(i))) return false;
  }
  return true;
}

// As an item of a list.
std::string folded_item(std::string_view text) {
  std::string out = "- >";
  if (text.starts_with(' ') || break_at(text, 0) > 0) out += '2';
  if (!ends_with_break(text)) {
    out += '-';
  } else {
    const std::size_t last = text.ends_with('\n') ? 1 : 3;
    if (text.size() == last || ends_with_break(text.substr(0, text.size() - last))) out += '+';
  }
  out += '\n';
  // The writer looks at the first line that is not empty, whichever line it is at.
  std::size_t first = 0;
  while (const std::size_t width = break_at(text, first)) first += width;
  const bool doubles = first < text.size() && text[first] != ' ' && text[first] != '\t';
  bool at_break = true;
  bool blank_start = true;
  for (std::size_t i = 0; i < text.size();) {
    if (const std::size_t width = break_at(text, i)) {
      if (!at_break && !blank_start && text[i] == '\n' && doubles) out += '\n';
      out += text.substr(i, width);
      i += width;
      at_break = true;
      continue;
    }
    if (at_break) {
      out += "  ";
      blank_start = text[i] == ' ' || text[i] == '\t';
    }
    out += text[i++];
    at_break = false;
  }
  // The last break is the text's own.
  if (!ends_with_break(text)) out += '\n';
  return out;
}

}  // namespace

std::string refolded(std::string_view text) {
  if (!may_be_block(text)) return std::string(text);
  const std::string yaml = folded_item(text);
  YamlParser parser(yaml, {});
  YamlEvent event;
  while (parser.next(event)) {
    if (event.kind == YamlEventKind::kScalar) return std::string(event.text);
    if (event.kind == YamlEventKind::kStreamEnd) break;
  }
  return std::string(text);
}

}  // namespace strake::kustomize
