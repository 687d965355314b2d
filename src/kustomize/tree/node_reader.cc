#include "kustomize/tree/node_reader.h"

#include <algorithm>
#include <optional>
#include <string>
#include <unordered_map>

#include "base/trim.h"
#include "value/json_reader.h"
#include "value/yaml_parser.h"
#include "value/yaml_scalar.h"

// Text to nodes, by the rules of kyaml: documents are split by lines that start with --- before
// YAML is parsed; anchors and merge keys are expanded while reading, so later steps see plain
// trees; scalars keep whether they were quoted, since merges and printing depend on it.

namespace strake::kustomize {
namespace {

using value::ScalarKind;
using value::YamlEvent;
using value::YamlEventKind;
using value::YamlParser;

constexpr std::uint64_t kMaxAliasNodes = 100'000;
constexpr std::uint32_t kMaxNodes = 1U << 26;

Tag tag_of(ScalarKind kind) {
  switch (kind) {
    case ScalarKind::kString: return Tag::kString;
    case ScalarKind::kNull: return Tag::kNull;
    case ScalarKind::kBool: return Tag::kBool;
    case ScalarKind::kInt:
    case ScalarKind::kUint: return Tag::kInt;
    case ScalarKind::kFloat: return Tag::kFloat;
    case ScalarKind::kTimestamp: return Tag::kTimestamp;
  }
  return Tag::kString;
}

Tag tag_named(std::string_view name) {
  constexpr std::string_view kPrefix = "tag:yaml.org,2002:";
  if (!name.starts_with(kPrefix)) return Tag::kOther;
  name.remove_prefix(kPrefix.size());
  if (name == "str") return Tag::kString;
  if (name == "int") return Tag::kInt;
  if (name == "float") return Tag::kFloat;
  if (name == "bool") return Tag::kBool;
  if (name == "null") return Tag::kNull;
  if (name == "timestamp") return Tag::kTimestamp;
  if (name == "binary") return Tag::kBinary;
  return Tag::kOther;
}

// Comments that are JSON objects, by line: they can be the schema of a field.
class SchemaComments {
 public:
  explicit SchemaComments(std::string_view text) : text_(text) {}

  // Behind the content of the line, or alone on the line before.
  std::string_view at(std::uint32_t line) {
    if (!found_) find();
    if (const auto behind = behind_.find(line); behind != behind_.end()) return behind->second;
    const auto before = alone_.find(line - 1);
    return before == alone_.end() ? std::string_view() : before->second;
  }

  // Whether there can be any: none in nearly all texts.
  static bool possible(std::string_view text) {
    for (std::size_t at = text.find('#'); at != std::string_view::npos;
         at = text.find('#', at + 1)) {
      const std::size_t next = text.find_first_not_of(" \t#", at);
      if (next != std::string_view::npos && text[next] == '{') return true;
    }
    return false;
  }

 private:
  void find() {
    found_ = true;
    std::uint32_t line = 1;
    for (std::size_t from = 0; from < text_.size(); ++line) {
      const std::size_t end = std::min(text_.find('\n', from), text_.size());
      look_at(text_.substr(from, end - from), line);
      from = end + 1;
    }
  }
  void look_at(std::string_view text, std::uint32_t line) {
    for (std::size_t at = text.find('#'); at != std::string_view::npos;
         at = text.find('#', at + 1)) {
      const bool alone = trim(text.substr(0, at)).empty();
      if (!alone && text[at - 1] != ' ' && text[at - 1] != '\t') continue;
      std::string_view json = text.substr(at);
      json = trim(json.substr(std::min(json.find_first_not_of('#'), json.size())));
      // A # within quotes has the closing quote behind it, which is no JSON.
      if (!json.starts_with('{') || !value::read_json(json)) continue;
      (alone ? alone_ : behind_)[line] = json;
      return;
    }
  }

  std::string_view text_;
  bool found_ = false;
  std::unordered_map<std::uint32_t, std::string_view> behind_;
  std::unordered_map<std::uint32_t, std::string_view> alone_;
};

// One document of the text.
class Composer {
 public:
  Composer(std::string_view text, std::uint32_t lines_before, NodeArena& arena)
      : text_(text), lines_before_(lines_before), arena_(arena), parser_(text, options()) {
    if (SchemaComments::possible(text)) comments_.emplace(text);
  }

  // Null when there is none.
  Result<Node*> read() {
    YamlEvent event;
    if (!parser_.next(event)) return malformed();
    if (event.kind == YamlEventKind::kStreamEnd) return nullptr;
    for (;;) {
      if (!parser_.next(event)) return malformed();
      STRAKE_TRY(const bool over, take(event));
      if (over) return root_;
    }
  }

 private:
  struct Frame {
    Node* node;
    std::string_view anchor;
    std::string_view key;
    std::uint32_t key_line = 0;
    bool at_key = false;
    bool text_key = true;
    bool merge_key = false;
    std::vector<Node*> merges;  // in the order in which they take effect
  };

  static const value::ReadOptions& options() {
    static const value::ReadOptions kOptions = [] {
      value::ReadOptions options;
      options.yaml = value::YamlSchema::kKustomize;
      return options;
    }();
    return kOptions;
  }

  // The words have the line within the part, as kustomize's do; the position is the file's.
  std::unexpected<Error> malformed() {
    Error error = parser_.take_error().prefixed("MalformedYAMLError");
    if (!error.position()) return std::unexpected(std::move(error));
    Position at = *error.position();
    at.line += lines_before_;
    return std::unexpected(std::move(error).at(at));
  }

  Result<bool> take(const YamlEvent& event) {
    switch (event.kind) {
      case YamlEventKind::kArrayEnd:
      case YamlEventKind::kObjectEnd: {
        Frame frame = std::move(frames_.back());
        frames_.pop_back();
        STRAKE_CHECK(apply_merges(frame));
        if (!frame.anchor.empty()) anchors_[frame.anchor] = frame.node;
        return attach(frame.node, event);
      }
      case YamlEventKind::kArrayStart:
      case YamlEventKind::kObjectStart: return open(event);
      case YamlEventKind::kAlias: return alias(event);
      case YamlEventKind::kScalar: return scalar(event);
      default: return fail(Code::kParse, event.at, "MalformedYAMLError: unexpected end");
    }
  }

  Result<bool> open(const YamlEvent& event) {
    const bool object = event.kind == YamlEventKind::kObjectStart;
    if (at_key()) {
      return fail(Code::kParse, event.at,
                  "json: unsupported type: map[interface {{}}]interface {{}}");
    }
    if (frames_.size() >= kMaxDepth)
      return fail(Code::kLimit, event.at, "nesting is deeper than {}", kMaxDepth);
    STRAKE_CHECK(count(event));
    Node* node = object ? arena_.map() : arena_.list();
    node->line = lines_before_ + event.at.line;
    const char sign = sign_of(event);
    node->flow = sign == '{' || sign == '[' || (!frames_.empty() && frames_.back().node->flow);
    Frame frame{.node = node, .at_key = object};
    if (!event.anchor.empty()) {
      frame.anchor = arena_.keep(event.anchor);
      anchors_[frame.anchor] = nullptr;  // until it is complete
    }
    frames_.push_back(std::move(frame));
    return false;
  }

  Result<bool> alias(const YamlEvent& event) {
    const auto found = anchors_.find(event.anchor);
    if (found == anchors_.end()) {
      return fail(Code::kParse, event.at,
                  "MalformedYAMLError: yaml: unknown anchor '{}' referenced", event.anchor);
    }
    if (found->second == nullptr) {
      return fail(Code::kParse, event.at,
                  "MalformedYAMLError: yaml: anchor '{}' value contains itself", event.anchor);
    }
    STRAKE_CHECK(count_aliased(*found->second, event));
    Node* copy = arena_.copy(found->second);
    if (at_key()) {
      if (!copy->is_scalar()) {
        return fail(Code::kParse, event.at,
                    "json: unsupported type: map[interface {{}}]interface {{}}");
      }
      set_key(copy->text, copy->is_string(), false, event);
      return false;
    }
    return attach(copy, event);
  }

  Result<bool> scalar(const YamlEvent& event) {
    STRAKE_CHECK(count(event));
    const std::string_view text = stable(event);
    if (at_key()) {
      const bool merge = text == "<<" && (event.plain || event.tag == "tag:yaml.org,2002:merge");
      const bool is_text = !event.plain || !event.tag.empty() || merge || reads_as_text(text);
      if (!event.anchor.empty()) {
        Node* key = arena_.string({});
        key->text = text;
        anchors_[arena_.keep(event.anchor)] = key;
      }
      set_key(text, is_text, merge, event);
      return false;
    }
    Node* node = arena_.scalar({});
    node->text = text;
    node->line = lines_before_ + event.at.line;
    const bool plain = event.tag == "!" ? !has_quotes(event) : event.plain;
    node->quoted = !plain;
    node->folded = node->quoted && sign_of(event) == '>';
    if (!event.tag.empty() && event.tag != "!") {
      node->tag = tag_named(event.tag);
      node->tagged = true;
    } else {
      node->tag = plain && !value::is_surely_string(text) ? plain_tag(text) : Tag::kString;
    }
    if (!event.anchor.empty()) anchors_[arena_.keep(event.anchor)] = node;
    return attach(node, event);
  }

  // The character that tells how a node is written, behind its tag and anchor.
  char sign_of(const YamlEvent& event) const {
    std::size_t at = event.at.offset;
    while (at < text_.size() && (text_[at] == '&' || text_[at] == '!')) {
      at = std::min(text_.find_first_of(" \t\n", at), text_.size());
      at = std::min(text_.find_first_not_of(" \t\n", at), text_.size());
    }
    return at < text_.size() ? text_[at] : '\0';
  }

  // Of a scalar behind a bare `!`, on whose line it begins.
  bool has_quotes(const YamlEvent& event) const {
    const std::size_t mark = text_.find('!', event.at.offset);
    const std::size_t at =
        mark == std::string_view::npos ? mark : text_.find_first_not_of(" \t", mark + 1);
    return at != std::string_view::npos && std::string_view("\"'|>").find(text_[at]) < 4;
  }

  bool at_key() const { return !frames_.empty() && frames_.back().at_key; }

  void set_key(std::string_view text, bool is_text, bool merge, const YamlEvent& event) {
    Frame& frame = frames_.back();
    frame.key = text;
    frame.text_key = is_text;
    frame.merge_key = merge;
    frame.key_line = event.at.line;
    frame.at_key = false;
  }

  // Puts a finished node where it belongs; true when it is the document.
  Result<bool> attach(Node* node, const YamlEvent& event) {
    if (frames_.empty()) {
      root_ = node;
      return true;
    }
    Frame& frame = frames_.back();
    if (frame.node->is_list()) {
      arena_.append(*frame.node, node);
      return false;
    }
    frame.at_key = true;
    if (frame.merge_key) {
      STRAKE_CHECK(collect_merges(frame, node, event));
      return false;
    }
    if (comments_) {
      const std::string_view schema = comments_->at(frame.key_line);
      if (!schema.empty()) arena_.set_comment(*node, schema);
    }
    arena_.append(*frame.node, frame.key, node, lines_before_ + frame.key_line);
    frame.node->entries[frame.node->count - 1].text_key = frame.text_key;
    return false;
  }

  static Result<> collect_merges(Frame& frame, Node* value, const YamlEvent& event) {
    if (!frame.merges.empty()) return fail(Code::kParse, event.at, "duplicate merge key");
    if (value->is_map()) {
      frame.merges.push_back(value);
      return {};
    }
    for (Node* item : value->elements()) {
      if (item->is_list())
        return fail(Code::kParse, event.at, "invalid map merge: received a nested sequence");
      if (!item->is_map()) return bad_merge(event);
      // The last of the list takes effect first, so that earlier ones override it.
      frame.merges.insert(frame.merges.begin(), item);
    }
    return value->is_list() ? Result<>() : bad_merge(event);
  }
  static std::unexpected<Error> bad_merge(const YamlEvent& event) {
    return fail(Code::kParse, event.at, "map merge requires map or sequence of maps as the value");
  }

  // Members that stand in the map itself win over merged ones, and stand before them.
  Result<> apply_merges(const Frame& frame) {
    if (frame.merges.empty()) return {};
    const std::uint32_t own = frame.node->count;
    for (Node* source : frame.merges) {
      for (const Entry& entry : source->members()) {
        const Entry* present = frame.node->find_entry(entry.key);
        if (present != nullptr && present < frame.node->entries + own) continue;
        arena_.put(*frame.node, entry.key, arena_.copy(entry.value));
      }
    }
    return {};
  }

  std::string_view stable(const YamlEvent& event) {
    const auto begin = reinterpret_cast<std::uintptr_t>(text_.data());
    const auto at = reinterpret_cast<std::uintptr_t>(event.text.data());
    return at - begin < text_.size() ? event.text : arena_.keep(event.text);
  }

  Result<> count(const YamlEvent& event) {
    if (++nodes_ <= kMaxNodes) return {};
    return fail(Code::kLimit, event.at, "document has more than {} values", kMaxNodes);
  }

  Result<> count_aliased(const Node& node, const YamlEvent& event) {
    if (++aliased_ > kMaxAliasNodes) {
      return fail(Code::kLimit, event.at,
                  "yaml: document contains excessive aliasing: more than {} values",
                  kMaxAliasNodes);
    }
    for (const Entry& entry : node.members()) STRAKE_CHECK(count_aliased(*entry.value, event));
    for (const Node* item : node.elements()) STRAKE_CHECK(count_aliased(*item, event));
    return {};
  }

  std::string_view text_;
  std::uint32_t lines_before_;
  NodeArena& arena_;
  YamlParser parser_;
  std::optional<SchemaComments> comments_;
  std::vector<Frame> frames_;
  std::unordered_map<std::string_view, Node*> anchors_;
  Node* root_ = nullptr;
  std::uint32_t nodes_ = 0;
  std::uint64_t aliased_ = 0;
};

struct Part {
  std::string_view text;
  std::uint32_t lines_before;
};

Result<std::vector<Part>> divide(std::string_view text) {
  std::vector<Part> parts;
  std::size_t from = 0;
  std::uint32_t line = 0;
  for (std::size_t at = text.find("\n---"); at != std::string_view::npos;) {
    const std::size_t end = text.find('\n', at + 1);
    if (end == std::string_view::npos) break;  // no line break behind: part of the last document
    const std::string_view behind = trim(text.substr(at + 4, end - at - 4));
    if (!behind.empty() && behind[0] != '#') {
      return fail(Code::kParse, "invalid document separator: {}", trim(text.substr(at, end - at)));
    }
    parts.push_back({text.substr(from, at + 1 - from), line});
    line += static_cast<std::uint32_t>(
        std::count(text.begin() + static_cast<std::ptrdiff_t>(from),
                   text.begin() + static_cast<std::ptrdiff_t>(end) + 1, '\n'));
    from = end + 1;
    // The line break that ends a separator cannot also start the next one.
    at = text.find("\n---", from);
  }
  if (!text.empty()) parts.push_back({text.substr(from), line});
  return parts;
}

std::string_view without_carriage_returns(std::string_view text, NodeArena& arena) {
  if (text.find("\r\n") == std::string_view::npos) return text;
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\r' && i + 1 < text.size() && text[i + 1] == '\n') continue;
    out += text[i];
  }
  return arena.keep(out);
}

// Blank and comment lines only: not worth a parser.
bool has_content(std::string_view text) {
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t end = std::min(text.find('\n', from), text.size());
    const std::size_t first = text.find_first_not_of(' ', from);
    if (first < end && text[first] != '#') return true;
    from = end + 1;
  }
  return false;
}

}  // namespace

Tag plain_tag(std::string_view text) {
  return tag_of(value::resolve_scalar(text, value::YamlSchema::kKustomize, true).kind);
}

bool reads_as_text(std::string_view key) {
  return key.empty() || value::is_surely_string(key) || plain_tag(key) == Tag::kString;
}

Result<std::vector<Node*>> read_nodes(std::string_view text, NodeArena& arena) {
  text = without_carriage_returns(text, arena);
  STRAKE_TRY(const std::vector<Part> parts, divide(text));
  std::vector<Node*> out;
  for (const Part& part : parts) {
    if (!has_content(part.text)) continue;
    STRAKE_TRY(Node * node, Composer(part.text, part.lines_before, arena).read());
    if (missing_or_null(node)) continue;
    const std::string_view kind = node->text_of("kind");
    if (parts.size() == 1 && (kind == "List" || kind == "ResourceList")) {
      const Node* items = node->find("items");
      if (items != nullptr || node->find("functionConfig") != nullptr) {
        if (items != nullptr && items->is_list())
          out.insert(out.end(), items->elements().begin(), items->elements().end());
        continue;
      }
    }
    out.push_back(node);
  }
  return out;
}

}  // namespace strake::kustomize
