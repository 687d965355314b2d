#include "cli/fmt/fmt_comments.h"

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "base/lines.h"
#include "value/yaml_comments.h"
#include "yaml_edit/layout.h"

namespace strake::cli {
namespace {

using yaml_edit::LayoutDocument;
using yaml_edit::LayoutEntry;
using yaml_edit::LayoutNode;
using yaml_edit::LayoutStyle;

void append_comment(std::string& to, std::string_view lines) {
  if (lines.empty()) return;
  if (!to.empty()) to += '\n';
  to += lines;
}

// One document: the comments of the tree as it was written, put between the lines of the canonical
// text. Lines are never changed, only added or continued, so the text without comments stays as it
// is.
class CommentedDocument {
 public:
  explicit CommentedDocument(std::string_view canonical)
      : lines_(lines_of(canonical)), comments_(lines_.size()) {}

  void place(const LayoutDocument& written, const LayoutDocument& canonical) {
    head_ = written.head;
    foot_ = written.foot;
    place_below(written.root, canonical.root, lines_.size());
  }

  void add_head(std::string_view head) {
    std::string whole(head);
    append_comment(whole, head_);
    head_ = std::move(whole);
  }
  void add_foot(std::string_view foot) { append_comment(foot_, foot); }

  std::string text() const {
    std::string out;
    if (!head_.empty()) out += head_ + "\n\n";
    std::size_t foot_indent = kNone;  // of the foot that was just written
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      const LineComments& own = comments_[i];
      const std::size_t indent = indent_of(lines_[i]);
      // Right above a line it would be taken for that line's.
      if (foot_indent != kNone && indent >= foot_indent) out += '\n';
      foot_indent = kNone;
      write_lines(own.above, indent, out);
      out += lines_[i];
      if (!own.behind.empty()) out += " " + own.behind;
      out += '\n';
      for (const Foot& foot : own.below) {
        write_lines(foot.text, foot.indent, out);
        foot_indent = foot.indent;
      }
    }
    if (!foot_.empty()) out += "\n" + foot_ + "\n";
    return out;
  }

 private:
  static constexpr std::size_t kNone = SIZE_MAX;
  struct Foot {
    std::string text;
    std::size_t indent = 0;
  };
  struct LineComments {
    std::string above;
    std::string behind;
    std::vector<Foot> below;
  };

  static std::size_t indent_of(std::string_view line) {
    return std::min(line.find_first_not_of(' '), line.size());
  }

  static void write_lines(std::string_view text, std::size_t indent, std::string& out) {
    for (const std::string_view line : lines_of(text)) {
      if (!line.empty()) out.append(indent, ' ');
      out.append(line).append(1, '\n');
    }
  }

  // Lines are counted from 1; an entry goes up to and with `last`. What has no counterpart is left
  // out here, and missed by the caller.
  void place_below(const LayoutNode& written, const LayoutNode& canonical, std::size_t last) {
    if (written.kind != canonical.kind) return;
    std::unordered_map<std::string_view, std::size_t> by_key;
    for (std::size_t i = 0; written.is_map() && i < canonical.entries.size(); ++i)
      by_key.emplace(canonical.entries[i].key.text, i);
    for (std::size_t i = 0; i < written.entries.size(); ++i) {
      const LayoutEntry& entry = written.entries[i];
      std::size_t at = i;
      if (written.is_map()) {
        const auto found = entry.key.alias ? by_key.end() : by_key.find(entry.key.text);
        at = found == by_key.end() ? canonical.entries.size() : found->second;
      }
      if (at >= canonical.entries.size()) continue;
      const std::size_t end = at + 1 < canonical.entries.size()
                                  ? first_line(canonical, canonical.entries[at + 1]) - 1
                                  : last;
      place_entry(entry, canonical.entries[at], first_line(canonical, canonical.entries[at]), end);
    }
  }

  static std::size_t first_line(const LayoutNode& parent, const LayoutEntry& entry) {
    return parent.is_map() ? entry.key.line : entry.value.line;
  }

  void place_entry(const LayoutEntry& entry, const LayoutEntry& canonical, std::size_t first,
                   std::size_t last) {
    if (first == 0 || last < first || last > lines_.size()) return;
    append_comment(comments_[first - 1].above, entry.head);
    if (!entry.line_comment.empty()) {
      const LayoutNode& value = canonical.value;
      const bool block =
          value.style == LayoutStyle::kLiteral || value.style == LayoutStyle::kFolded;
      // A scalar in quotes may go over several lines: nothing can stand behind but the last.
      const std::size_t line = value.is_scalar() && !block ? last : first;
      std::string& behind = comments_[line - 1].behind;
      if (behind.empty() && entry.line_comment.find('\n') == std::string::npos) {
        behind = entry.line_comment;
      } else {
        append_comment(comments_[first - 1].above, entry.line_comment);
      }
    }
    place_below(entry.value, canonical.value, last);
    if (!entry.foot.empty())
      comments_[last - 1].below.push_back({entry.foot, indent_of(lines_[first - 1])});
  }

  std::vector<std::string_view> lines_;
  std::vector<LineComments> comments_;
  std::string head_;
  std::string foot_;
};

std::vector<std::string> comment_texts(std::string_view text) {
  std::vector<std::string> out;
  for (const value::YamlComment& comment : value::find_yaml_comments(text))
    out.emplace_back(text.substr(comment.begin, comment.end - comment.begin));
  return out;
}

std::string_view words_of_comment(const value::YamlComment& comment, std::string_view text) {
  std::string_view out = text.substr(comment.begin, comment.end - comment.begin);
  while (out.ends_with(' ') || out.ends_with('\t')) out.remove_suffix(1);
  return out;
}

// Two comments of one field may share a line afterwards, so they are looked for within lines: the
// longest first, as a short one may be the start of another.
Result<> check_all_there(std::string_view before, std::string_view after) {
  std::vector<std::string> kept = comment_texts(after);
  std::vector<value::YamlComment> wanted = value::find_yaml_comments(before);
  std::ranges::sort(wanted, std::ranges::greater{}, [&](const value::YamlComment& one) {
    return words_of_comment(one, before).size();
  });
  const value::YamlComment* missing = nullptr;
  // Most are there just as they were, and are looked up; only the others are searched for.
  std::unordered_multimap<std::string, std::size_t> whole;
  for (std::size_t i = 0; i < kept.size(); ++i) whole.emplace(kept[i], i);
  std::erase_if(wanted, [&](const value::YamlComment& comment) {
    const auto same = whole.find(std::string(words_of_comment(comment, before)));
    if (same == whole.end()) return false;
    kept[same->second].clear();
    whole.erase(same);
    return true;
  });
  std::erase(kept, std::string());
  for (const value::YamlComment& comment : wanted) {
    const std::string_view words = words_of_comment(comment, before);
    const auto found = std::ranges::find_if(
        kept, [&](const std::string& one) { return one.find(words) != std::string::npos; });
    if (found != kept.end()) {
      found->erase(found->find(words), words.size());
    } else if (missing == nullptr || comment.begin < missing->begin) {
      missing = &comment;
    }
  }
  if (missing == nullptr) return {};
  const std::size_t start = before.rfind('\n', missing->begin) + 1;  // npos + 1 is 0
  return std::unexpected(
      Error(Code::kUnsupported, "a comment here has no place in the canonical form")
          .at(Position{.offset = missing->begin,
                       .line = missing->line,
                       .column = static_cast<std::uint32_t>(missing->begin - start + 1)}));
}

}  // namespace

Result<std::string> keep_comments(std::string_view text, std::span<const std::string> canonical) {
  STRAKE_TRY(const std::vector<LayoutDocument> written, yaml_edit::read_layout(text));
  std::vector<CommentedDocument> documents;
  std::string waiting;  // comments of documents that have nothing else
  for (const LayoutDocument& one : written) {
    if (one.empty) {
      append_comment(waiting, one.head);
      continue;
    }
    if (documents.size() == canonical.size()) break;
    const std::string& own = canonical[documents.size()];
    STRAKE_TRY(const std::vector<LayoutDocument> plain, yaml_edit::read_layout(own));
    CommentedDocument& document = documents.emplace_back(own);
    if (plain.size() == 1) document.place(one, plain[0]);
    document.add_head(std::exchange(waiting, {}));
  }
  if (documents.size() != canonical.size())
    return fail(Code::kUnsupported, "its comments cannot be told apart by document");
  if (!waiting.empty() && !documents.empty()) documents.back().add_foot(waiting);

  std::string out;
  std::string wanted;
  for (std::size_t i = 0; i < documents.size(); ++i) {
    if (i > 0) out += "---\n";
    if (i > 0) wanted += "---\n";
    out += documents[i].text();
    wanted += canonical[i];
  }
  STRAKE_CHECK(check_all_there(text, out));
  if (value::remove_yaml_comments(out, value::find_yaml_comments(out)).text != wanted)
    return fail(Code::kUnsupported, "its comments cannot be placed without changing what it says");
  return out;
}

}  // namespace strake::cli
