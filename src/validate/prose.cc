#include "validate/prose.h"

#include <algorithm>
#include <cstring>
#include <optional>

namespace strake::validate {
namespace {

constexpr std::string_view kDescription = "description:";

std::string_view line_from(std::string_view text, std::size_t at) {
  const void* end = std::memchr(text.data() + at, '\n', text.size() - at);
  if (end == nullptr) return text.substr(at);
  return text.substr(
      at, static_cast<std::size_t>(static_cast<const char*>(end) - text.data()) + 1 - at);
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \r\n") + 1 - first);
}

bool ends_in_block_scalar(std::string_view line) {
  // key: |-  or  - >2 : the sign is the last word of the line.
  line = trimmed(line);
  const std::size_t space = line.rfind(' ');
  if (space == std::string_view::npos) return false;
  const std::string_view word = line.substr(space + 1);
  return !word.empty() && (word.front() == '|' || word.front() == '>') &&
         word.find_first_not_of("+-0123456789", 1) == std::string_view::npos;
}

bool holds_data(std::string_view key) {
  return key == "default:" || key == "example:" || key == "examples:" || key == "enum:";
}

class ProseCutter {
 public:
  explicit ProseCutter(std::string_view text) : text_(text) { out_.reserve(text.size() / 2); }

  // False when the text is not what this can read.
  bool run() {
    bool in_spec = false;
    while (at_ < text_.size()) {
      const std::string_view line = line_from(text_, at_);
      const std::size_t indent = line.find_first_not_of(' ');
      if (indent == std::string_view::npos || line[indent] == '\n' || line[indent] == '#') {
        copy(line);
        continue;
      }
      if (line[indent] == '\t') return false;
      if (indent == 0) in_spec = line.starts_with("spec:");
      const std::string_view rest = line.substr(indent);
      if (in_spec && rest.starts_with(kDescription)) {
        if (!cut(line, indent)) return false;
        continue;
      }
      if (!copy_value(line, indent)) return false;
      const std::string_view words = trimmed(rest);
      if (ends_in_block_scalar(rest) || holds_data(words)) copy_inside(indent);
    }
    return true;
  }

  std::string take() { return std::move(out_); }

 private:
  void copy(std::string_view line) {
    out_ += line;
    at_ += line.size();
  }

  // Where what belongs to a line of this indent ends: lines that stand deeper, and blank ones.
  std::size_t end_of_inside(std::size_t indent, bool with_sequence) const {
    std::size_t at = at_;
    while (at < text_.size()) {
      const std::string_view line = line_from(text_, at);
      const std::size_t first = line.find_first_not_of(' ');
      const bool blank =
          first == std::string_view::npos || line[first] == '\n' || line[first] == '\r';
      const bool deeper =
          !blank && (first > indent || (with_sequence && first == indent && line[first] == '-'));
      if (!blank && !deeper) break;
      at += line.size();
    }
    return at;
  }

  void copy_inside(std::size_t indent) {
    copy(text_.substr(at_, end_of_inside(indent, true) - at_));
  }

  // Whatever a quoted text holds, it is copied to its end. False when the line is out of the
  // ordinary.
  bool copy_value(std::string_view line, std::size_t indent) {
    std::size_t value = indent;
    while (line.substr(value).starts_with("- "))
      value = std::min(line.find_first_not_of(' ', value + 1), line.size());
    if (value < line.size() && line[value] != '"' && line[value] != '\'') {
      const std::size_t colon = line.find(": ", value);
      if (colon == std::string_view::npos) return copy(line), true;
      value = std::min(line.find_first_not_of(' ', colon + 1), line.size());
    }
    if (value == line.size()) return copy(line), true;
    if (line[value] == '{' || line[value] == '[') {
      const std::string_view words = trimmed(line);
      return copy(line), words.ends_with('}') || words.ends_with(']');
    }
    if (line[value] != '"' && line[value] != '\'') return copy(line), true;
    const auto end = end_of_quoted(at_ + value);
    if (!end) return false;
    copy(text_.substr(at_, *end - at_));
    return true;
  }

  bool cut(std::string_view line, std::size_t indent) {
    const std::string_view words = trimmed(line.substr(indent + kDescription.size()));
    const std::string_view behind = line.substr(indent + kDescription.size());
    if (!behind.starts_with(' ') && !words.empty()) {
      copy(line);
      return true;
    }
    // A property of that name, or something out of the ordinary.
    if (words.empty() ||
        std::string_view("&*!{[#%@`").find(words.front()) != std::string_view::npos) {
      copy(line);
      return true;
    }
    const char first = words.front();
    if (first == '"' || first == '\'') {
      const auto end = end_of_quoted(at_ + indent + line.substr(indent).find(first));
      if (!end) return false;
      at_ = *end;
    } else {
      at_ += line.size();
      at_ = end_of_inside(indent, false);
    }
    out_.append(indent, ' ');
    out_ += kDescription;
    out_ += " x\n";
    return true;
  }

  // The start of the line behind a quoted text; nothing when something else follows in its last
  // line.
  std::optional<std::size_t> end_of_quoted(std::size_t open) const {
    const char quote = text_[open];
    std::size_t i = open + 1;
    for (; i < text_.size(); ++i) {
      if (quote == '"' && text_[i] == '\\') {
        ++i;
      } else if (text_[i] == quote) {
        if (quote == '"' || i + 1 == text_.size() || text_[i + 1] != quote) break;
        ++i;
      }
    }
    if (i >= text_.size()) return std::nullopt;
    const std::string_view rest = line_from(text_, i + 1 < text_.size() ? i + 1 : text_.size() - 1);
    if (i + 1 == text_.size()) return text_.size();
    if (!trimmed(rest).empty()) return std::nullopt;
    return i + 1 + rest.size();
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string out_;
};

}  // namespace

std::string without_prose(std::string_view document) {
  ProseCutter cutter(document);
  if (!cutter.run()) return std::string(document);
  return cutter.take();
}

}  // namespace strake::validate
