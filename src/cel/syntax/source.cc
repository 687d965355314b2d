#include "cel/syntax/source.h"

#include <fmt/format.h>

#include <algorithm>

namespace strake::cel {
namespace {

constexpr std::size_t kMaxReported = 100;
constexpr std::size_t kMaxSnippetBytes = 16'384;

bool starts_code_point(char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }

}  // namespace

Source::Source(std::string text) : text_(std::move(text)), line_bytes_{0}, line_points_{0} {
  for (std::uint32_t i = 0; i < text_.size(); ++i) {
    if (starts_code_point(text_[i])) ++code_points_;
    if (static_cast<unsigned char>(text_[i]) >= 0x80) ascii_ = false;
    if (text_[i] == '\n') {
      line_bytes_.push_back(i + 1);
      line_points_.push_back(code_points_);
    }
  }
}

Position Source::position(std::uint32_t offset) const {
  if (line_points_.empty()) return {};
  const auto after = std::ranges::upper_bound(line_points_, offset);
  const auto line = static_cast<std::uint32_t>(after - line_points_.begin());
  Position at;
  at.line = line;
  at.column = offset - line_points_[line - 1] + 1;
  at.offset = line_bytes_[line - 1];
  std::uint32_t points = line_points_[line - 1];
  while (at.offset < text_.size() && points < offset) {
    ++at.offset;
    while (at.offset < text_.size() && !starts_code_point(text_[at.offset])) ++at.offset;
    ++points;
  }
  return at;
}

std::string_view Source::line(std::uint32_t number) const {
  if (number == 0 || number > line_bytes_.size()) return {};
  const std::uint32_t start = line_bytes_[number - 1];
  const std::size_t end = number < line_bytes_.size() ? line_bytes_[number] - 1 : text_.size();
  return std::string_view(text_).substr(start, end - start);
}

void Issues::sort() {
  // By insertion: there are few, and equal places keep their order.
  for (std::size_t i = 1; i < issues.size(); ++i) {
    for (std::size_t j = i; j > 0 && issues[j].offset < issues[j - 1].offset; --j) {
      std::swap(issues[j], issues[j - 1]);
    }
  }
}

std::string Issues::to_string(const Source& source) const {
  std::string out;
  const std::size_t shown = std::min(issues.size(), kMaxReported);
  for (std::size_t i = 0; i < shown; ++i) {
    const Issue& issue = issues[i];
    if (i != 0) out += '\n';
    if (issue.placeless) {
      out += fmt::format("ERROR: <input>:-1:0: {}", issue.message);
      continue;
    }
    const Position at = source.position(issue.offset);
    out += fmt::format("ERROR: <input>:{}:{}: {}", at.line, at.column, issue.message);
    std::string snippet(source.line(at.line));
    if (snippet.size() > kMaxSnippetBytes) continue;
    std::ranges::replace(snippet, '\t', ' ');
    out += "\n | " + snippet + "\n | ";
    // Wide characters get wide dots, so that the caret stands under its place.
    std::size_t byte = 0;
    auto wide = [&] {
      const bool multibyte =
          byte < snippet.size() && static_cast<unsigned char>(snippet[byte]) >= 0x80;
      if (byte < snippet.size()) ++byte;
      while (byte < snippet.size() && !starts_code_point(snippet[byte])) ++byte;
      return multibyte;
    };
    for (std::uint32_t column = 1; column < at.column && byte < snippet.size(); ++column) {
      out += wide() ? "\uFF0E" : ".";
    }
    out += wide() ? "\uFF3E" : "^";
  }
  if (shown < issues.size()) {
    out += fmt::format("\n{} more errors were truncated", issues.size() - shown);
  }
  return out;
}

}  // namespace strake::cel
