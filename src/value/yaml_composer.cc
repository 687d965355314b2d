#include "value/yaml_composer.h"

#include <charconv>
#include <cmath>

#include "base/base64.h"
#include "base/number_format.h"
#include "base/quote.h"
#include "base/utf8.h"
#include "value/builder.h"
#include "value/json_writer.h"

// Two ways to the same events. A text without anchors and merge keys, which is most, streams from
// the parser to the sink in constant memory. Otherwise each document is first recorded on a tape:
// its nodes in preorder, each with the index behind its last descendant, so that a subtree is
// skipped in one step and an alias is the index of its target. Sending the tape then expands
// aliases and merge keys; their cost is bounded by limits.alias_nodes, as in a text of a few lines
// they can multiply to billions of values.
//
// The meaning of scalars and the messages are those of go-yaml behind sigs.k8s.io/yaml, which turns
// YAML into JSON before the API server sees it.

namespace strake::value::internal {
namespace {

constexpr std::string_view kTagPrefix = "tag:yaml.org,2002:";

std::unexpected<Error> stopped(const Position& at) {
  return fail(Code::kCancelled, at, "stopped by the reader of the events");
}

// An anchor is an ampersand with a name behind it where a token may start: behind a blank, a line
// break or an indicator. Bytes above 0x7f end the line breaks of Unicode and byte order marks.
bool may_have_anchor(std::string_view text) {
  for (std::size_t at = text.find('&'); at != std::string_view::npos; at = text.find('&', at + 1)) {
    if (at + 1 == text.size()) return false;
    const char next = text[at + 1];
    const auto lower = static_cast<char>(next | 0x20);
    const bool name = (lower >= 'a' && lower <= 'z') || (next >= '0' && next <= '9') ||
                      next == '_' || next == '-';
    if (!name) continue;
    if (at == 0 || (text[at - 1] & 0x80) != 0 ||
        std::string_view(" \t\n\r,[]{}:?'\"").find(text[at - 1]) != std::string_view::npos)
      return true;
  }
  return false;
}

// Nothing here can matter to a text without anchors and merge keys. UTF-16 is not looked into.
bool may_need_tape(std::string_view text) {
  if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff")) return true;
  return text.find("<<") != std::string_view::npos || may_have_anchor(text);
}

}  // namespace

YamlComposer::YamlComposer(std::string_view text, const ReadOptions& options)
    : options_(options), parser_(text, options), needs_tape_(may_need_tape(text)) {
  open_.reserve(32);
}

template <typename Sink>
Result<bool> YamlComposer::next(Sink& sink) {
  YamlEvent event;
  if (!parser_.next(event)) return syntax_error();
  if (event.kind == YamlEventKind::kStreamEnd) return false;
  // Tapes are sent through EventSink even to a builder: they are rare, and a second instance of
  // that code would only cost space.
  STRAKE_CHECK(needs_tape_ ? tape_document(sink) : stream_document(sink));
  if (!parser_.next(event)) return syntax_error();
  if (!sink.end_document(event.at)) return stopped(event.at);
  return true;
}
template Result<bool> YamlComposer::next(EventSink& sink);
template Result<bool> YamlComposer::next(DocumentBuilder& sink);

Result<> YamlComposer::check_depth(std::size_t open, const Position& at) const {
  if (open < options_.limits.depth) [[likely]]
    return {};
  return fail(Code::kLimit, at, "nesting is deeper than {}", options_.limits.depth);
}

// Straight from the parser to the sink.

template <typename Sink>
Result<> YamlComposer::stream_document(Sink& sink) {
  frames_.clear();
  open_.clear();
  YamlEvent event;
  do {
    if (!parser_.next(event)) return syntax_error();
    const bool is_key = !open_.empty() && open_.back() == Open::kObjectAtKey;
    bool go_on = true;
    switch (event.kind) {
      case YamlEventKind::kArrayStart:
      case YamlEventKind::kObjectStart: {
        const bool object = event.kind == YamlEventKind::kObjectStart;
        if (is_key) {
          // Keys that are collections or null are errors. They are read onto the tape only so that
          // the message can show them.
          frames_.resize(open_.size());  // for the limit of depth
          STRAKE_TRY(const std::uint32_t key, read_node(event));
          return std::unexpected(bad_key(key));
        }
        if (open_.size() >= options_.limits.depth) return check_depth(open_.size(), event.at);
        open_.push_back(object ? Open::kObjectAtKey : Open::kArray);
        if (!(object ? sink.begin_object(event.at) : sink.begin_array(event.at)))
          return stopped(event.at);
        continue;  // its value is not over yet
      }
      case YamlEventKind::kArrayEnd:
        open_.pop_back();
        go_on = sink.end_array(event.at);
        break;
      case YamlEventKind::kObjectEnd:
        open_.pop_back();
        go_on = sink.end_object(event.at);
        break;
      case YamlEventKind::kAlias: return std::unexpected(alias_node(event).error());
      default: {
        if (is_key) {
          open_.back() = Open::kObjectAtValue;
          if (is_string(event)) {
            if (!sink.key(event.text, event.at)) return stopped(event.at);
            continue;
          }
          STRAKE_TRY(const Resolved key, resolve(event));
          const auto name = key_text(key);
          if (!name) {
            const Position at = event.at;
            frames_.resize(open_.size());
            if (!parser_.next(event)) return syntax_error();
            STRAKE_TRY(const std::uint32_t member, read_node(event));
            return std::unexpected(unsupported_key(key, member, at));
          }
          if (!sink.key(*name, event.at)) return stopped(event.at);
          continue;
        }
        if (is_string(event)) {
          go_on = sink.scalar(Value::string(event.text), event.at);
        } else {
          STRAKE_TRY(const Resolved value, resolve(event));
          STRAKE_TRY(const Value v, to_value(value, event.at));
          go_on = sink.scalar(v, event.at);
        }
        break;
      }
    }
    if (!go_on) return stopped(event.at);
    if (!open_.empty() && open_.back() == Open::kObjectAtValue) open_.back() = Open::kObjectAtKey;
  } while (!open_.empty());
  return {};
}

// Through a tape of nodes.

// Replays the tape with a stack of frames. An alias pushes a frame over the same nodes again, so
// what is expanded takes no memory of its own.
Result<> YamlComposer::tape_document(EventSink& sink) {
  tape_.clear();
  anchors_.clear();
  members_.clear();
  frames_.clear();
  arena_.reset();
  aliased_ = 0;
  YamlEvent first;
  if (!parser_.next(first)) return syntax_error();
  STRAKE_CHECK(read_node(first));
  STRAKE_CHECK(open_node(0, tape_[0].at, false, sink));
  while (!frames_.empty()) {
    Frame& frame = frames_.back();
    if (frame.next == frame.end) {
      const bool object = frame.object;
      const Position& at = tape_[frame.node].end_at;
      // A frame's merged members are the last in members_: frames end in the reverse order of their
      // start.
      if (frame.members >= 0) members_.resize(static_cast<std::size_t>(frame.members));
      frames_.pop_back();
      if (!(object ? sink.end_object(at) : sink.end_array(at))) return stopped(at);
    } else if (frame.object) {
      STRAKE_CHECK(send_member(sink));
    } else {
      const std::uint32_t item = frame.next;
      const Node& node = tape_[item];
      frame.next = node.kind == YamlEventKind::kAlias ? item + 1 : node.end;
      STRAKE_CHECK(open_node(item, node.at, frame.aliased, sink));
    }
  }
  return {};
}

Result<YamlComposer::Node> YamlComposer::alias_node(const YamlEvent& event) const {
  const auto found = anchors_.find(event.anchor);
  if (found == anchors_.end())
    return fail(Code::kParse, event.at, "yaml: unknown anchor '{}' referenced", event.anchor);
  if (tape_[found->second].open) {
    return fail(Code::kParse, event.at, "yaml: anchor '{}' value contains itself", event.anchor);
  }
  return Node{.kind = YamlEventKind::kAlias, .end = found->second, .value = {}, .at = event.at};
}

// Appends one node and all below it to the tape; returns its index.
Result<std::uint32_t> YamlComposer::read_node(const YamlEvent& first) {
  const auto root = static_cast<std::uint32_t>(tape_.size());
  struct Open {
    std::uint32_t node;
    bool at_key;
  };
  std::vector<Open> open;
  YamlEvent event = first;
  for (;;) {
    // Keys count as nodes of the tape but not as values, hence the factor of two.
    if (tape_.size() >= std::min<std::uint64_t>(options_.limits.nodes, UINT32_MAX - 1) * 2) {
      return fail(Code::kLimit, event.at, "document has more than {} values",
                  options_.limits.nodes);
    }
    const auto index = static_cast<std::uint32_t>(tape_.size());
    const bool is_key = !open.empty() && open.back().at_key;
    bool over = true;
    switch (event.kind) {
      case YamlEventKind::kAlias: {
        STRAKE_TRY(Node node, alias_node(event));
        tape_.push_back(node);
        break;
      }
      case YamlEventKind::kArrayStart:
      case YamlEventKind::kObjectStart:
        STRAKE_CHECK(check_depth(frames_.size() + open.size(), event.at));
        tape_.push_back({.kind = event.kind, .open = true, .value = {}, .at = event.at});
        // The anchor is known before the collection ends, so that an alias inside of it is seen as
        // a cycle (Node::open) and not as an unknown name.
        if (!event.anchor.empty()) anchors_[arena_.copy(event.anchor)] = index;
        open.push_back({index, event.kind == YamlEventKind::kObjectStart});
        over = false;
        break;
      case YamlEventKind::kArrayEnd:
      case YamlEventKind::kObjectEnd:
        tape_[open.back().node].end = index;
        tape_[open.back().node].open = false;
        tape_[open.back().node].end_at = event.at;
        open.pop_back();
        break;
      default: {
        const bool merge =
            event.text == "<<" && (event.plain || event.tag == "tag:yaml.org,2002:merge");
        STRAKE_TRY(Resolved value, resolve(event));
        if (!event.stable || value.text.data() != event.text.data())
          value.text = arena_.copy(value.text);
        tape_.push_back({.merge_key = merge, .end = index + 1, .value = value, .at = event.at});
        if (!event.anchor.empty()) anchors_[arena_.copy(event.anchor)] = index;
        if (merge && is_key) tape_[open.back().node].has_merge = true;
        break;
      }
    }
    if (over) {
      if (open.empty()) return root;
      Open& around = open.back();
      if (tape_[around.node].kind == YamlEventKind::kObjectStart) around.at_key = !around.at_key;
    }
    if (!parser_.next(event)) return syntax_error();
  }
}

Result<> YamlComposer::count_aliased(const Position& at) {
  if (++aliased_ <= options_.limits.alias_nodes) return {};
  return fail(Code::kLimit, at, "yaml: document contains excessive aliasing: more than {} values",
              options_.limits.alias_nodes);
}

// Sends a scalar, or opens a frame for a collection. `at` is the place where it is used: that of
// the alias, if there is one.
Result<> YamlComposer::open_node(std::uint32_t index, const Position& at, bool aliased,
                                 EventSink& sink) {
  if (tape_[index].kind == YamlEventKind::kAlias) {
    index = tape_[index].end;
    aliased = true;
  }
  if (aliased) STRAKE_CHECK(count_aliased(at));
  const Node& node = tape_[index];
  if (node.kind == YamlEventKind::kScalar) return send_scalar(node.value, at, sink);
  STRAKE_CHECK(check_depth(frames_.size(), at));
  Frame frame{.object = node.kind == YamlEventKind::kObjectStart,
              .aliased = aliased,
              .node = index,
              .next = index + 1,
              .end = node.end};
  if (!(frame.object ? sink.begin_object(at) : sink.begin_array(at))) return stopped(at);
  if (node.has_merge) {
    const std::size_t first = members_.size();
    STRAKE_CHECK(settle_merges(index, aliased));
    frame.members = static_cast<std::ptrdiff_t>(first);
    frame.next = static_cast<std::uint32_t>(first);
    frame.end = static_cast<std::uint32_t>(members_.size());
  }
  frames_.push_back(frame);
  return {};
}

Result<> YamlComposer::send_member(EventSink& sink) {
  Frame& frame = frames_.back();
  if (frame.members >= 0) {
    const Member member = members_[frame.next++];
    if (!sink.key(member.key, member.at)) return stopped(member.at);
    return open_node(member.value, tape_[member.value].at, frame.aliased || member.aliased, sink);
  }
  const std::uint32_t key = frame.next;
  const bool alias = tape_[key].kind == YamlEventKind::kAlias;
  const std::uint32_t value = alias ? key + 1 : tape_[key].end;
  frame.next = tape_[value].kind == YamlEventKind::kAlias ? value + 1 : tape_[value].end;
  const Node& name = tape_[alias ? tape_[key].end : key];
  const Position at = tape_[key].at;
  if (name.kind != YamlEventKind::kScalar) return std::unexpected(bad_key(key));
  const auto text = key_text(name.value);
  if (!text) return std::unexpected(unsupported_key(name.value, value, at));
  if (!sink.key(*text, at)) return stopped(at);
  return open_node(value, tape_[value].at, frame.aliased, sink);
}

// The mappings that a merge key brings in, in the order in which they are to take effect: the last
// of a list first, so that earlier ones override it.
Result<> YamlComposer::merge_sources(std::uint32_t value, bool aliased,
                                     std::vector<std::pair<std::uint32_t, bool>>& out) const {
  const auto mapping = [&](std::uint32_t index) -> Result<> {
    const bool alias = tape_[index].kind == YamlEventKind::kAlias;
    const std::uint32_t target = alias ? tape_[index].end : index;
    if (tape_[target].kind != YamlEventKind::kObjectStart) {
      return fail(Code::kParse, tape_[index].at,
                  "yaml: map merge requires map or sequence of maps as the value");
    }
    out.emplace_back(target, aliased || alias);
    return {};
  };
  if (tape_[value].kind != YamlEventKind::kArrayStart) return mapping(value);
  for (std::uint32_t i = value + 1; i != tape_[value].end;) {
    STRAKE_CHECK(mapping(i));
    i = tape_[i].kind == YamlEventKind::kAlias ? i + 1 : tape_[i].end;
  }
  std::reverse(out.begin(), out.end());
  return {};
}

// Appends to members_ what the mapping holds after its merge keys have taken effect, each at its
// place among the others. Members that the mapping itself names twice stay twice: they are for the
// sink to settle.
Result<> YamlComposer::settle_merges(std::uint32_t mapping, bool aliased) {
  struct Level {
    std::uint32_t next;
    std::uint32_t end;
    bool aliased;
  };
  std::unordered_map<std::string_view, std::size_t> known;
  std::vector<Level> levels{{mapping + 1, tape_[mapping].end, aliased}};
  std::vector<std::pair<std::uint32_t, bool>> sources;
  while (!levels.empty()) {
    Level& level = levels.back();
    if (level.next == level.end) {
      levels.pop_back();
      continue;
    }
    // Members of the mapping itself are at the bottom level; all others came through a merge.
    const bool merged = levels.size() > 1;
    const bool through_alias = level.aliased;
    const std::uint32_t key = level.next;
    const bool alias = tape_[key].kind == YamlEventKind::kAlias;
    const std::uint32_t value = alias ? key + 1 : tape_[key].end;
    level.next = tape_[value].kind == YamlEventKind::kAlias ? value + 1 : tape_[value].end;
    const Position at = tape_[key].at;
    if (through_alias) STRAKE_CHECK(count_aliased(at));
    if (tape_[key].merge_key) {
      sources.clear();
      STRAKE_CHECK(merge_sources(value, through_alias, sources));
      // The sources are in order of effect, and the stack is worked off from its top.
      for (auto source = sources.rbegin(); source != sources.rend(); ++source) {
        levels.push_back({source->first + 1, tape_[source->first].end, source->second});
      }
      continue;
    }
    const Node& name = tape_[alias ? tape_[key].end : key];
    if (name.kind != YamlEventKind::kScalar) return std::unexpected(bad_key(key));
    const auto text = key_text(name.value);
    if (!text) return std::unexpected(unsupported_key(name.value, value, at));
    const Member member{arena_.copy(*text), at, value, merged, through_alias};
    const auto [entry, is_new] = known.try_emplace(member.key, members_.size());
    if (is_new) {
      members_.push_back(member);
      // A merge takes effect where it stands: it overrides members before it, and members behind it
      // override what it brought. Two members of the mapping itself with one name both stay.
    } else if (merged || members_[entry->second].merged) {
      members_[entry->second] = member;
    } else {
      entry->second = members_.size();
      members_.push_back(member);
    }
  }
  return {};
}

// Scalars.

Result<YamlComposer::Resolved> YamlComposer::resolve(const YamlEvent& event) {
  if (event.text.size() > options_.limits.string_bytes) {
    return fail(Code::kLimit, event.at, "string is longer than {} bytes",
                options_.limits.string_bytes);
  }
  if (!event.tag.empty()) return resolve_tagged(event);
  if (!event.plain) return Resolved{{}, event.text};
  return Resolved{resolve_scalar(event.text, options_.yaml, false), event.text};
}

Result<YamlComposer::Resolved> YamlComposer::resolve_tagged(const YamlEvent& event) {
  if (!event.tag.starts_with(kTagPrefix)) return Resolved{{}, event.text};
  const std::string_view tag = event.tag.substr(kTagPrefix.size());
  if (tag == "binary") {
    Result<std::string> bytes = base64_decode(event.text);
    if (!bytes) {
      return fail(Code::kParse, event.at, "yaml: !!binary value contains invalid base64 data");
    }
    if (!utf8::is_valid(*bytes)) {
      if (options_.text == TextPolicy::kStrict) {
        return fail(Code::kParse, event.at, "yaml: !!binary value is not valid UTF-8");
      }
      bytes = utf8::replace_invalid(*bytes);
    }
    binary_storage_ = *std::move(bytes);
    return Resolved{{}, binary_storage_};
  }
  const bool known =
      tag == "bool" || tag == "int" || tag == "float" || tag == "null" || tag == "timestamp";
  if (!known) return Resolved{{}, event.text};  // !!str among them
  Resolved out{resolve_scalar(event.text, options_.yaml, tag == "timestamp"), event.text};
  const std::string_view met = short_tag(out.scalar.kind).substr(2);
  if (met == tag) return out;
  // The one conversion between kinds that an explicit tag makes.
  if (tag == "float" && out.scalar.kind == ScalarKind::kInt) {
    out.scalar = {.kind = ScalarKind::kFloat, .real = static_cast<double>(out.scalar.integer)};
    return out;
  }
  return fail(Code::kParse, event.at, "yaml: cannot decode !!{} `{}` as a !!{}", met, event.text,
              tag);
}

Result<> YamlComposer::send_scalar(const Resolved& value, const Position& at, EventSink& sink) {
  STRAKE_TRY(const Value v, to_value(value, at));
  if (!sink.scalar(v, at)) return stopped(at);
  return {};
}

// YAML reaches the API as JSON, where a float without a fraction is an integer.
Value YamlComposer::from_double(double d) const {
  if (options_.numbers == NumberPolicy::kDouble || std::trunc(d) != d || std::abs(d) >= 1e21)
    return Value::number(d);
  const Scalar whole = whole_float(d);
  if (whole.kind == ScalarKind::kInt) return Value::integer(whole.integer);
  if (whole.kind == ScalarKind::kUint && options_.numbers == NumberPolicy::kWide) {
    return Value::unsigned_integer(whole.unsigned_integer);
  }
  return Value::number(d);
}

Result<Value> YamlComposer::to_value(const Resolved& value, const Position& at) {
  const Scalar& scalar = value.scalar;
  switch (scalar.kind) {
    case ScalarKind::kString:
    case ScalarKind::kTimestamp: return Value::string(value.text);
    case ScalarKind::kNull: return Value();
    case ScalarKind::kBool: return Value::boolean(scalar.boolean);
    case ScalarKind::kFloat:
      if (!std::isfinite(scalar.real)) {
        return fail(Code::kParse, at, "json: unsupported value: {}",
                    std::isnan(scalar.real) ? "NaN"
                    : scalar.real < 0       ? "-Inf"
                                            : "+Inf");
      }
      break;
    case ScalarKind::kInt:
    case ScalarKind::kUint: break;
  }
  if (options_.numbers == NumberPolicy::kLiteral) {
    if (is_json_number(value.text)) return Value::literal(value.text);
    number_storage_.clear();
    if (scalar.kind == ScalarKind::kFloat) {
      append_json_number(number_storage_, scalar.real);
    } else {
      number_storage_ = scalar.kind == ScalarKind::kInt ? fmt::to_string(scalar.integer)
                                                        : fmt::to_string(scalar.unsigned_integer);
    }
    return Value::literal(number_storage_);
  }
  const bool as_double = options_.numbers == NumberPolicy::kDouble;
  if (scalar.kind == ScalarKind::kInt) {
    return as_double ? Value::number(static_cast<double>(scalar.integer))
                     : Value::integer(scalar.integer);
  }
  if (scalar.kind == ScalarKind::kUint) {
    if (options_.numbers == NumberPolicy::kWide)
      return Value::unsigned_integer(scalar.unsigned_integer);
    return Value::number(static_cast<double>(scalar.unsigned_integer));
  }
  return from_double(scalar.real);
}

std::optional<std::string_view> YamlComposer::key_text(const Resolved& key) {
  switch (key.scalar.kind) {
    case ScalarKind::kString:
    case ScalarKind::kTimestamp: return key.text;
    case ScalarKind::kBool: return key.scalar.boolean ? "true" : "false";
    case ScalarKind::kInt:
      number_storage_ = fmt::to_string(key.scalar.integer);
      return number_storage_;
    // go-yaml prints float keys with the precision of a float32.
    case ScalarKind::kFloat:
      number_storage_ = format_float32(key.scalar.real);
      return number_storage_;
    case ScalarKind::kNull:
    case ScalarKind::kUint: return std::nullopt;
  }
  return std::nullopt;
}

// Messages about keys show them in Go's syntax, as people know them from unquoted {{ templates }}.

Error YamlComposer::bad_key(std::uint32_t key) const {
  return Error(Code::kParse, fmt::format("yaml: invalid map key: {}", go_syntax(key)))
      .at(tape_[key].at);
}

Error YamlComposer::unsupported_key(const Resolved& key, std::uint32_t value,
                                    const Position& at) const {
  const bool null = key.scalar.kind == ScalarKind::kNull;
  return Error(Code::kParse,
               fmt::format("unsupported map key of type: {}, key: {}, value: {}",
                           null ? "%!s(<nil>)" : "uint64",
                           null ? "<nil>" : fmt::format("{:#x}", key.scalar.unsigned_integer),
                           go_syntax(value)))
      .at(at);
}

std::string YamlComposer::go_syntax(std::uint32_t node) const {
  constexpr std::size_t kEnough = 200;
  struct Open {
    std::uint32_t end;
    bool object;
    bool at_key;
    bool first;
  };
  std::string out;
  std::vector<Open> open;
  std::uint32_t next = node;
  for (;;) {
    while (!open.empty() && next == open.back().end) {
      out += '}';
      open.pop_back();
    }
    if (out.size() > kEnough) return out + "...";
    if (!open.empty()) {
      Open& around = open.back();
      if (around.object && !around.at_key) {
        out += ':';
      } else if (!around.first) {
        out += ", ";
      }
      around.first = false;
      around.at_key = !around.at_key;
    } else if (next != node) {
      return out;
    }
    const Node& met = tape_[next];
    const Node& shown = met.kind == YamlEventKind::kAlias ? tape_[met.end] : met;
    if (shown.kind == YamlEventKind::kScalar) {
      switch (shown.value.scalar.kind) {
        case ScalarKind::kNull: out += open.empty() ? "<nil>" : "interface {}(nil)"; break;
        case ScalarKind::kString:
        case ScalarKind::kTimestamp: out += quote(shown.value.text); break;
        default: out += shown.value.text; break;
      }
    } else {
      const bool object = shown.kind == YamlEventKind::kObjectStart;
      out += object ? "map[interface {}]interface {}{" : "[]interface {}{";
      if (&shown == &met) {
        open.push_back({met.end, object, true, true});
        ++next;
        continue;
      }
      out += "...}";
    }
    if (open.empty()) return out;
    ++next;
  }
}

}  // namespace strake::value::internal
