#include "yaml_edit/layout.h"

#include <algorithm>
#include <set>

#include "base/utf8.h"
#include "value/yaml_comments.h"
#include "value/yaml_parser.h"
#include "yaml_edit/layout_comments.h"

namespace strake::yaml_edit {
namespace {

using value::YamlEvent;
using value::YamlEventKind;
using value::YamlParser;

// Builds the tree of one document, and notes where its entries are.
class LayoutReader {
 public:
  explicit LayoutReader(std::string_view text) : text_(text), parser_(text, options()) {}

  Result<LayoutDocument> read() {
    LayoutDocument out;
    STRAKE_CHECK(next());
    if (event_.kind == YamlEventKind::kStreamEnd) {
      out.empty = true;
    } else {
      STRAKE_CHECK(next());
      STRAKE_CHECK(read_node(out.root, 0, -1));
      STRAKE_CHECK(next());  // the end of the document
      STRAKE_CHECK(next());
      if (event_.kind != YamlEventKind::kStreamEnd) {
        return fail(Code::kUnsupported, "line {}: a document that starts in the midst of a line",
                    event_.at.line);
      }
      out.empty = is_nothing(out.root);
    }
    for (const value::YamlComment& comment : value::find_yaml_comments(text_)) {
      const std::string_view words = text_.substr(comment.begin, comment.end - comment.begin);
      if (has_odd_break(words)) {
        return fail(Code::kUnsupported, "line {}: a comment with a line break that is not LF",
                    comment.line);
      }
      if (!out.empty) continue;
      if (!out.head.empty()) out.head += '\n';
      out.head += words;
    }
    if (out.empty) return out;
    place_comments(text_, entries_, flows_, out);
    return out;
  }

 private:
  static const value::ReadOptions& options() {
    static const value::ReadOptions kOptions = [] {
      value::ReadOptions all;
      all.yaml = value::YamlSchema::kKustomize;
      return all;
    }();
    return kOptions;
  }

  // What ends a line for YAML 1.1 but for hardly anybody else.
  static bool has_odd_break(std::string_view text) {
    return text.find('\r') != std::string_view::npos ||
           text.find("\xc2\x85") != std::string_view::npos ||
           text.find("\xe2\x80\xa8") != std::string_view::npos ||
           text.find("\xe2\x80\xa9") != std::string_view::npos;
  }

  static bool is_nothing(const LayoutNode& node) {
    return node.is_scalar() && !node.alias && node.style == LayoutStyle::kPlain &&
           node.text.empty() && node.tag.empty() && node.anchor.empty();
  }

  Result<> next() {
    if (parser_.next(event_)) return {};
    Error error = parser_.take_error();
    return std::unexpected(std::move(error).prefixed("MalformedYAMLError"));
  }

  static bool is_anchor_sign(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_';
  }
  bool is_property(std::size_t offset) const {
    return offset < text_.size() && (text_[offset] == '&' || text_[offset] == '!');
  }
  // Signs of flow collections end a tag, but not one that is a whole URI: !<a,b>.
  std::size_t property_end(std::size_t offset) const {
    if (text_[offset] == '&') {
      ++offset;
      while (offset < text_.size() && is_anchor_sign(text_[offset])) ++offset;
      return offset;
    }
    const bool whole = text_.substr(offset).starts_with("!<");
    const std::string_view ends = whole ? " \t\r\n" : " \t\r\n,[]{}";
    return std::min(text_.find_first_of(ends, offset), text_.size());
  }
  // Past blanks, and comments that stand behind one.
  std::size_t past_blanks(std::size_t offset) const {
    while (true) {
      const std::size_t next = std::min(text_.find_first_not_of(" \t\r\n", offset), text_.size());
      if (next == offset || next == text_.size() || text_[next] != '#') return next;
      offset = std::min(text_.find('\n', next), text_.size());
    }
  }
  // Past anchor and tag.
  std::size_t content_at(std::size_t offset) const {
    while (is_property(offset)) offset = past_blanks(property_end(offset));
    return offset;
  }

  LayoutStyle scalar_style(std::size_t offset) const {
    const std::size_t at = content_at(offset);
    switch (at < text_.size() ? text_[at] : ' ') {
      case '\'': return LayoutStyle::kSingleQuoted;
      case '"': return LayoutStyle::kDoubleQuoted;
      case '|': return LayoutStyle::kLiteral;
      case '>': return LayoutStyle::kFolded;
      default: return LayoutStyle::kPlain;
    }
  }

  // Tags are taken as they are written; events do not have those of collections.
  void take_properties(LayoutNode& into) const {
    into.line = event_.at.line;
    into.anchor = event_.anchor;
    if (event_.kind == YamlEventKind::kAlias) return;
    std::size_t at = event_.at.offset;
    if (event_.kind != YamlEventKind::kScalar) {
      const std::size_t content = content_at(at);
      const char mark = content < text_.size() ? text_[content] : ' ';
      // On the line of the first key of a block they are that key's.
      if (mark != '[' && mark != '{' &&
          text_.substr(at, content - at).find('\n') == std::string_view::npos)
        return;
    }
    while (is_property(at)) {
      const std::size_t end = property_end(at);
      if (text_[at] == '!') into.tag = text_.substr(at, end - at);
      at = past_blanks(end);
    }
  }

  // The event is the start of the node; afterwards it is its end.
  Result<> read_node(LayoutNode& into, std::size_t depth, std::ptrdiff_t parent) {
    if (depth > kMaxDepth)
      return fail(Code::kLimit, "line {}: nested more than {} levels", event_.at.line, kMaxDepth);
    take_properties(into);
    // Which of two an alias means depends on the order, which is about to change.
    if (event_.kind != YamlEventKind::kAlias && !into.anchor.empty() &&
        !anchors_.insert(into.anchor).second) {
      return fail(Code::kUnsupported, "line {}: a second anchor '{}'", event_.at.line, into.anchor);
    }
    switch (event_.kind) {
      case YamlEventKind::kAlias:
        into.alias = true;
        into.text = std::exchange(into.anchor, {});
        if (anchors_.contains(into.text)) return {};
        return fail(Code::kParse, "MalformedYAMLError: yaml: unknown anchor '{}' referenced",
                    into.text);
      case YamlEventKind::kScalar:
        into.text = event_.text;
        // An empty scalar stands nowhere: what is at its place is something else.
        if (!event_.plain || !event_.text.empty()) into.style = scalar_style(event_.at.offset);
        return {};
      case YamlEventKind::kArrayStart: into.kind = LayoutKind::kList; break;
      default: into.kind = LayoutKind::kMap; break;
    }
    const std::size_t begin = content_at(event_.at.offset);
    const char mark = begin < text_.size() ? text_[begin] : ' ';
    if (mark == '[' || mark == '{') return read_flow(into, begin, depth, parent);
    return into.is_list() ? read_list(into, depth, parent) : read_map(into, depth, parent);
  }

  Result<> need_scalar_key() const {
    if (event_.kind == YamlEventKind::kScalar || event_.kind == YamlEventKind::kAlias) return {};
    return fail(Code::kUnsupported, "line {}: a key that is a map or a list", event_.at.line);
  }

  Result<> read_map(LayoutNode& into, std::size_t depth, std::ptrdiff_t parent) {
    std::vector<std::size_t> own;
    for (;;) {
      STRAKE_CHECK(next());
      if (event_.kind == YamlEventKind::kObjectEnd) break;
      STRAKE_CHECK(need_scalar_key());
      LayoutEntry& entry = into.entries.emplace_back();
      own.push_back(note(event_.at.offset, event_.at.line, event_.at.column - 1, parent));
      STRAKE_CHECK(read_node(entry.key, depth + 1, parent));
      STRAKE_CHECK(next());
      STRAKE_CHECK(read_node(entry.value, depth + 1, static_cast<std::ptrdiff_t>(own.back())));
      PlacedEntry& placed = entries_[own.back()];
      placed.nothing = is_nothing(entry.value);
      placed.pending = placed.nothing || entry.value.line > placed.line;
    }
    remember(into, own);
    return {};
  }

  Result<> read_list(LayoutNode& into, std::size_t depth, std::ptrdiff_t parent) {
    std::vector<std::size_t> own;
    std::size_t dash = content_at(event_.at.offset);
    for (;;) {
      STRAKE_CHECK(next());
      if (event_.kind == YamlEventKind::kArrayEnd) break;
      if (!own.empty()) dash = find_dash_before(event_.at.offset, entries_[own.front()].column);
      LayoutEntry& entry = into.entries.emplace_back();
      const std::size_t start = text_.rfind('\n', dash) + 1;  // npos + 1 is 0
      const auto line = static_cast<std::uint32_t>(
          event_.at.line - static_cast<std::size_t>(std::ranges::count(
                               text_.substr(dash, event_.at.offset - dash), '\n')));
      own.push_back(note(dash, line, static_cast<std::uint32_t>(dash - start), parent));
      STRAKE_CHECK(read_node(entry.value, depth + 1, static_cast<std::ptrdiff_t>(own.back())));
    }
    remember(into, own);
    return {};
  }

  Result<> read_flow(LayoutNode& into, std::size_t begin, std::size_t depth,
                     std::ptrdiff_t parent) {
    into.style = LayoutStyle::kFlow;
    const std::size_t index = flows_.size();
    flows_.push_back({.begin = begin});
    for (;;) {
      STRAKE_CHECK(next());
      if (event_.kind == YamlEventKind::kObjectEnd || event_.kind == YamlEventKind::kArrayEnd)
        break;
      LayoutEntry& entry = into.entries.emplace_back();
      flows_[index].offsets.push_back(event_.at.offset);
      if (into.is_map()) {
        STRAKE_CHECK(need_scalar_key());
        STRAKE_CHECK(read_node(entry.key, depth + 1, parent));
        STRAKE_CHECK(next());
      }
      STRAKE_CHECK(read_node(entry.value, depth + 1, parent));
    }
    flows_[index].end = event_.at.offset;
    flows_[index].entries = into.entries;
    return {};
  }

  // The dash in this column, on the line of the offset or above.
  std::size_t find_dash_before(std::size_t offset, std::uint32_t column) const {
    std::size_t start = offset == 0 ? 0 : text_.rfind('\n', offset - 1) + 1;
    for (;;) {
      const std::size_t at = start + column;
      if (at < text_.size() && text_[at] == '-' && text_.find('\n', start) >= at) return at;
      if (start < 2) return offset;
      start = text_.rfind('\n', start - 2) + 1;
    }
  }

  std::size_t note(std::size_t offset, std::uint32_t line, std::uint32_t column,
                   std::ptrdiff_t parent) {
    entries_.push_back({.offset = offset, .line = line, .column = column, .parent = parent});
    return entries_.size() - 1;
  }

  // Only when the collection is complete: until then its entries move. They stay when it moves.
  void remember(LayoutNode& node, const std::vector<std::size_t>& own) {
    for (std::size_t i = 0; i < own.size(); ++i) entries_[own[i]].entry = &node.entries[i];
  }

  std::string_view text_;
  YamlParser parser_;
  YamlEvent event_;
  std::vector<PlacedEntry> entries_;
  std::vector<PlacedFlow> flows_;
  std::set<std::string> anchors_;
};

// The parts between lines that start with three dashes.
Result<std::vector<std::string_view>> divide_documents(std::string_view text) {
  std::vector<std::string_view> out;
  std::size_t from = 0;
  for (std::size_t at = text.find("\n---"); at != std::string_view::npos;
       at = text.find("\n---", at + 1)) {
    const std::size_t end = text.find('\n', at + 1);
    if (end == std::string_view::npos) break;
    std::string_view rest = text.substr(at + 4, end - at - 4);
    rest.remove_prefix(std::min(rest.find_first_not_of(" \t\r-"), rest.size()));
    if (!rest.empty() && rest[0] != '#') {
      return fail(Code::kParse, "invalid document separator: {}",
                  text.substr(at + 1, end - at - 1));
    }
    out.push_back(text.substr(from, at + 1 - from));
    from = end + 1;
    at = end - 1;
  }
  out.push_back(text.substr(from));
  return out;
}

}  // namespace

LayoutNode* LayoutNode::find(std::string_view key) {
  return const_cast<LayoutNode*>(static_cast<const LayoutNode*>(this)->find(key));
}

const LayoutNode* LayoutNode::find(std::string_view key) const {
  if (!is_map()) return nullptr;
  const auto found = std::ranges::find_if(
      entries, [&](const LayoutEntry& entry) { return entry.key.text == key; });
  return found == entries.end() ? nullptr : &found->value;
}

namespace {

// Nothing and null are the same.
std::string_view text_or_null(const LayoutNode& node) {
  return node.is_scalar() && !node.alias && node.style == LayoutStyle::kPlain && node.text.empty()
             ? std::string_view("null")
             : std::string_view(node.text);
}

}  // namespace

bool same_layout(const LayoutNode& a, const LayoutNode& b) {
  if (a.kind != b.kind || a.alias != b.alias || text_or_null(a) != text_or_null(b) ||
      a.tag != b.tag || a.anchor != b.anchor || a.entries.size() != b.entries.size())
    return false;
  for (std::size_t i = 0; i < a.entries.size(); ++i) {
    if (!same_layout(a.entries[i].key, b.entries[i].key) ||
        !same_layout(a.entries[i].value, b.entries[i].value))
      return false;
  }
  return true;
}

Result<std::vector<LayoutDocument>> read_layout(std::string_view text) {
  // Comments and divisions are looked for in the bytes, so UTF-16 will not do.
  if (!utf8::is_valid(text)) return fail(Code::kUnsupported, "the file is not in UTF-8");
  std::string unix_text;
  if (text.find('\r') != std::string_view::npos) {
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] != '\r' || i + 1 == text.size() || text[i + 1] != '\n') unix_text += text[i];
    }
    text = unix_text;
  }
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  std::vector<LayoutDocument> out;
  STRAKE_TRY(const std::vector<std::string_view> parts, divide_documents(text));
  for (const std::string_view part : parts) {
    STRAKE_TRY(LayoutDocument document, LayoutReader(part).read());
    if (!document.empty || !document.head.empty()) out.push_back(std::move(document));
  }
  return out;
}

}  // namespace strake::yaml_edit
