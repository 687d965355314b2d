#include "value/yaml_comments.h"

#include <algorithm>

// A line scanner that tracks only what decides whether a # starts a comment: open quotes, block
// scalars, flow depth, and whether a plain scalar may go on below. It accepts more than YAML does;
// texts with errors are reported by the parser, not here. One pass, linear time.
//
// The end of a block scalar depends on the indentation of the collection it is in. That is
// approximated by the column of the innermost key or dash seen (parent_), which is exact for valid
// text.

namespace strake::value {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
bool is_flow_mark(char c) { return std::string_view(",[]{}").find(c) != std::string_view::npos; }

class CommentScanner {
 public:
  explicit CommentScanner(std::string_view text) : text_(text) {}

  std::vector<YamlComment> scan() {
    if (text_.starts_with("\xef\xbb\xbf")) at_ = line_start_ = 3;
    while (at_ < text_.size()) scan_line();
    return std::move(found_);
  }

 private:
  char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\n';
  }
  bool at_line_end() const { return peek() == '\n'; }
  bool ends_word(std::size_t ahead) const { return is_blank(peek(ahead)) || peek(ahead) == '\n'; }
  std::ptrdiff_t column() const { return static_cast<std::ptrdiff_t>(at_ - line_start_); }

  void next_line() {
    at_ = std::min(text_.find('\n', at_), text_.size() - 1) + 1;
    line_start_ = at_;
    ++line_;
  }

  void take_comment() {
    std::size_t end = std::min(text_.find('\n', at_), text_.size());
    const std::string_view before = text_.substr(line_start_, at_ - line_start_);
    const bool whole_line = std::ranges::all_of(before, is_blank);
    const std::size_t next = end;
    if (end > at_ && text_[end - 1] == '\r') --end;
    found_.push_back({.begin = at_, .end = end, .line = line_, .whole_line = whole_line});
    at_ = next;
    plain_open_ = false;
  }

  bool comment_here() const {
    return peek() == '#' && (at_ == line_start_ || is_blank(text_[at_ - 1]));
  }

  void scan_line() {
    while (is_blank(peek())) ++at_;
    if (at_line_end()) return next_line();
    const std::ptrdiff_t indent = column();
    node_ = -1;
    if (comment_here()) {
      take_comment();
      return next_line();
    }
    if (flow_depth_ == 0 && indent == 0 && (starts_marker("---") || starts_marker("..."))) {
      at_ += 3;
      parent_ = -1;
      plain_open_ = false;
      // A line to the right of the open key continues the plain scalar above, so a quote or bracket
      // at its start is text and opens nothing.
    } else if (plain_open_ && flow_depth_ == 0 && indent > parent_) {
      scan_plain();
    }
    line_done_ = false;
    while (!line_done_ && !at_line_end()) scan_token();
    if (!line_done_) next_line();
  }

  bool starts_marker(std::string_view marker) const {
    return text_.substr(at_).starts_with(marker) && ends_word(marker.size());
  }

  void start_node() {
    if (node_ < 0) node_ = column();
  }

  void scan_token() {
    const char c = peek();
    if (is_blank(c)) {
      ++at_;
    } else if (comment_here()) {
      take_comment();
    } else if (c == '"' || c == '\'') {
      start_node();
      skip_quoted(c);
    } else if (flow_depth_ == 0 && (c == '-' || c == '?') && ends_word(1)) {
      parent_ = column();
      node_ = -1;
      ++at_;
    } else if (c == ':' && (ends_word(1) || flow_depth_ > 0)) {
      // The key began where the node on this line began, which may be before an anchor or a tag.
      if (flow_depth_ == 0 && node_ >= 0) parent_ = node_;
      node_ = -1;
      ++at_;
    } else if (flow_depth_ == 0 && (c == '|' || c == '>') && block_header_here()) {
      skip_block_scalar();
    } else if (c == '&' || c == '*' || c == '!') {
      start_node();
      while (!ends_word(0) && (flow_depth_ == 0 || !is_flow_mark(peek()))) ++at_;
    } else if (c == '[' || c == '{') {
      start_node();
      ++flow_depth_;
      ++at_;
    } else if (flow_depth_ > 0 && is_flow_mark(c)) {
      if (c != ',') --flow_depth_;
      ++at_;
    } else {
      start_node();
      scan_plain();
    }
  }

  // Up to what ends the scalar on this line. It may go on below: then plain_open_ stays set.
  void scan_plain() {
    plain_open_ = true;
    while (!at_line_end()) {
      if (comment_here()) return take_comment();
      const char c = peek();
      const bool key_ends =
          c == ':' && (ends_word(1) || (flow_depth_ > 0 && is_flow_mark(peek(1))));
      if (key_ends || (flow_depth_ > 0 && is_flow_mark(c))) {
        plain_open_ = false;
        return;
      }
      ++at_;
    }
  }

  void skip_quoted(char quote) {
    plain_open_ = false;
    // next_line() inside the quotes must not move the start of the node: a key's column is that of
    // its opening quote.
    const std::ptrdiff_t node = node_;
    ++at_;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '\n') {
        next_line();
        continue;
      }
      if (quote == '"' && c == '\\' && peek(1) != '\n') {
        at_ += 2;
        continue;
      }
      ++at_;
      if (c != quote) continue;
      if (quote == '\'' && peek() == '\'') {
        ++at_;
        continue;
      }
      break;
    }
    node_ = node;
  }

  bool block_header_here() const {
    std::size_t ahead = 1;
    while (std::string_view("+-123456789").find(peek(ahead)) != std::string_view::npos) ++ahead;
    if (!ends_word(ahead)) return false;
    while (is_blank(peek(ahead))) ++ahead;
    return peek(ahead) == '\n' || peek(ahead) == '#';
  }

  std::ptrdiff_t indent_of_line() const {
    const std::size_t first = std::min(text_.find_first_not_of(' ', line_start_), text_.size());
    return static_cast<std::ptrdiff_t>(first - line_start_);
  }
  bool line_is_blank() const {
    const std::string_view line =
        text_.substr(line_start_, text_.find('\n', line_start_) - line_start_);
    return std::ranges::all_of(line, is_blank);
  }

  // Leaves the scanner at the start of the line that ended the scalar.
  void skip_block_scalar() {
    plain_open_ = false;
    // Even at the top level the text of a block scalar is indented by one, unless the header says
    // so.
    const std::ptrdiff_t least = std::max<std::ptrdiff_t>(parent_ + 1, 1);
    std::ptrdiff_t content = -1;  // found at the first line with text, unless the header says it
    for (++at_; !ends_word(0); ++at_) {
      if (peek() >= '1' && peek() <= '9')
        content = std::max<std::ptrdiff_t>(parent_, 0) + (peek() - '0');
    }
    while (is_blank(peek())) ++at_;
    if (peek() == '#') take_comment();
    for (next_line(); at_ < text_.size(); next_line()) {
      if (line_is_blank()) continue;
      const std::ptrdiff_t indent = indent_of_line();
      if (content < 0) content = std::max(indent, least);
      if (indent < content) break;
    }
    line_done_ = true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t line_start_ = 0;
  std::uint32_t line_ = 1;
  std::ptrdiff_t parent_ = -1;  // column of the innermost key or dash seen
  std::ptrdiff_t node_ = -1;    // column where the node being read on this line began
  std::size_t flow_depth_ = 0;
  bool line_done_ = false;   // a block scalar ended, and with it the line it began on
  bool plain_open_ = false;  // a plain scalar reached the end of its line
  std::vector<YamlComment> found_;
};

}  // namespace

std::vector<YamlComment> find_yaml_comments(std::string_view text) {
  return CommentScanner(text).scan();
}

UncommentedText remove_yaml_comments(std::string_view text,
                                     const std::vector<YamlComment>& comments) {
  struct Line {
    std::string text;
    bool all_comment = false;
    bool empty = false;
    bool next_to_comment = false;
  };
  std::vector<Line> lines;
  auto comment = comments.begin();
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size() - 1) + 1;
    Line& line = lines.emplace_back();
    line.text = text.substr(start, end - start);
    if (comment != comments.end() && comment->begin < end) {
      line.all_comment = comment->whole_line;
      line.text.erase(comment->begin - start, comment->end - comment->begin);
      const std::size_t last = line.text.find_last_not_of(" \t\r\n");
      line.text.erase(last == std::string::npos ? 0 : last + 1);
      line.text += '\n';
      ++comment;
    }
    line.empty = !line.all_comment &&
                 std::ranges::all_of(line.text, [](char c) { return c == '\n' || c == '\r'; });
    start = end;
  }
  // Empty lines form runs between comments. One pass down and one up reach every empty line of a
  // run that touches a comment at either end.
  const auto spread = [](Line& line, const Line& neighbour) {
    if (line.empty && (neighbour.all_comment || neighbour.next_to_comment))
      line.next_to_comment = true;
  };
  for (std::size_t i = 1; i < lines.size(); ++i) spread(lines[i], lines[i - 1]);
  for (std::size_t i = lines.size(); i > 1; --i) spread(lines[i - 2], lines[i - 1]);

  UncommentedText out;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i].all_comment || lines[i].next_to_comment) continue;
    out.text += lines[i].text;
    out.lines.push_back(static_cast<std::uint32_t>(i + 1));
  }
  return out;
}

}  // namespace strake::value
