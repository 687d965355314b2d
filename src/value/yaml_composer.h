#pragma once
// From YAML syntax to the events of a document: resolves scalars, makes keys strings, expands
// aliases and merge keys, and keeps the limits. Nesting never uses the native stack.
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/arena.h"
#include "base/result.h"
#include "value/events.h"
#include "value/read_options.h"
#include "value/yaml_parser.h"
#include "value/yaml_scalar.h"

namespace strake::value::internal {

class YamlComposer {
 public:
  // The text and the options must outlive the composer.
  YamlComposer(std::string_view text, const ReadOptions& options);

  // Whether documents are kept as a tape of nodes before they become events: only when the text may
  // hold anchors or merge keys. An ampersand in the midst of prose or code is not taken for one.
  // Otherwise they flow straight through.
  bool needs_tape() const { return needs_tape_; }

  // Sends the next document to the sink; false at the end of the text. kCancelled when the sink
  // stopped it. There is one for any sink, and one that knows the builder and inlines it.
  template <typename Sink>
  Result<bool> next(Sink& sink);

 private:
  // A scalar with its meaning.
  struct Resolved {
    Scalar scalar;
    std::string_view text;
  };
  struct Node {
    YamlEventKind kind = YamlEventKind::kScalar;  // kScalar, kAlias, kArrayStart or kObjectStart
    bool merge_key = false;                       // a scalar: the key <<
    bool has_merge = false;                       // a mapping: one of its keys is
    bool open = false;                            // a collection whose end is still to come
    std::uint32_t end = 0;  // one past the last node inside; for an alias, the node it names
    Resolved value;
    Position at;
    Position end_at;
  };
  // A member of a mapping with merge keys, once they have taken effect.
  struct Member {
    std::string_view key;
    Position at;
    std::uint32_t value;
    bool merged;
    bool aliased;  // came through an alias
  };
  // An open collection while events are sent.
  struct Frame {
    bool object = false;
    bool aliased = false;  // inside the expansion of an alias
    bool at_key = true;    // of a mapping: a key is next
    std::uint32_t node = 0;
    std::uint32_t next = 0;
    std::uint32_t end = 0;
    std::ptrdiff_t members = -1;  // where its members start in members_, when it has merge keys
  };

  template <typename Sink>
  Result<> stream_document(Sink& sink);
  Result<> tape_document(EventSink& sink);
  Result<> read_tape();
  Result<std::uint32_t> read_node(const YamlEvent& first);
  Result<> add_anchor(std::string_view name);
  Result<Node> alias_node(const YamlEvent& event) const;
  Result<> open_node(std::uint32_t index, const Position& at, bool aliased, EventSink& sink);
  Result<> send_member(EventSink& sink);
  Result<> settle_merges(std::uint32_t mapping, bool aliased);
  Result<> merge_sources(std::uint32_t value, bool aliased,
                         std::vector<std::pair<std::uint32_t, bool>>& out) const;

  std::unexpected<Error> syntax_error() { return std::unexpected(parser_.take_error()); }
  // Whether the scalar is a string, seen from its looks alone; most are.
  bool is_string(const YamlEvent& event) const {
    return event.tag.empty() && (!event.plain || is_surely_string(event.text)) &&
           event.text.size() <= options_.limits.string_bytes;
  }
  Result<Resolved> resolve(const YamlEvent& event);
  Result<Resolved> resolve_tagged(const YamlEvent& event);
  Result<> send_scalar(const Resolved& value, const Position& at, EventSink& sink);
  Result<Value> to_value(const Resolved& value, const Position& at);
  Value from_double(double d) const;
  // The key's text; nothing for null and integers above int64, which cannot be keys.
  std::optional<std::string_view> key_text(const Resolved& key);
  Error bad_key(std::uint32_t key) const;
  Error unsupported_key(const Resolved& key, std::uint32_t value, const Position& at) const;
  std::string go_syntax(std::uint32_t node) const;
  Result<> count_aliased(const Position& at);
  Result<> check_depth(std::size_t open, const Position& at) const;

  const ReadOptions& options_;
  YamlParser parser_;
  bool needs_tape_;
  enum class Open : char { kArray, kObjectAtKey, kObjectAtValue };
  std::vector<Open> open_;  // collections while a document streams
  std::vector<Frame> frames_;
  std::vector<Node> tape_;
  std::vector<Member> members_;
  std::unordered_map<std::string_view, std::uint32_t> anchors_;
  Arena arena_;  // text of the tape
  std::string number_storage_;
  std::string binary_storage_;
  std::uint64_t aliased_ = 0;
};

}  // namespace strake::value::internal
