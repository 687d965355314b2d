#include "value/yaml_scanner.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "base/utf8.h"
#include "value/json_scan.h"

// One pass, no token queue, no backtracking. libyaml first makes tokens and then events, because a
// key is known to be one only at its colon. In the language of manifests that colon stands on the
// same line, so the scanner looks ahead to the end of the line (scalar_or_mapping) and knows at
// once whether a scalar opens a mapping. Indentation is a stack of frames.
//
// What keeps it exact is that it may decline at any time: every rule here covers only what is
// certain, and the rest is libyaml's (yaml_scanner.h). So the question for a change is never what
// YAML means, only whether libyaml would emit the same events with the same positions;
// yaml_scanner_check.h compares the two over tests, recordings and fuzzing.
//
// The text is looked over once beforehand (prepare), 16 bytes at a time, so that no later loop has
// to think of control characters or broken UTF-8; and it always ends in a line break, so that no
// loop checks for the end of the text.

namespace strake::value::internal {
namespace {

// libyaml looks 1024 characters ahead for the colon of a key. The exact border is left to it.
constexpr std::ptrdiff_t kLongestKey = 1000;
// Lines and columns are kept in 32 bits.
constexpr std::size_t kLongestText = std::size_t{1} << 30;

bool is_blank(char c) { return c == ' ' || c == '\t'; }
bool is_blank_or_break(char c) { return c == ' ' || c == '\n' || c == '\t'; }

// What starts something else than a plain scalar. The three that may start one when no blank
// follows (- ? :) are not among them.
constexpr std::array<bool, 256> kStartsNoPlain = [] {
  std::array<bool, 256> table{};
  for (const char c : std::string_view(",[]{}#&*!|>'\"%@` \t\n"))
    table[static_cast<unsigned char>(c)] = true;
  return table;
}();

bool starts_plain(const char* p) {
  if (kStartsNoPlain[static_cast<unsigned char>(*p)]) return false;
  return (*p != '-' && *p != '?' && *p != ':') || !is_blank_or_break(p[1]);
}

// The name of an anchor.
std::string_view name_at(const char* p) {
  const char* end = p;
  for (;; ++end) {
    const auto lower = static_cast<char>(*end | 0x20);
    const bool fits = (lower >= 'a' && lower <= 'z') || (*end >= '0' && *end <= '9') ||
                      *end == '_' || *end == '-';
    if (!fits) return {p, end};
  }
}

// The first byte that a text of the fast path may not have, or one above 0x7f.
std::size_t find_unusual(const char* p, std::size_t from, std::size_t size) {
  std::size_t i = from;
#if defined(__SSE2__)
  const __m128i last_control = _mm_set1_epi8(0x1f);
  const __m128i line_feed = _mm_set1_epi8('\n');
  const __m128i tab = _mm_set1_epi8('\t');
  const __m128i delete_character = _mm_set1_epi8(0x7f);
  for (; i + 16 <= size; i += 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p + i));
    const __m128i control = _mm_cmpeq_epi8(_mm_min_epu8(bytes, last_control), bytes);
    const __m128i fine = _mm_or_si128(_mm_cmpeq_epi8(bytes, line_feed), _mm_cmpeq_epi8(bytes, tab));
    const __m128i bad = _mm_or_si128(_mm_or_si128(_mm_andnot_si128(fine, control), bytes),
                                     _mm_cmpeq_epi8(bytes, delete_character));
    // Only the top bit of each byte counts, which is also what marks bytes above 0x7f.
    const auto found = static_cast<unsigned>(_mm_movemask_epi8(bad));
    if (found != 0) return i + static_cast<std::size_t>(std::countr_zero(found));
  }
#endif
  for (; i < size; ++i) {
    const auto c = static_cast<unsigned char>(p[i]);
    if ((c < 0x20 && c != '\n' && c != '\t') || c >= 0x7f) return i;
  }
  return size;
}

// Code points that neither end lines nor are refused by libyaml, nor skipped by it.
bool is_usual(char32_t c) {
  return c >= 0xa0 && c != 0x2028 && c != 0x2029 && c != 0xfeff && c != 0xfffe && c != 0xffff;
}

bool has_tag_directive(std::string_view text) {
  for (std::size_t at = text.find("%TAG"); at != std::string_view::npos;
       at = text.find("%TAG", at + 4)) {
    if (at == 0 || text[at - 1] == '\n') return true;
  }
  return false;
}

}  // namespace

YamlScanner::YamlScanner(std::string_view text, std::uint64_t flow_budget)
    : begin_(text.data()),
      end_(text.data() + text.size()),
      length_(text.size()),
      flow_budget_(flow_budget) {
  restart_.flow_budget = flow_budget;
  usable_ = prepare();
  if (usable_) frames_.reserve(16);
  p_ = line_start_ = column_origin_ = counted_ = no_flow_key_before_ = begin_;
}

bool YamlScanner::prepare() {
  if (length_ == 0 || length_ > kLongestText) return false;
  for (std::size_t i = find_unusual(begin_, 0, length_); i < length_;
       i = find_unusual(begin_, i, length_)) {
    if ((begin_[i] & 0x80) == 0) return false;
    ascii_ = false;
    // Such characters come in runs.
    while (i < length_ && (begin_[i] & 0x80) != 0) {
      const utf8::Decoded decoded = utf8::decode({begin_ + i, length_ - i});
      if (decoded.width < 2 || !is_usual(decoded.code_point)) return false;
      i += decoded.width;
    }
  }
  // More than a number of these is an error at once, whatever they are.
  if (has_tag_directive({begin_, length_})) return false;
  if (end_[-1] == '\n') return true;
  // Where the last line has no break, libyaml ends it by force. That comes to the same as a break,
  // but not when the line has no token.
  const char* last = end_;
  while (last != begin_ && last[-1] != '\n') --last;
  last_column_ = static_cast<std::int64_t>(utf8::count({last, end_}));
  last = skip_spaces(last, end_);
  if (last == end_ || *last == '#') return false;
  completed_.reserve(length_ + 1);
  completed_.assign(begin_, length_);
  completed_ += '\n';
  added_break_ = true;
  begin_ = completed_.data();
  end_ = begin_ + completed_.size();
  return true;
}

bool YamlScanner::resume(const Position& at, std::uint64_t flow_budget) {
  if (!usable_ || at.column != 1 || at.offset >= length_) return false;
  const char* p = begin_ + at.offset;
  if (*p != '-' || !is_document_mark(p, '-')) return false;
  p_ = line_start_ = column_origin_ = counted_ = p;
  line_ = at.line;
  column_ = -1;
  boundary_ = Boundary::kStart;
  frames_.clear();
  flow_depth_ = 0;
  flow_budget_ = flow_budget;
  state_ = State::kDocument;
  return true;
}

Position YamlScanner::place(const char* p) {
  Position at{.offset = static_cast<std::uint64_t>(p - begin_), .line = line_};
  if (!ascii_) {
    column_origin_ += count_continuations(counted_, p);
    counted_ = p;
  }
  at.column = static_cast<std::uint32_t>(p - column_origin_ + 1);
  return at;
}

// Only spaces stand before it.
Position YamlScanner::token_place() const {
  return {.offset = std::min(static_cast<std::size_t>(p_ - begin_), length_),
          .line = line_,
          .column = boundary_ == Boundary::kNothing ? static_cast<std::uint32_t>(column_ + 1) : 1};
}

const char* YamlScanner::line_end(const char* p) const {
  return static_cast<const char*>(std::memchr(p, '\n', static_cast<std::size_t>(end_ - p)));
}

// At the start of a line: three of the character, with nothing right behind them. The line break at
// the end of the text keeps this inside of it.
bool YamlScanner::is_document_mark(const char* p, char c) const {
  return p[0] == c && p[1] == c && p[2] == c && is_blank_or_break(p[3]);
}

const char* YamlScanner::find_plain_end(const char* p) const {
  const auto ends_here = [](const char* at) {
    return *at == ':' ? is_blank_or_break(at[1]) : *at == '#' ? at[-1] == ' ' : true;
  };
#if defined(__SSE2__)
  const __m128i last_control = _mm_set1_epi8(0x1f);
  const __m128i colon = _mm_set1_epi8(':');
  const __m128i number_sign = _mm_set1_epi8('#');
  for (; end_ - p >= 16; p += 16) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
    const __m128i stop = _mm_or_si128(
        _mm_cmpeq_epi8(_mm_min_epu8(bytes, last_control), bytes),
        _mm_or_si128(_mm_cmpeq_epi8(bytes, colon), _mm_cmpeq_epi8(bytes, number_sign)));
    for (auto stops = static_cast<unsigned>(_mm_movemask_epi8(stop)); stops != 0;
         stops &= stops - 1) {
      const char* at = p + std::countr_zero(stops);
      if (ends_here(at)) return at;
    }
  }
#endif
  for (;; ++p) {
    const auto c = static_cast<unsigned char>(*p);
    if ((c == ':' || c == '#' || c < 0x20) && ends_here(p)) return p;
  }
}

// In flow collections brackets and commas end it, too, and any colon that libyaml looks at twice.
const char* YamlScanner::find_flow_plain_end(const char* p) const {
  for (;; ++p) {
    switch (*p) {
      case '\n':
      case '\t':
      case ',':
      case '[':
      case ']':
      case '{':
      case '}': return p;
      case ':':
        if (is_blank_or_break(p[1]) ||
            std::string_view(",?[]{}").find(p[1]) != std::string_view::npos)
          return p;
        break;
      case '#':
        if (p[-1] == ' ') return p;
        break;
      default: break;
    }
  }
}

// Between tokens.

// From the start of a line (or the indentation of one) to the next token of the block context.
bool YamlScanner::to_next_token() {
  for (;;) {
    const char* p = skip_spaces(p_, end_);
    if (p == end_) {
      // The line that is ended by force is first held to its indentation, which matters when it
      // has only the end of something longer.
      if (added_break_ && last_column_ < indent()) return false;
      p_ = p;
      column_ = -1;
      boundary_ = Boundary::kText;
      return true;
    }
    if (*p == '\n') {
      new_line(p + 1);
      continue;
    }
    if (*p == '#') {
      new_line(line_end(p) + 1);
      continue;
    }
    if (*p == '\t') return false;
    p_ = p;
    column_ = static_cast<std::int32_t>(p - line_start_);
    boundary_ = Boundary::kNothing;
    if (column_ != 0) return true;
    if (*p == '%') return false;
    if (*p == '-' && is_document_mark(p, '-')) boundary_ = Boundary::kStart;
    if (*p == '.' && is_document_mark(p, '.')) boundary_ = Boundary::kStop;
    if (boundary_ != Boundary::kNothing) column_ = -1;
    return true;
  }
}

// Nothing but a comment may follow on this line.
bool YamlScanner::end_line(const char* p) {
  p = skip_spaces(p, end_);
  if (*p == '#' && p[-1] == ' ') p = line_end(p);
  if (*p != '\n') return false;
  new_line(p + 1);
  return to_next_token();
}

bool YamlScanner::next(YamlEvent& out) {
  switch (state_) {
    case State::kToken: return token(out);
    case State::kValue: return value(out);
    case State::kItem: return item(out);
    case State::kFirstKey:
      emit_scalar(out, first_key_, first_key_at_);
      state_ = State::kValue;
      return true;
    case State::kRoot:
      if (boundary_ == Boundary::kNothing) return node(out, true);
      emit_null(out, token_place());
      state_ = State::kToken;
      return true;
    case State::kFlowItemEnd:
      if (!flow_separator(']')) return false;
      [[fallthrough]];
    case State::kFlowItem: return flow_item(out);
    case State::kFlowValueEnd:
      if (!flow_separator('}')) return false;
      [[fallthrough]];
    case State::kFlowKey: return flow_key(out);
    case State::kFlowValue: return flow_value(out);
    case State::kFirstDocument:
      if (!usable_ || !to_next_token() || boundary_ == Boundary::kStop) return false;
      return document_start(out);
    case State::kDocument:
      while (boundary_ == Boundary::kStop) {
        if (!end_line(p_ + 3)) return false;
      }
      if (boundary_ == Boundary::kNothing) return false;
      return document_start(out);
    case State::kStreamEnd: emit(out, YamlEventKind::kStreamEnd, token_place()); return true;
  }
  return false;
}

bool YamlScanner::document_start(YamlEvent& out) {
  const Position at = token_place();
  if (boundary_ == Boundary::kText) {
    state_ = State::kStreamEnd;
    emit(out, YamlEventKind::kStreamEnd, at);
    return true;
  }
  if (boundary_ == Boundary::kStart) {
    restart_ = {at.offset, at.line, 0, flow_budget_};
    // What stands on the line of `---` follows rules of its own.
    if (!end_line(p_ + 3)) return false;
  }
  state_ = State::kRoot;
  emit(out, YamlEventKind::kDocumentStart, at);
  return true;
}

// Block collections.

// The column of a token that stands first on its line says what it is: at the indentation of the
// innermost collection it continues that collection, to the left it closes it (one frame per call,
// since each close is an event of its own), to the right it is an error and libyaml's to report.
bool YamlScanner::token(YamlEvent& out) {
  if (frames_.empty()) {
    if (boundary_ == Boundary::kNothing) return false;
    state_ = State::kDocument;
    emit(out, YamlEventKind::kDocumentEnd, token_place());
    return true;
  }
  const Frame frame = frames_.back();
  const bool mapping = frame.kind == Collection::kBlockMapping;
  if (column_ == frame.indent) {
    if (mapping) return key(out);
    if (*p_ == '-' && is_blank_or_break(p_[1])) {
      ++p_;
      return item(out);
    }
    // A key at the indentation of an indentless sequence ends it: the sequence stands at the column
    // of the mapping around it.
    if (frame.kind != Collection::kIndentless) return false;
  } else if (column_ > frame.indent) {
    return false;
  }
  frames_.pop_back();
  emit(out, mapping ? YamlEventKind::kObjectEnd : YamlEventKind::kArrayEnd, token_place());
  return true;
}

bool YamlScanner::key(YamlEvent& out) {
  const char* start = p_;
  const Position at = token_place();
  ScannedScalar scalar;
  const char* colon;
  if (*start == '"' || *start == '\'') {
    bool one_line = true;
    if (!scan_quoted(scalar, one_line) || !one_line) return false;
    colon = skip_spaces(p_, end_);
    if (*colon != ':' || !is_blank_or_break(colon[1])) return false;
  } else {
    if (!starts_plain(start)) return false;
    colon = find_plain_end(start);
    if (*colon != ':') return false;
    const char* end = colon;
    while (end[-1] == ' ') --end;
    scalar = {{start, end}, true, true};
  }
  if (colon - start > kLongestKey) return false;
  p_ = colon + 1;
  state_ = State::kValue;
  emit_scalar(out, scalar, at);
  return true;
}

bool YamlScanner::value(YamlEvent& out) {
  const char* p = skip_spaces(p_, end_);
  if (*p != '\n' && *p != '#') {
    p_ = p;
    return node(out, false);
  }
  const Position behind_colon = place(p_);
  if (!end_line(p)) return false;
  const std::int32_t around = indent();
  // Only deeper indentation belongs to the value. At the same column there may still be an
  // indentless sequence; otherwise the value is null and the token is the next key.
  if (column_ > around) return node(out, true);
  state_ = State::kToken;
  if (column_ == around && *p_ == '-' && is_blank_or_break(p_[1])) {
    frames_.push_back({Collection::kIndentless, around});
    emit(out, YamlEventKind::kArrayStart, token_place());
    return true;
  }
  if (column_ == around && (*p_ == '|' || *p_ == '>')) return false;  // libyaml takes it for ours
  emit_null(out, behind_colon);
  return true;
}

bool YamlScanner::item(YamlEvent& out) {
  const char* p = skip_spaces(p_, end_);
  if (*p != '\n' && *p != '#') {
    p_ = p;
    return node(out, true);
  }
  const Position behind_dash = place(p_);
  if (!end_line(p)) return false;
  const Frame around = frames_.back();
  if (column_ > around.indent) return node(out, true);
  if (column_ == around.indent && (*p_ != '-' || !is_blank_or_break(p_[1]))) {
    if (around.kind != Collection::kIndentless || *p_ == '|' || *p_ == '>') return false;
  }
  state_ = State::kToken;
  emit_null(out, behind_dash);
  return true;
}

// A value at p_. Unless a key is allowed here, it is behind one on the same line.
bool YamlScanner::node(YamlEvent& out, bool key_allowed) {
  switch (*p_) {
    case '|':
    case '>': {
      const Position at = place(p_);
      ScannedScalar scalar;
      if (!scan_block_scalar(scalar)) return false;
      state_ = State::kToken;
      emit_scalar(out, scalar, at);
      return true;
    }
    case '[':
    case '{': return begin_flow(out, key_allowed);
    case '-':
      if (!is_blank_or_break(p_[1])) break;
      if (!key_allowed) return false;
      frames_.push_back({Collection::kBlockSequence, static_cast<std::int32_t>(p_ - line_start_)});
      emit(out, YamlEventKind::kArrayStart, place(p_));
      ++p_;
      state_ = State::kItem;
      return true;
    case '&': return anchored(out, key_allowed);
    case '*': {
      const Position at = place(p_);
      const std::string_view name = name_at(p_ + 1);
      const char* behind = name.data() + name.size();
      if (name.empty() || !is_blank_or_break(*behind) || !end_line(behind)) return false;
      state_ = State::kToken;
      emit(out, YamlEventKind::kAlias, at);
      out.anchor = name;
      return true;
    }
    default: break;
  }
  return scalar_or_mapping(out, key_allowed);
}

// At the & of a value's anchor. Where a key is allowed the anchor is the key's if there is one, so
// nothing else may then stand on the line.
bool YamlScanner::anchored(YamlEvent& out, bool key_allowed) {
  const Position at = place(p_);
  const std::string_view name = name_at(p_ + 1);
  const char* behind = name.data() + name.size();
  if (name.empty() || !is_blank_or_break(*behind)) return false;
  p_ = skip_spaces(behind, end_);
  const bool on_this_line = *p_ != '\n' && *p_ != '#';
  if (on_this_line) {
    if (key_allowed) return false;
  } else {
    const std::int32_t around = indent();
    if (!end_line(p_) || column_ <= around) return false;
  }
  if (*p_ == '&' || *p_ == '*' || !node(out, !on_this_line)) return false;
  out.at = at;
  out.anchor = name;
  return true;
}

// The one place with lookahead. A scalar that is followed by a colon on its line is the first key
// of a new block mapping, so kObjectStart is emitted first and the key waits in first_key_.
bool YamlScanner::scalar_or_mapping(YamlEvent& out, bool key_allowed) {
  const char* start = p_;
  const Position at = place(start);
  const auto column = static_cast<std::int32_t>(start - line_start_);
  ScannedScalar scalar;
  const char* colon = nullptr;
  if (*start == '"' || *start == '\'') {
    bool one_line = true;
    if (!scan_quoted(scalar, one_line)) return false;
    const char* behind = skip_spaces(p_, end_);
    if (*behind == ':') {
      if (!one_line || !is_blank_or_break(behind[1])) return false;
      colon = behind;
    } else if (!end_line(p_)) {
      return false;
    }
  } else {
    if (!starts_plain(start)) return false;
    const char* stop = find_plain_end(start);
    const char* end = stop;
    while (end[-1] == ' ') --end;
    scalar = {{start, end}, true, true};
    switch (*stop) {
      case ':': colon = stop; break;
      case '#':
        new_line(line_end(stop) + 1);
        if (!to_next_token()) return false;
        break;
      case '\n':
        new_line(stop + 1);
        if (!scan_plain_rest({start, end}, indent(), scalar)) return false;
        break;
      default: return false;
    }
  }
  if (colon == nullptr) {
    state_ = State::kToken;
    emit_scalar(out, scalar, at);
    return true;
  }
  if (!key_allowed || colon - start > kLongestKey) return false;
  p_ = colon + 1;
  first_key_ = scalar;
  first_key_at_ = at;
  frames_.push_back({Collection::kBlockMapping, column});
  state_ = State::kFirstKey;
  emit(out, YamlEventKind::kObjectStart, at);
  return true;
}

// Flow collections.

// libyaml walks all open flow collections for each token: depth times tokens, which hostile text
// can make quadratic. The budget is charged per event, as LibyamlParser does, so both reach the
// limit at the same event.
bool YamlScanner::spend_flow_budget() {
  if (flow_depth_ > flow_budget_) return false;
  flow_budget_ -= flow_depth_;
  return true;
}

// Spaces, line breaks and comments.
bool YamlScanner::skip_flow_space() {
  for (;;) {
    const char* p = skip_spaces(p_, end_);
    if (p == end_) return false;
    if (*p == '#') {
      if (p != line_start_ && p[-1] != ' ') return false;
      p = line_end(p);
    }
    if (*p != '\n') {
      p_ = p;
      if (*p == '\t') return false;
      return p != line_start_ || (!is_document_mark(p, '-') && !is_document_mark(p, '.'));
    }
    new_line(p + 1);
  }
}

// Whether libyaml may take a collection that starts here for a key: a colon must then follow it on
// its line, and between the two nothing that it knows cannot stand in a key. Text in quotes is not
// told apart, so the answer is too careful at times.
bool YamlScanner::flow_key_on_line(const char* p) {
  // Everything up to the end of this line was examined from an earlier bracket. Without the memo a
  // line of n brackets would be read n times.
  if (p < no_flow_key_before_) return false;
  const char* end = line_end(p);
  const std::string_view line(p, end);
  const std::size_t last_colon = line.rfind(':');
  if (last_colon != std::string_view::npos) {
    for (const char* stop = p + last_colon; p != stop; ++p) {
      if (*p != ']' && *p != '}') continue;
      const char* behind = p + 1;
      while (is_blank(*behind)) ++behind;
      const bool harmless = *behind == ',' || *behind == ']' || *behind == '}' ||
                            (*behind == '#' && is_blank(behind[-1]));
      if (!harmless) return true;
    }
  }
  no_flow_key_before_ = end;
  return false;
}

bool YamlScanner::begin_flow(YamlEvent& out, bool key_allowed) {
  if (key_allowed && flow_key_on_line(p_)) return false;
  const bool mapping = *p_ == '{';
  const Position at = place(p_);
  frames_.push_back({mapping ? Collection::kFlowMapping : Collection::kFlowSequence, indent()});
  ++flow_depth_;
  ++p_;
  state_ = mapping ? State::kFlowKey : State::kFlowItem;
  emit(out, mapping ? YamlEventKind::kObjectStart : YamlEventKind::kArrayStart, at);
  return true;
}

// Back in block context only a comment may follow on the line: a colon would make the collection a
// key, and end_line declines it.
bool YamlScanner::end_flow(YamlEvent& out) {
  const bool mapping = *p_ == '}';
  const Position at = place(p_);
  frames_.pop_back();
  --flow_depth_;
  ++p_;
  if (flow_depth_ == 0) {
    if (!end_line(p_)) return false;
    state_ = State::kToken;
  } else {
    state_ = frames_.back().kind == Collection::kFlowMapping ? State::kFlowValueEnd
                                                             : State::kFlowItemEnd;
  }
  emit(out, mapping ? YamlEventKind::kObjectEnd : YamlEventKind::kArrayEnd, at);
  return true;
}

// Behind an item or value: a comma, which is passed, or the bracket that closes the collection.
bool YamlScanner::flow_separator(char close) {
  if (!skip_flow_space()) return false;
  if (*p_ == ',') {
    ++p_;
    return true;
  }
  return *p_ == close;
}

bool YamlScanner::flow_item(YamlEvent& out) {
  if (!spend_flow_budget() || !skip_flow_space()) return false;
  if (*p_ == ']') return end_flow(out);
  return flow_node(out, ']');
}

bool YamlScanner::flow_key(YamlEvent& out) {
  if (!spend_flow_budget() || !skip_flow_space()) return false;
  if (*p_ == '}') return end_flow(out);
  const char* start = p_;
  const Position at = place(start);
  ScannedScalar scalar;
  const char* colon;
  if (*start == '"' || *start == '\'') {
    bool one_line = true;
    if (!scan_quoted(scalar, one_line) || !one_line) return false;
    colon = skip_spaces(p_, end_);
    if (*colon != ':') return false;
  } else {
    if (!starts_plain(start) || *start == '?' || *start == ':') return false;
    colon = find_flow_plain_end(start);
    if (*colon != ':' || !is_blank_or_break(colon[1])) return false;
    const char* end = colon;
    while (end[-1] == ' ') --end;
    scalar = {{start, end}, true, true};
  }
  if (colon - start > kLongestKey) return false;
  p_ = colon + 1;
  state_ = State::kFlowValue;
  emit_scalar(out, scalar, at);
  return true;
}

bool YamlScanner::flow_value(YamlEvent& out) {
  if (!spend_flow_budget() || !skip_flow_space()) return false;
  if (*p_ != ',' && *p_ != '}') return flow_node(out, '}');
  emit_null(out, place(p_));
  if (*p_ == ',') ++p_;
  state_ = State::kFlowKey;
  return true;
}

bool YamlScanner::flow_node(YamlEvent& out, char close) {
  const char* start = p_;
  if (*start == '[' || *start == '{') return begin_flow(out, close == ']');
  const Position at = place(start);
  ScannedScalar scalar;
  std::string_view alias;
  if (*start == '"' || *start == '\'') {
    bool one_line = true;
    if (!scan_quoted(scalar, one_line)) return false;
  } else if (*start == '*') {
    alias = name_at(start + 1);
    p_ = alias.data() + alias.size();
    if (alias.empty() || (!is_blank_or_break(*p_) && *p_ != ',' && *p_ != close)) return false;
  } else {
    if (!starts_plain(start) || *start == '?' || *start == ':') return false;
    const char* end = p_ = find_flow_plain_end(start);
    while (end[-1] == ' ') --end;
    scalar = {{start, end}, true, true};
  }
  // A colon here would make a mapping of it, and another line might belong to the scalar: neither
  // passes as a separator.
  if (!flow_separator(close)) return false;
  state_ = close == ']' ? State::kFlowItem : State::kFlowKey;
  emit_scalar(out, scalar, at);
  if (!alias.empty()) {
    out.kind = YamlEventKind::kAlias;
    out.anchor = alias;
  }
  return true;
}

// Scalars.

// p_ goes from the opening quote to behind the closing one.
bool YamlScanner::scan_quoted(ScannedScalar& out, bool& one_line) {
  const char quote = *p_;
  const char* start = p_ + 1;
  const char* stop;
  if (quote == '"') {
    bool ignored = false;
    stop = find_string_stop(start, end_, ignored);
    while (stop != end_ && *stop == '\t') stop = find_string_stop(stop + 1, end_, ignored);
    if (stop == end_) return false;
  } else {
    stop = start;
    while (stop != end_ && *stop != '\'' && *stop != '\n') ++stop;
    if (stop == end_) return false;
  }
  if (*stop == quote && !(quote == '\'' && stop[1] == '\'')) {
    out = {{start, stop}, false, true};
    p_ = stop + 1;
    return true;
  }
  const std::uint32_t line = line_;
  if (!scan_quoted_slowly(quote, out)) return false;
  one_line = line_ == line;
  return true;
}

// With escapes and over several lines: blanks around a line break are dropped, a single break is a
// space, of several all but the first stay. Blanks that were escaped are no blanks here.
bool YamlScanner::scan_quoted_slowly(char quote, ScannedScalar& out) {
  scratch_.clear();
  std::size_t kept = 0;  // where blanks may not be dropped
  const char* p = p_ + 1;
  // Passes the indentation and empty lines that follow a line break; appends the breaks.
  const auto fold = [&](bool escaped) {
    std::size_t breaks = 0;
    for (;; ++breaks) {
      while (is_blank(*p)) ++p;
      if (*p != '\n') break;
      new_line(++p);
      if (p == end_) return false;
    }
    if (breaks == 0 && !escaped) scratch_ += ' ';
    scratch_.append(breaks, '\n');
    kept = scratch_.size();
    return p != line_start_ || (!is_document_mark(p, '-') && !is_document_mark(p, '.'));
  };
  for (;;) {
    const char* start = p;
    while (*p != quote && *p != '\n' && (*p != '\\' || quote == '\'')) ++p;
    scratch_.append(start, p);
    if (*p == '\n') {
      std::size_t size = scratch_.size();
      while (size > kept && is_blank(scratch_[size - 1])) --size;
      scratch_.resize(size);
      new_line(++p);
      if (p == end_ || !fold(false)) return false;
    } else if (*p == '\\') {
      if (p[1] == '\n') {
        p += 2;
        new_line(p);
        if (p == end_ || !fold(true)) return false;
        continue;
      }
      if (!scan_escape(p)) return false;
      kept = scratch_.size();
    } else if (quote == '\'' && p[1] == '\'') {
      scratch_ += '\'';
      p += 2;
    } else {
      out = {scratch_, false, false};
      p_ = p + 1;
      return true;
    }
  }
}

// p goes from the backslash to behind the escape.
bool YamlScanner::scan_escape(const char*& p) {
  const char c = p[1];
  p += 2;
  int digits = 0;
  switch (c) {
    case '0': scratch_ += '\0'; return true;
    case 'a': scratch_ += '\a'; return true;
    case 'b': scratch_ += '\b'; return true;
    case 't':
    case '\t': scratch_ += '\t'; return true;
    case 'n': scratch_ += '\n'; return true;
    case 'v': scratch_ += '\v'; return true;
    case 'f': scratch_ += '\f'; return true;
    case 'r': scratch_ += '\r'; return true;
    case 'e': scratch_ += '\x1b'; return true;
    case ' ':
    case '"':
    case '/':
    case '\\': scratch_ += c; return true;
    case 'N': scratch_ += "\xc2\x85"; return true;
    case '_': scratch_ += "\xc2\xa0"; return true;
    case 'L': scratch_ += "\xe2\x80\xa8"; return true;
    case 'P': scratch_ += "\xe2\x80\xa9"; return true;
    case 'x': digits = 2; break;
    case 'u': digits = 4; break;
    case 'U': digits = 8; break;
    default: return false;
  }
  char32_t code_point = 0;
  for (; digits > 0; --digits, ++p) {
    const auto lower = static_cast<char>(*p | 0x20);
    if (*p >= '0' && *p <= '9') {
      code_point = code_point << 4 | static_cast<char32_t>(*p - '0');
    } else if (lower >= 'a' && lower <= 'f') {
      code_point = code_point << 4 | static_cast<char32_t>(lower - 'a' + 10);
    } else {
      return false;
    }
  }
  if ((code_point >= 0xd800 && code_point <= 0xdfff) || code_point > utf8::kLargest) return false;
  utf8::append(scratch_, code_point);
  return true;
}

// At the start of the line behind a plain scalar's first: takes in the lines that belong to it, and
// goes to the next token. `out` is touched only when there are such lines.
bool YamlScanner::scan_plain_rest(std::string_view first_line, std::int32_t indent,
                                  ScannedScalar& out) {
  bool first = true;
  for (;;) {
    std::size_t breaks = 0;
    const char* p = skip_spaces(p_, end_);
    for (; p != end_ && *p == '\n'; ++breaks) {
      new_line(p + 1);
      p = skip_spaces(p_, end_);
    }
    const bool goes_on =
        p != end_ && *p != '#' && *p != '\t' && p - line_start_ > indent &&
        (p != line_start_ || (!is_document_mark(p, '-') && !is_document_mark(p, '.')));
    if (!goes_on) return to_next_token();
    if (first) scratch_.assign(first_line);
    first = false;
    if (breaks == 0) scratch_ += ' ';
    scratch_.append(breaks, '\n');
    const char* stop = find_plain_end(p);
    if (*stop == ':' || *stop == '\t') return false;
    const char* end = stop;
    while (end[-1] == ' ') --end;
    scratch_.append(p, end);
    out = {scratch_, true, false};
    new_line((*stop == '#' ? line_end(stop) : stop) + 1);
    if (*stop == '#') return to_next_token();
  }
}

// At the | or >. Goes to the next token behind the scalar.
bool YamlScanner::scan_block_scalar(ScannedScalar& out) {
  const bool literal = *p_ == '|';
  const char* p = p_ + 1;
  bool strip = false;
  bool keep = false;
  std::int32_t wanted = 0;  // indentation
  for (int i = 0; i < 2; ++i) {
    if (!strip && !keep && (*p == '-' || *p == '+')) {
      (*p++ == '-' ? strip : keep) = true;
    } else if (wanted == 0 && *p >= '1' && *p <= '9') {
      wanted = *p++ - '0' + std::max(indent(), 0);
    }
  }
  p = skip_spaces(p, end_);
  if (*p == '#' && p[-1] == ' ') p = line_end(p);
  if (*p != '\n') return false;
  new_line(p + 1);

  // Empty lines before the first one with text; the longest of these decides where text starts.
  std::size_t breaks = 0;
  std::int32_t column = 0;
  if (wanted == 0) {
    std::int32_t most = 0;
    for (;; ++breaks) {
      p = skip_spaces(p_, end_);
      column = static_cast<std::int32_t>(p - line_start_);
      most = std::max(most, column);
      if (p == end_ || *p != '\n') break;
      new_line(p + 1);
    }
    if (p != end_ && *p == '\t') return false;
    wanted = std::max({most, indent() + 1, 1});
  }
  // From the start of a line: passes empty ones, and the indentation of the one behind them.
  const auto pass_indentation = [&] {
    for (;; ++breaks) {
      const char* most = p_ + std::min<std::ptrdiff_t>(wanted, end_ - p_);
      p = p_;
      while (p != most && *p == ' ') ++p;
      column = static_cast<std::int32_t>(p - line_start_);
      if (p == end_ || *p != '\n') break;
      new_line(p + 1);
    }
    return column == wanted || p == end_ || *p != '\t';
  };
  if (!pass_indentation()) return false;

  scratch_.clear();
  bool text_before = false;
  bool blank_before = false;
  while (column == wanted && p != end_) {
    const bool blank = is_blank(*p);
    if (text_before && (literal || blank_before || blank)) {
      scratch_ += '\n';
    } else if (text_before && breaks == 0) {
      scratch_ += ' ';
    }
    scratch_.append(breaks, '\n');
    breaks = 0;
    blank_before = blank;
    text_before = true;
    const char* end = line_end(p);
    scratch_.append(p, end);
    new_line(end + 1);
    if (!pass_indentation()) return false;
  }
  // Without a break at the end of the text there is none to keep.
  if (p == end_ && added_break_) return false;
  if (!strip && text_before) scratch_ += '\n';
  if (keep) scratch_.append(breaks, '\n');
  out = {scratch_, false, false};
  return to_next_token();
}

}  // namespace strake::value::internal
