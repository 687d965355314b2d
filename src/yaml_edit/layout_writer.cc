// The text of a layout, as yaml.v3 writes it for kustomize v5.5.0: two spaces a level, lists in the
// column of their key, lines never folded, scalars in their own style where that can hold them.
#include <algorithm>

#include "base/utf8.h"
#include "yaml_edit/layout.h"

namespace strake::yaml_edit {
namespace {

constexpr std::size_t kStep = 2;

// What a text has that some styles cannot hold.
struct TextTraits {
  bool special = false;  // not printable, as yaml.v3 sees it: emoji are not, either
  bool tabs = false;
  bool breaks = false;
  bool space_break = false;  // a space before a line break
  bool break_space = false;
  bool trailing_space = false;
};

bool is_printable(char32_t c) {
  if (c == 0x2028 || c == 0x2029) return false;  // line breaks of YAML 1.1
  return (c >= 0x20 && c <= 0x7e) || (c >= 0xa0 && c <= 0xd7ff) ||
         (c >= 0xe000 && c <= 0xfffd && c != 0xfeff);
}

TextTraits traits_of(std::string_view text) {
  TextTraits out;
  char32_t before = 0;
  for (std::size_t i = 0; i < text.size();) {
    const utf8::Decoded c = utf8::decode(text.substr(i));
    if (c.code_point == '\t') {
      out.tabs = true;
    } else if (c.code_point == '\n') {
      out.breaks = true;
      out.space_break = out.space_break || before == ' ';
    } else if (!is_printable(c.code_point)) {
      out.special = true;
    }
    if (c.code_point == ' ' && before == '\n') out.break_space = true;
    before = c.code_point;
    i += c.width;
  }
  out.trailing_space = before == ' ';
  return out;
}

std::string double_quoted(std::string_view text) {
  std::string out = "\"";
  for (std::size_t i = 0; i < text.size();) {
    const utf8::Decoded c = utf8::decode(text.substr(i));
    const std::string_view bytes = text.substr(i, c.width);
    i += c.width;
    switch (c.code_point) {
      case 0: out += "\\0"; continue;
      case 7: out += "\\a"; continue;
      case 8: out += "\\b"; continue;
      case 9: out += "\\t"; continue;
      case 10: out += "\\n"; continue;
      case 11: out += "\\v"; continue;
      case 12: out += "\\f"; continue;
      case 13: out += "\\r"; continue;
      case 27: out += "\\e"; continue;
      case '"': out += "\\\""; continue;
      case '\\': out += "\\\\"; continue;
      case 0x85: out += "\\N"; continue;
      case 0x2028: out += "\\L"; continue;
      case 0x2029: out += "\\P"; continue;
      default: break;
    }
    if (is_printable(c.code_point)) {
      out += bytes;
    } else if (c.code_point <= 0xff) {
      out += fmt::format("\\x{:02X}", static_cast<std::uint32_t>(c.code_point));
    } else if (c.code_point <= 0xffff) {
      out += fmt::format("\\u{:04X}", static_cast<std::uint32_t>(c.code_point));
    } else {
      out += fmt::format("\\U{:08X}", static_cast<std::uint32_t>(c.code_point));
    }
  }
  return out + "\"";
}

std::string block_hints(std::string_view text) {
  std::string out;
  if (text.starts_with(' ') || text.starts_with('\n')) out += std::to_string(kStep);
  if (!text.ends_with('\n')) {
    out += '-';
  } else if (text == "\n" || text.ends_with("\n\n")) {
    out += '+';
  }
  return out;
}

class LayoutWriter {
 public:
  std::string write(const std::vector<LayoutDocument>& documents) {
    for (std::size_t i = 0; i < documents.size(); ++i) {
      if (i > 0) out_ += "---\n";
      write_document(documents[i]);
    }
    return std::move(out_);
  }

 private:
  void write_document(const LayoutDocument& document) {
    foot_ = kNoFoot;
    if (document.empty) {
      out_.append(document.head).append(1, '\n');
      return;
    }
    if (!document.head.empty()) out_.append(document.head).append("\n\n");
    const LayoutNode& root = document.root;
    if (is_block(root)) {
      write_properties(root, "");
      if (!root.anchor.empty() || !root.tag.empty()) out_ += '\n';
      write_block(root, 0, false);
    } else {
      write_inline(root, kStep, "");
      if (!std::exchange(ends_line_, false)) out_ += '\n';
    }
    if (!document.foot.empty()) out_.append(1, '\n').append(document.foot).append(1, '\n');
  }

  static bool is_block(const LayoutNode& node) {
    return !node.is_scalar() && !node.alias && node.style != LayoutStyle::kFlow &&
           !node.entries.empty();
  }

  // A line starts here; after a foot comment at the same depth an empty line comes first, or the
  // comment would be taken for the head of what follows.
  void indent(std::size_t width) {
    if (foot_ == width) out_ += '\n';
    foot_ = kNoFoot;
    out_.append(width, ' ');
  }

  void write_comment(std::string_view text, std::size_t width, bool first_is_indented) {
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      const std::string_view line = text.substr(0, end);
      text.remove_prefix(std::min(end + 1, text.size()));
      if (!std::exchange(first_is_indented, false) && !line.empty()) indent(width);
      out_.append(line).append(1, '\n');
    }
  }

  void write_properties(const LayoutNode& node, std::string_view before) {
    if (!node.anchor.empty()) out_.append(before).append("&").append(node.anchor);
    if (!node.anchor.empty() && !node.tag.empty()) before = " ";
    if (!node.tag.empty()) out_.append(before).append(node.tag);
  }

  // The entries of a block collection. `continued`: a dash stands before the first.
  void write_block(const LayoutNode& node, std::size_t width, bool continued) {
    for (const LayoutEntry& entry : node.entries) {
      bool placed = std::exchange(continued, false);
      if (!entry.head.empty()) {
        write_comment(entry.head, width, placed);
        placed = false;
      }
      if (!placed) indent(width);
      if (node.is_map()) {
        write_inline(entry.key, width, "", true);
        // A colon may be part of an alias.
        out_ += entry.key.alias ? " :" : ":";
      } else {
        out_ += '-';
      }
      write_value(entry, width, node.is_list());
      if (entry.foot.empty()) continue;
      // Below a key without a value it is indented, or it would be taken for what follows.
      const bool nothing = node.is_map() && is_nothing(entry.value);
      write_comment(entry.foot, nothing ? width + kStep : width, false);
      if (!nothing) foot_ = width;
    }
  }

  static bool is_nothing(const LayoutNode& node) {
    return node.is_scalar() && !node.alias && node.style == LayoutStyle::kPlain &&
           node.text.empty() && node.tag.empty() && node.anchor.empty();
  }

  void write_value(const LayoutEntry& entry, std::size_t width, bool in_list) {
    const LayoutNode& value = entry.value;
    if (!is_block(value)) {
      write_inline(value, width + kStep, " ", false, entry.line_comment);
      if (!is_block_scalar(value) && !entry.line_comment.empty())
        out_.append(1, ' ').append(entry.line_comment);
      if (!ends_line_) out_ += '\n';
      ends_line_ = false;
      return;
    }
    write_properties(value, " ");
    if (!entry.line_comment.empty()) out_.append(1, ' ').append(entry.line_comment);
    const bool marked = !value.anchor.empty() || !value.tag.empty() || !entry.line_comment.empty();
    if (in_list && !marked) {
      out_ += ' ';
      write_block(value, width + kStep, true);
      return;
    }
    out_ += '\n';
    write_block(value, value.is_list() && !in_list ? width : width + kStep, false);
  }

  // The style in which a block scalar is written, once it is known to fit.
  static bool is_block_scalar(const LayoutNode& node) {
    if (!node.is_scalar() || node.alias) return false;
    const LayoutStyle style = settled_style(node, false, false);
    return style == LayoutStyle::kLiteral || style == LayoutStyle::kFolded;
  }

  static LayoutStyle settled_style(const LayoutNode& node, bool key, bool flow) {
    const TextTraits traits = traits_of(node.text);
    LayoutStyle style = node.style;
    if (style == LayoutStyle::kPlain && traits.breaks) style = LayoutStyle::kLiteral;
    const bool block = style == LayoutStyle::kLiteral || style == LayoutStyle::kFolded;
    if (block && (key || flow || traits.special || traits.space_break || traits.trailing_space))
      return LayoutStyle::kDoubleQuoted;
    const bool odd = traits.special || traits.tabs || traits.space_break;
    if (style == LayoutStyle::kPlain && odd) return LayoutStyle::kDoubleQuoted;
    // At the start of a line they would end the document.
    if (style == LayoutStyle::kPlain &&
        (node.text.starts_with("---") || node.text.starts_with("...")))
      return LayoutStyle::kSingleQuoted;
    if (style == LayoutStyle::kSingleQuoted &&
        (odd || traits.break_space || (key && traits.breaks)))
      return LayoutStyle::kDoubleQuoted;
    return style;
  }

  // Anything but a block collection, after `before` unless there is nothing to write.
  void write_inline(const LayoutNode& node, std::size_t width, std::string_view before,
                    bool key = false, std::string_view comment = {}) {
    if (node.alias) {
      out_.append(before).append("*").append(node.text);
      return;
    }
    if (!node.is_scalar()) {
      write_properties(node, before);
      if (!node.anchor.empty() || !node.tag.empty()) before = " ";
      out_ += before;
      write_flow(node, width);
      return;
    }
    write_properties(node, before);
    if (!node.anchor.empty() || !node.tag.empty()) before = " ";
    const LayoutStyle style = settled_style(node, key, in_flow_);
    if (style == LayoutStyle::kPlain && node.text.empty()) {
      // Where nothing would be something else.
      if (in_flow_ || key) out_.append(before).append("null");
      return;
    }
    out_ += before;
    write_scalar(node.text, style, width, comment);
  }

  void write_scalar(std::string_view text, LayoutStyle style, std::size_t width,
                    std::string_view comment) {
    switch (style) {
      case LayoutStyle::kDoubleQuoted: out_ += double_quoted(text); return;
      case LayoutStyle::kSingleQuoted: return write_single_quoted(text, width);
      case LayoutStyle::kLiteral:
      case LayoutStyle::kFolded:
        out_.append(style == LayoutStyle::kLiteral ? "|" : ">").append(block_hints(text));
        if (!comment.empty()) out_.append(1, ' ').append(comment);
        out_ += '\n';
        if (style == LayoutStyle::kLiteral) {
          write_literal(text, width);
        } else {
          write_folded(text, width);
        }
        ends_line_ = true;
        return;
      default: out_ += text; return;
    }
  }

  void write_single_quoted(std::string_view text, std::size_t width) {
    out_ += '\'';
    bool breaks = false;
    for (const char c : text) {
      if (c == '\n') {
        if (!breaks) out_ += '\n';
        out_ += '\n';
        breaks = true;
        continue;
      }
      if (std::exchange(breaks, false)) out_.append(width, ' ');
      if (c == '\'') out_ += '\'';
      out_ += c;
    }
    if (breaks) out_.append(width, ' ');
    out_ += '\'';
  }

  void write_literal(std::string_view text, std::size_t width) {
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size());
      if (end > 0) out_.append(width, ' ').append(text.substr(0, end));
      out_ += '\n';
      text.remove_prefix(std::min(end + 1, text.size()));
    }
  }

  // Single line breaks between lines of words are doubled; long lines are left whole.
  void write_folded(std::string_view text, std::size_t width) {
    bool breaks = true;
    bool leading_space = true;
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] == '\n') {
        const std::size_t next = text.find_first_not_of('\n', i);
        const bool words = next != std::string_view::npos && text[next] != ' ';
        if (!breaks && !leading_space && words) out_ += '\n';
        out_ += '\n';
        breaks = true;
        continue;
      }
      if (std::exchange(breaks, false)) {
        out_.append(width, ' ');
        leading_space = text[i] == ' ';
      }
      out_ += text[i];
    }
    if (!breaks) out_ += '\n';
  }

  static bool has_comments(const LayoutNode& node) {
    return std::ranges::any_of(node.entries, [](const LayoutEntry& entry) {
      return !entry.head.empty() || !entry.line_comment.empty() || !entry.foot.empty();
    });
  }

  // On one line, unless there are comments to write.
  void write_flow(const LayoutNode& node, std::size_t width) {
    const bool outer = std::exchange(in_flow_, true);
    const bool tall = has_comments(node);
    out_ += node.is_map() ? '{' : '[';
    for (std::size_t i = 0; i < node.entries.size(); ++i) {
      const LayoutEntry& entry = node.entries[i];
      const bool last = i + 1 == node.entries.size();
      if (tall) {
        out_ += '\n';
        write_comment(entry.head, width, false);
        out_.append(width, ' ');
      }
      if (node.is_map()) {
        write_inline(entry.key, width, "", true);
        out_ += entry.key.alias ? " : " : ": ";
      }
      write_inline(entry.value, width + kStep, "");
      if (!last) out_ += tall ? "," : ", ";
      if (!entry.line_comment.empty()) out_.append(1, ' ').append(entry.line_comment);
      if (!entry.foot.empty()) {
        out_ += '\n';
        write_comment(entry.foot, width, false);
        out_.pop_back();
      }
    }
    if (tall) out_.append(1, '\n').append(width - std::min(width, kStep), ' ');
    out_ += node.is_map() ? '}' : ']';
    in_flow_ = outer;
  }

  static constexpr std::size_t kNoFoot = SIZE_MAX;

  std::string out_;
  std::size_t foot_ = kNoFoot;  // the depth of a foot comment that was just written
  bool in_flow_ = false;
  bool ends_line_ = false;  // a block scalar was written, with its last line break
};

}  // namespace

std::string write_layout(const std::vector<LayoutDocument>& documents) {
  return LayoutWriter().write(documents);
}

}  // namespace strake::yaml_edit
