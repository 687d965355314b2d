#pragma once
// The JSON grammar as a machine that can be stopped after any token and fed again. It is a template
// so that the document builder's calls are inlined into it; json_reader.cc instantiates it for the
// builder and for EventSink, nobody else does.
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/hex.h"
#include "base/quote.h"
#include "base/utf8.h"
#include "value/json_scan.h"
#include "value/read_options.h"
#include "value/value.h"

// What the loop of run() consists of: calls would cost as much as the work.
#define STRAKE_HOT [[gnu::always_inline]] inline

// Tokens are atomic: run() consumes a token whole or not at all, and a token that the chunk cuts
// off is handed back to be offered again with more bytes (JsonPushParser keeps it). So no state is
// needed inside of a token, and whole buffers and chunks take the same path with the same answers.
// Between tokens the state is one State and one bit per open container; nesting uses no native
// stack.
//
// The messages are those of Go's encoding/json, except for limits and text policies.

namespace strake::value::internal {

template <typename Sink>
class JsonMachine {
 public:
  JsonMachine(Sink& sink, const ReadOptions& options, bool many)
      : sink_(sink), options_(options), many_(many) {
    open_.reserve(64);
  }

  // Stop after each document, so that the caller can take it.
  void pause_between_documents() { pause_ = true; }

  // Consumes tokens of [p, end), which lies at `offset` in the input, and returns where it stopped:
  // the end, or the start of a token that goes on in the next chunk (never when `last`), or null
  // after an error. White space is never held back.
  const char* run(const char* p, const char* end, std::uint64_t offset, bool last);

  // Call when the input is over and run() has consumed all of it.
  bool finish(std::uint64_t offset);

  bool between_documents() const { return state_ == State::kValue && open_.empty(); }
  Error take_error() { return std::move(*error_); }

 private:
  enum class State : std::uint8_t { kValue, kFirstItem, kFirstKey, kKey, kColon, kAfter, kDone };

  STRAKE_HOT Position place(const char* p) const {
    const std::uint64_t at = chunk_offset_ + static_cast<std::uint64_t>(p - chunk_);
    return {at, line_, static_cast<std::uint32_t>(at - line_start_ - wide_ + 1)};
  }
  const char* refuse(Code code, const char* p, std::string message) {
    if (!error_) error_ = Error(code, std::move(message)).at(place(p));
    return nullptr;
  }
  const char* unexpected(const char* p, const char* context) {
    return refuse(Code::kParse, p,
                  fmt::format("invalid character {} {}",
                              quote_json_char(static_cast<unsigned char>(*p)), context));
  }
  // A token that needs more input: held back, or the end of the input is the error.
  const char* incomplete(const char* token, const char* end, bool last) {
    if (last) return refuse(Code::kParse, end, "unexpected end of JSON input");
    return token;
  }
  const char* stopped(const char* p) {
    return refuse(Code::kCancelled, p, "stopped by the reader of the events");
  }

  STRAKE_HOT const char* skip_white(const char* p, const char* end) {
    while (p != end) {
      const char c = *p;
      if (static_cast<unsigned char>(c) > ' ') return p;
      if (c == '\n') {
        ++p;
        ++line_;
        line_start_ = chunk_offset_ + static_cast<std::uint64_t>(p - chunk_);
        wide_ = 0;
        p = skip_spaces(p, end);
      } else if (c == ' ' || c == '\t' || c == '\r') {
        ++p;
      } else {
        return p;
      }
    }
    return p;
  }

  const char* open(const char* p, bool object) {
    if (open_.size() >= options_.limits.depth) {
      return refuse(Code::kLimit, p,
                    fmt::format("nesting is deeper than {}", options_.limits.depth));
    }
    open_.push_back(object);
    if (!(object ? sink_.begin_object(place(p)) : sink_.begin_array(place(p)))) return stopped(p);
    state_ = object ? State::kFirstKey : State::kFirstItem;
    return p + 1;
  }
  const char* close(const char* p, bool object) {
    open_.pop_back();
    if (!(object ? sink_.end_object(place(p)) : sink_.end_array(place(p)))) return stopped(p);
    return value_ended(p + 1);
  }
  STRAKE_HOT const char* value_ended(const char* p) {
    if (!open_.empty()) {
      state_ = State::kAfter;
      return p;
    }
    ++documents_;
    state_ = many_ ? State::kValue : State::kDone;
    return sink_.end_document(place(p)) ? p : stopped(p);
  }
  STRAKE_HOT const char* scalar(const Value& v, const char* token, const char* behind) {
    return sink_.scalar(v, place(token)) ? value_ended(behind) : stopped(token);
  }

  STRAKE_HOT const char* after_member(const char* p) {
    if (open_.back() != 0) {
      if (*p == ',') return state_ = State::kKey, p + 1;
      if (*p == '}') return close(p, true);
      return unexpected(p, "after object key:value pair");
    }
    if (*p == ',') return state_ = State::kValue, p + 1;
    if (*p == ']') return close(p, false);
    return unexpected(p, "after array element");
  }
  STRAKE_HOT const char* value(const char* p, const char* end, bool last) {
    switch (*p) {
      case '{': return open(p, true);
      case '[': return open(p, false);
      case '"': return string(p, end, last, false);
      case 't': return literal(p, end, last, "true", Value::boolean(true));
      case 'f': return literal(p, end, last, "false", Value::boolean(false));
      case 'n': return literal(p, end, last, "null", Value());
      case '-':
      case '0':
      case '1':
      case '2':
      case '3':
      case '4':
      case '5':
      case '6':
      case '7':
      case '8':
      case '9': return number(p, end, last);
      default: return unexpected(p, "looking for beginning of value");
    }
  }
  const char* literal(const char* p, const char* end, bool last, std::string_view word,
                      const Value& v);
  const char* number(const char* p, const char* end, bool last);
  const char* number_value(const char* p, const char* behind, bool integer);
  STRAKE_HOT const char* string(const char* p, const char* end, bool last, bool is_key);
  const char* string_slowly(const char* p, const char* stop, const char* end, bool last,
                            bool is_key);
  const char* unescape(const char* from, const char* stop, const char* end, bool last, bool is_key,
                       const char* token);
  const char* escape(const char* p, const char* end, const char*& bad);
  bool append_text(const char* from, const char* to);
  STRAKE_HOT const char* text(std::string_view s, const char* token, const char* behind,
                              bool is_key);

  Sink& sink_;
  const ReadOptions& options_;
  bool many_;
  bool pause_ = false;
  State state_ = State::kValue;
  std::vector<std::uint8_t> open_;  // 1 for an object, 0 for an array
  const char* chunk_ = nullptr;
  std::uint64_t chunk_offset_ = 0;
  std::uint64_t line_start_ = 0;
  std::uint64_t wide_ = 0;  // continuation bytes on this line, which are no columns
  std::uint32_t line_ = 1;
  std::uint64_t documents_ = 0;
  std::string scratch_;
  std::optional<Error> error_;
};

template <typename Sink>
const char* JsonMachine<Sink>::run(const char* p, const char* end, std::uint64_t offset,
                                   bool last) {
  chunk_ = p;
  chunk_offset_ = offset;
  const std::uint64_t documents = documents_;
  for (;;) {
    p = skip_white(p, end);
    if (p == end || (pause_ && documents_ != documents)) return p;
    // A pointer that has not moved says that the token is incomplete: every token is at least one
    // byte.
    const char* const token = p;
    switch (state_) {
      case State::kFirstItem: p = *p == ']' ? close(p, false) : value(p, end, last); break;
      case State::kValue: p = value(p, end, last); break;
      case State::kFirstKey:
        if (*p == '}') {
          p = close(p, true);
          break;
        }
        [[fallthrough]];
      case State::kKey:
        if (*p != '"') return unexpected(p, "looking for beginning of object key string");
        p = string(p, end, last, true);
        if (p == nullptr || p == token) return p;
        // A colon right behind the key is taken at once; kColon finds one behind blanks.
        if (p == end || *p != ':') continue;
        state_ = State::kValue;
        ++p;
        break;
      case State::kColon:
        if (*p != ':') return unexpected(p, "after object key");
        state_ = State::kValue;
        ++p;
        break;
      case State::kAfter: p = after_member(p); break;
      case State::kDone: return unexpected(p, "after top-level value");
    }
    if (p == nullptr || p == token) return p;
  }
}

template <typename Sink>
bool JsonMachine<Sink>::finish(std::uint64_t offset) {
  chunk_offset_ = offset;
  const char nothing = 0;
  chunk_ = &nothing;
  if (state_ == State::kDone || (many_ && between_documents())) return true;
  return refuse(Code::kParse, &nothing, "unexpected end of JSON input") != nullptr;
}

template <typename Sink>
const char* JsonMachine<Sink>::literal(const char* p, const char* end, bool last,
                                       std::string_view word, const Value& v) {
  if (static_cast<std::size_t>(end - p) >= word.size() &&
      std::memcmp(p, word.data(), word.size()) == 0) {
    return scalar(v, p, p + word.size());
  }
  // Only a word that differs or is cut off gets here, so the loop always returns.
  for (std::size_t i = 1; i < word.size(); ++i) {
    if (p + i == end) return incomplete(p, end, last);
    if (p[i] != word[i]) {
      const std::string context = fmt::format("in literal {} (expecting {})", word,
                                              quote_json_char(static_cast<unsigned char>(word[i])));
      return unexpected(p + i, context.c_str());
    }
  }
  return p;
}

template <typename Sink>
const char* JsonMachine<Sink>::number(const char* p, const char* end, bool last) {
  const char* q = p;
  auto digits = [&q, end] {
    while (q != end && *q >= '0' && *q <= '9') ++q;
  };
  auto digit_here = [&q] { return *q >= '0' && *q <= '9'; };
  bool integer = true;
  if (*q == '-') ++q;
  if (q == end) return incomplete(p, end, last);
  if (!digit_here()) return unexpected(q, "in numeric literal");
  if (*q == '0') {
    ++q;
  } else {
    digits();
  }
  if (q != end && *q == '.') {
    integer = false;
    if (++q == end) return incomplete(p, end, last);
    if (!digit_here()) return unexpected(q, "after decimal point in numeric literal");
    digits();
  }
  if (q != end && (*q == 'e' || *q == 'E')) {
    integer = false;
    if (++q == end) return incomplete(p, end, last);
    if (*q == '+' || *q == '-') {
      if (++q == end) return incomplete(p, end, last);
    }
    if (!digit_here()) return unexpected(q, "in exponent of numeric literal");
    digits();
  }
  if (q == end && !last) return p;  // more digits may follow
  return number_value(p, q, integer);
}

template <typename Sink>
const char* JsonMachine<Sink>::number_value(const char* p, const char* behind, bool integer) {
  const std::string_view token(p, static_cast<std::size_t>(behind - p));
  if (token.size() > options_.limits.string_bytes) {
    return refuse(Code::kLimit, p,
                  fmt::format("number is longer than {} bytes", options_.limits.string_bytes));
  }
  if (options_.numbers == NumberPolicy::kLiteral) return scalar(Value::literal(token), p, behind);
  if (integer && options_.numbers != NumberPolicy::kDouble) {
    if (token.size() <= 18) {  // cannot overflow
      const bool negative = *p == '-';
      std::int64_t n = 0;
      for (const char* d = p + negative; d != behind; ++d) n = n * 10 + (*d - '0');
      return scalar(Value::integer(negative ? -n : n), p, behind);
    }
    std::int64_t n = 0;
    if (std::from_chars(p, behind, n).ec == std::errc())
      return scalar(Value::integer(n), p, behind);
    std::uint64_t u = 0;
    if (options_.numbers == NumberPolicy::kWide &&
        std::from_chars(p, behind, u).ec == std::errc()) {
      return scalar(Value::unsigned_integer(u), p, behind);
    }
  }
  if (options_.numbers == NumberPolicy::kExact) return scalar(Value::literal(token), p, behind);
  double d = 0;
  if (std::from_chars(p, behind, d).ec != std::errc()) {
    // Out of range either way: strtod tells the too small, which is zero, from the too large.
    d = std::strtod(std::string(token).c_str(), nullptr);
    if (d > 1 || d < -1) {
      return refuse(Code::kParse, p,
                    fmt::format("number {} does not fit a 64-bit float", token.substr(0, 64)));
    }
  }
  return scalar(Value::number(d), p, behind);
}

// Most strings are plain ASCII without escapes, and most of the time of reading is spent here.
template <typename Sink>
inline const char* JsonMachine<Sink>::string(const char* p, const char* end, bool last,
                                             bool is_key) {
  const char* const from = p + 1;
  bool non_ascii = false;
  const char* stop = find_string_stop(from, end, non_ascii);
  if (stop != end && *stop == '"' && !non_ascii) [[likely]] {
    return text({from, static_cast<std::size_t>(stop - from)}, p, stop + 1, is_key);
  }
  return string_slowly(p, stop, end, last, is_key);
}

template <typename Sink>
[[gnu::noinline]] const char* JsonMachine<Sink>::string_slowly(const char* p, const char* stop,
                                                               const char* end, bool last,
                                                               bool is_key) {
  const char* const from = p + 1;
  // Invalid text is reported when the string is whole: the chunk may end inside a character.
  if (stop == end) return incomplete(p, end, last);
  if (*stop == '"') {
    const std::string_view plain(from, static_cast<std::size_t>(stop - from));
    if (utf8::is_valid(plain)) {
      const char* next = text(plain, p, stop + 1, is_key);
      wide_ += count_continuations(from, stop);
      return next;
    }
  }
  return unescape(from, stop, end, last, is_key, p);
}

// The slow road: a string with escapes or invalid text, decoded into scratch_.
template <typename Sink>
const char* JsonMachine<Sink>::unescape(const char* from, const char* stop, const char* end,
                                        bool last, bool is_key, const char* token) {
  scratch_.clear();
  for (;;) {
    if (stop == end) return incomplete(token, end, last);
    // Pieces are cut at ASCII bytes, so each holds whole characters.
    if (!append_text(from, stop)) return nullptr;
    if (*stop == '"') break;
    if (*stop != '\\') return unexpected(stop, "in string literal");
    const char* bad = nullptr;
    from = escape(stop, end, bad);
    if (bad == end) return incomplete(token, end, last);
    if (from == nullptr) return nullptr;
    bool non_ascii = false;
    stop = find_string_stop(from, end, non_ascii);
  }
  const char* next = text(scratch_, token, stop + 1, is_key);
  wide_ += count_continuations(token, stop);
  return next;
}

template <typename Sink>
bool JsonMachine<Sink>::append_text(const char* from, const char* to) {
  const std::string_view piece(from, static_cast<std::size_t>(to - from));
  if (utf8::is_valid(piece)) {
    scratch_ += piece;
    return true;
  }
  if (options_.text == TextPolicy::kStrict) {
    const std::size_t at = utf8::first_invalid(piece);
    refuse(Code::kParse, from + at, "invalid UTF-8 in string");
    return false;
  }
  scratch_ += utf8::replace_invalid(piece);
  return true;
}

// Decodes the escape at p, a backslash. Returns what follows it; null with `bad` at the end when
// the input ends inside it, or after an error.
template <typename Sink>
const char* JsonMachine<Sink>::escape(const char* p, const char* end, const char*& bad) {
  auto hex4 = [&](const char* q, char32_t& out) {
    out = 0;
    for (int i = 0; i < 4; ++i, ++q) {
      if (q == end) return bad = end, false;
      const int digit = hex_digit(*q);
      if (digit < 0) return unexpected(q, "in \\u hexadecimal character escape"), false;
      out = out * 16 + static_cast<char32_t>(digit);
    }
    return true;
  };
  if (p + 1 == end) return bad = end, nullptr;
  switch (p[1]) {
    case '"': scratch_ += '"'; return p + 2;
    case '\\': scratch_ += '\\'; return p + 2;
    case '/': scratch_ += '/'; return p + 2;
    case 'b': scratch_ += '\b'; return p + 2;
    case 'f': scratch_ += '\f'; return p + 2;
    case 'n': scratch_ += '\n'; return p + 2;
    case 'r': scratch_ += '\r'; return p + 2;
    case 't': scratch_ += '\t'; return p + 2;
    case 'u': break;
    default: return unexpected(p + 1, "in string escape code");
  }
  char32_t unit = 0;
  if (!hex4(p + 2, unit)) return nullptr;
  const char* behind = p + 6;
  if (unit < 0xd800 || unit > 0xdfff) {
    utf8::append(scratch_, unit);
    return behind;
  }
  // A high surrogate needs the low one behind it. A chunk that ends in between is incomplete, not
  // wrong; in the whole text a lone one is replaced or refused by the text policy, as Go reads it.
  if (unit < 0xdc00) {
    if (behind == end || (behind[0] == '\\' && behind + 1 == end)) return bad = end, nullptr;
    if (behind[0] == '\\' && behind[1] == 'u') {
      char32_t low = 0;
      if (!hex4(behind + 2, low)) return nullptr;
      if (low >= 0xdc00 && low <= 0xdfff) {
        utf8::append(scratch_, 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00));
        return behind + 6;
      }
    }
  }
  if (options_.text == TextPolicy::kStrict) {
    return refuse(Code::kParse, p,
                  fmt::format("lone surrogate \\u{:04x} in string", static_cast<unsigned>(unit)));
  }
  utf8::append(scratch_, 0xfffd);
  return behind;
}

template <typename Sink>
inline const char* JsonMachine<Sink>::text(std::string_view s, const char* token,
                                           const char* behind, bool is_key) {
  if (s.size() > options_.limits.string_bytes) [[unlikely]] {
    return refuse(Code::kLimit, token,
                  fmt::format("string is longer than {} bytes", options_.limits.string_bytes));
  }
  if (!is_key) return scalar(Value::string(s), token, behind);
  if (!sink_.key(s, place(token))) return stopped(token);
  state_ = State::kColon;
  return behind;
}

#undef STRAKE_HOT

}  // namespace strake::value::internal
