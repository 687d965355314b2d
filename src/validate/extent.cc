#include "validate/extent.h"

#include <algorithm>

// How far the value at a position reaches in the text, for underlining it. The parser keeps where
// values begin, not where they end, and only the few that are shown need it; so the end is found
// again from the text. In YAML that is a close guess (comments and odd quoting may shorten it), and
// nothing but the underline depends on it.

namespace strake::validate {
namespace {

constexpr std::string_view kLineEnds = "\r\n";

std::size_t line_start(std::string_view text, std::size_t at) {
  const std::size_t before = at == 0 ? std::string_view::npos : text.rfind('\n', at - 1);
  return before == std::string_view::npos ? 0 : before + 1;
}

std::size_t line_end(std::string_view text, std::size_t at) {
  return std::min(text.find_first_of(kLineEnds, at), text.size());
}

// Behind the closing quote; the end of the text when there is none.
std::size_t skip_quoted(std::string_view text, std::size_t at) {
  const char quote = text[at++];
  while (at < text.size()) {
    if (quote == '"' && text[at] == '\\') {
      at += 2;
    } else if (text[at] == quote) {
      const bool doubled = quote == '\'' && at + 1 < text.size() && text[at + 1] == '\'';
      if (!doubled) return at + 1;
      at += 2;
    } else {
      ++at;
    }
  }
  return text.size();
}

// Behind the bracket that closes the one at `at`. A quote opens a text only where one may begin: in
// YAML it may also stand inside of a word.
std::size_t skip_flow(std::string_view text, std::size_t at) {
  std::size_t depth = 0;
  char before = '[';
  while (at < text.size()) {
    const char c = text[at];
    if ((c == '"' || c == '\'') && std::string_view("[{,:").contains(before)) {
      at = skip_quoted(text, at);
      before = c;
      continue;
    }
    if (c == '[' || c == '{') ++depth;
    if (c == ']' || c == '}') {
      if (--depth == 0) return at + 1;
    }
    if (!std::string_view(" \t\r\n").contains(c)) before = c;
    ++at;
  }
  return text.size();
}

// Whether a bracket is open on the line before the place.
bool in_flow(std::string_view text, std::size_t at) {
  int depth = 0;
  for (std::size_t i = line_start(text, at); i < at;) {
    if (text[i] == '"' || text[i] == '\'') {
      i = skip_quoted(text, i);
      continue;
    }
    if (text[i] == '[' || text[i] == '{') ++depth;
    if (text[i] == ']' || text[i] == '}') --depth;
    ++i;
  }
  return depth > 0;
}

// JSON is told at its start, since its lines may be long.
bool is_json(std::string_view text) {
  const std::size_t start = text.find_first_not_of(" \t\r\n");
  return start != std::string_view::npos && (text[start] == '{' || text[start] == '[');
}

std::size_t plain_end(std::string_view text, std::size_t at, bool flow) {
  const std::size_t most = line_end(text, at);
  std::size_t end = at;
  while (end < most) {
    const char c = text[end];
    const bool last = end + 1 >= most;
    if (c == ':' && (last || text[end + 1] == ' ' || (flow && text[end + 1] == ','))) break;
    if (c == ' ' && !last && text[end + 1] == '#') break;
    if (flow && (c == ',' || c == ']' || c == '}')) break;
    ++end;
  }
  while (end > at && text[end - 1] == ' ') --end;
  return end;
}

struct Line {
  std::size_t end;
  std::size_t indent;
  bool blank;
};
Line line_at(std::string_view text, std::size_t start) {
  const std::size_t end = line_end(text, start);
  const std::size_t first = std::min(text.find_first_not_of(' ', start), end);
  return {end, first - start, first == end || text[first] == '#'};
}

// The last line that still belongs to a block, given who goes on with it.
template <typename Belongs>
std::size_t block_end(std::string_view text, std::size_t at, Belongs belongs) {
  std::size_t end = line_end(text, at);
  std::size_t next = end;
  while (true) {
    next = text.find('\n', next);
    if (next == std::string_view::npos || ++next >= text.size()) break;
    const Line line = line_at(text, next);
    if (!line.blank) {
      if (!belongs(line, next)) break;
      end = line.end;
    }
    next = line.end;
  }
  while (end > at && std::string_view(" \r\n").contains(text[end - 1])) --end;
  return end;
}

std::size_t block_container_end(std::string_view text, std::size_t at) {
  const std::size_t column = at - line_start(text, at);
  const bool sequence = text[at] == '-';
  return block_end(text, at, [&](const Line& line, std::size_t start) {
    if (line.indent == 0 && text.substr(start).starts_with("---")) return false;
    if (line.indent == column) return !sequence || text[start + line.indent] == '-';
    return line.indent > column;
  });
}

// A text after | or > goes on as long as lines are indented deeper than what it is the value of.
std::size_t block_scalar_end(std::string_view text, std::size_t at) {
  const std::size_t start = line_start(text, at);
  std::size_t key = start;
  std::size_t dash = start;
  while (key < at && (text[key] == ' ' || text[key] == '-')) {
    if (text[key] == '-') dash = key;
    ++key;
  }
  const std::size_t indent = (key == at ? dash : key) - start;
  return block_end(text, at, [&](const Line& line, std::size_t) { return line.indent > indent; });
}

}  // namespace

std::uint64_t extent_at(std::string_view text, std::uint64_t offset, bool container) {
  if (offset >= text.size()) return 0;
  const auto at = static_cast<std::size_t>(offset);
  const char first = text[at];
  std::size_t end = 0;
  if (first == '{' || first == '[') {
    end = skip_flow(text, at);
  } else if (container) {
    end = block_container_end(text, at);
  } else if (first == '"' || first == '\'') {
    end = skip_quoted(text, at);
  } else if (first == '|' || first == '>') {
    end = block_scalar_end(text, at);
  } else {
    end = plain_end(text, at, is_json(text) || in_flow(text, at));
  }
  return std::min(end, text.size()) - at;
}

std::uint64_t json_extent_at(std::string_view text, std::uint64_t offset) {
  if (offset >= text.size()) return 0;
  const auto at = static_cast<std::size_t>(offset);
  const char first = text[at];
  const std::size_t end = first == '{' || first == '[' ? skip_flow(text, at)
                          : first == '"'               ? skip_quoted(text, at)
                                                       : plain_end(text, at, true);
  return std::min(end, text.size()) - at;
}

}  // namespace strake::validate
