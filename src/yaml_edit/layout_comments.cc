#include "yaml_edit/layout_comments.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "value/yaml_comments.h"

namespace strake::yaml_edit {
namespace {

void append_lines(std::string& to, std::string_view text) {
  if (!to.empty()) to += '\n';
  to += text;
}

class CommentPlacer {
 public:
  CommentPlacer(std::string_view text, const std::vector<PlacedEntry>& entries,
                const std::vector<PlacedFlow>& flows, LayoutDocument& document)
      : text_(text), entries_(entries), flows_(flows), document_(document) {}

  void place() {
    const std::vector<value::YamlComment> comments = value::find_yaml_comments(text_);
    if (comments.empty()) return;
    read_lines(comments);
    for (const value::YamlComment& comment : comments) {
      if (!comment.whole_line) place_behind(comment);
    }
    for (std::size_t at = 0; at < lines_.size();) {
      if (lines_[at].kind == Line::Kind::kContent) {
        ++at;
        continue;
      }
      std::size_t end = at;
      while (end < lines_.size() && lines_[end].kind != Line::Kind::kContent) ++end;
      place_gap(at, end);
      at = end;
    }
  }

 private:
  struct Line {
    enum class Kind : std::uint8_t { kBlank, kComment, kContent };
    Kind kind = Kind::kBlank;
    std::size_t offset = 0;    // of its first character that is no blank
    std::uint32_t column = 0;  // of that
    std::string_view comment;
  };
  struct Block {
    bool foot = false;
    std::uint32_t column = 0;
    std::string text;
  };

  void read_lines(const std::vector<value::YamlComment>& comments) {
    auto comment = comments.begin();
    for (std::size_t start = 0; start < text_.size();) {
      const std::size_t end = std::min(text_.find('\n', start), text_.size());
      Line& line = lines_.emplace_back();
      const std::size_t first = text_.find_first_not_of(" \t\r", start);
      line.offset = std::min(first, end);
      line.column = static_cast<std::uint32_t>(line.offset - start);
      if (line.offset < end) line.kind = Line::Kind::kContent;
      if (comment != comments.end() && comment->begin < end) {
        if (comment->whole_line) {
          line.kind = Line::Kind::kComment;
          line.comment = text_.substr(comment->begin, comment->end - comment->begin);
        }
        ++comment;
      }
      // A line of three dashes holds nothing that comments could belong to.
      if (text_.substr(start, 3) == "---" && start == line.offset) line.kind = Line::Kind::kBlank;
      start = end + 1;
    }
  }

  // The last entry that starts before this line (counted from 0), or -1.
  std::ptrdiff_t entry_before(std::size_t line) const {
    return std::ranges::upper_bound(entries_, line, {}, &PlacedEntry::line) - entries_.begin() - 1;
  }

  const PlacedFlow* flow_around(std::size_t offset) const {
    const PlacedFlow* found = nullptr;
    for (const PlacedFlow& flow : flows_) {
      if (flow.begin < offset && offset < flow.end) found = &flow;  // inner ones come later
    }
    return found;
  }

  // To the entry that comes next in the flow collection, or behind its last.
  static void place_in_flow(const PlacedFlow& flow, std::size_t offset, std::string_view text,
                            bool behind) {
    const std::span<LayoutEntry> entries = flow.entries;
    const auto next = std::ranges::lower_bound(flow.offsets, offset) - flow.offsets.begin();
    const auto index = static_cast<std::size_t>(next);
    if (entries.empty()) return;
    if (behind && index > 0) {
      append_lines(entries[index - 1].line_comment, text);
    } else if (index < entries.size()) {
      append_lines(entries[index].head, text);
    } else {
      append_lines(entries.back().foot, text);
    }
  }

  void place_behind(const value::YamlComment& comment) {
    const std::string_view text = text_.substr(comment.begin, comment.end - comment.begin);
    if (const PlacedFlow* flow = flow_around(comment.begin))
      return place_in_flow(*flow, comment.begin, text, true);
    const auto after = std::ranges::upper_bound(entries_, comment.begin, {}, &PlacedEntry::offset);
    if (after == entries_.begin()) return append_lines(document_.head, text);
    std::string& line = std::prev(after)->entry->line_comment;
    if (!line.empty()) line += ' ';
    line += text;
  }

  // Whether lines of a comment are the foot of what is before or the head of what follows, and
  // where one comment ends and another begins: as yaml.v3 divides them.
  std::vector<Block> divide(std::size_t from, std::size_t to, std::ptrdiff_t prior) const {
    const std::uint32_t indent = prior < 0 ? 0 : entries_[static_cast<std::size_t>(prior)].column;
    const bool pending = prior >= 0 && entries_[static_cast<std::size_t>(prior)].pending;
    std::vector<Block> out;
    std::optional<Block> open;
    std::size_t open_line = 0;
    bool no_empty_line_yet = true;
    bool after_empty_line = false;
    // Lines that are indented below a key without a value stand in its place. kustomize v5.5.0
    // would make them the head of the next key.
    const bool nothing = prior >= 0 && entries_[static_cast<std::size_t>(prior)].nothing;
    const auto close = [&](bool foot) {
      if (!open) return;
      while (open->text.ends_with('\n')) open->text.pop_back();
      open->foot = foot || (nothing && open->column > indent);
      out.push_back(*std::exchange(open, std::nullopt));
    };
    const auto empty_line = [&] {
      if (after_empty_line) return;
      const bool below = open && open_line == from && prior >= 0 && !pending;
      if (open && no_empty_line_yet && prior >= 0 && (below || open->column < indent)) {
        close(true);
      } else if (open) {
        open->text += '\n';
      }
      no_empty_line_yet = false;
      after_empty_line = true;
    };
    const auto outdent = [&](std::uint32_t column) {
      if (!open || prior < 0 || column == open->column) return;
      if (column < indent || (nothing && open->column > indent && column <= indent)) close(true);
    };
    for (std::size_t i = from; i < to; ++i) {
      const Line& line = lines_[i];
      if (line.kind == Line::Kind::kBlank) {
        empty_line();
        continue;
      }
      outdent(line.column);
      if (!open) {
        open = Block{.column = line.column};
        open_line = i;
        open->text = line.comment;
      } else {
        open->text.append(1, '\n').append(line.comment);
      }
      after_empty_line = false;
    }
    if (to < lines_.size()) {
      outdent(lines_[to].column);
    } else {
      empty_line();
    }
    close(false);
    return out;
  }

  void place_gap(std::size_t from, std::size_t to) {
    const bool any =
        std::ranges::any_of(lines_.begin() + static_cast<std::ptrdiff_t>(from),
                            lines_.begin() + static_cast<std::ptrdiff_t>(to),
                            [](const Line& line) { return line.kind == Line::Kind::kComment; });
    if (!any) return;
    if (const PlacedFlow* flow = flow_around(lines_[to - 1].offset)) {
      for (std::size_t i = from; i < to; ++i) {
        if (lines_[i].kind == Line::Kind::kComment)
          place_in_flow(*flow, lines_[i].offset, lines_[i].comment, false);
      }
      return;
    }
    const std::ptrdiff_t prior = entry_before(from);
    for (const Block& block : divide(from, to, prior)) {
      if (block.foot) {
        place_foot(block, prior);
      } else {
        place_head(block, to, from == 0 || prior < 0);
      }
    }
  }

  // An outdented foot belongs to the entry that it is in line with.
  void place_foot(const Block& block, std::ptrdiff_t prior) {
    std::ptrdiff_t at = prior;
    while (entries_[static_cast<std::size_t>(at)].column > block.column &&
           entries_[static_cast<std::size_t>(at)].parent >= 0)
      at = entries_[static_cast<std::size_t>(at)].parent;
    append_lines(entries_[static_cast<std::size_t>(at)].entry->foot, block.text);
  }

  void place_head(const Block& block, std::size_t next, bool at_start) {
    if (next >= lines_.size()) return append_lines(document_.foot, block.text);
    const auto entry = std::ranges::lower_bound(entries_, next + 1, {}, &PlacedEntry::line);
    if (entry == entries_.end()) return append_lines(document_.head, block.text);
    std::string_view head = block.text;
    // What an empty line divides from the first entry is about the document.
    if (at_start) {
      if (lines_[next - 1].kind == Line::Kind::kBlank) return append_lines(document_.head, head);
      if (const std::size_t empty = head.rfind("\n\n"); empty != std::string_view::npos) {
        append_lines(document_.head, head.substr(0, empty));
        head.remove_prefix(empty + 2);
      }
    }
    append_lines(entry->entry->head, head);
  }

  std::string_view text_;
  const std::vector<PlacedEntry>& entries_;
  const std::vector<PlacedFlow>& flows_;
  LayoutDocument& document_;
  std::vector<Line> lines_;
};

}  // namespace

void place_comments(std::string_view text, const std::vector<PlacedEntry>& entries,
                    const std::vector<PlacedFlow>& flows, LayoutDocument& document) {
  CommentPlacer(text, entries, flows, document).place();
}

}  // namespace strake::yaml_edit
