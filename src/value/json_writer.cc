#include "value/json_writer.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <vector>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "base/number_format.h"
#include "base/utf8.h"

// The bytes of Go's encoding/json, which is what the API server sends: its escapes, its number
// format, members in key order. Nesting is kept in an explicit stack; text is collected in a block
// on the stack and scanned 16 bytes at a time.

namespace strake::value {
namespace {

constexpr char kHex[] = "0123456789abcdef";

// 1 where a byte is written as it is; html is 1 more column for <, > and &.
struct PlainBytes {
  bool plain[256] = {};
  constexpr explicit PlainBytes(bool escape_html) {
    for (int c = 0x20; c < 0x80; ++c) plain[c] = true;
    plain[static_cast<int>('"')] = plain[static_cast<int>('\\')] = false;
    if (escape_html)
      plain[static_cast<int>('<')] = plain[static_cast<int>('>')] = plain[static_cast<int>('&')] =
          false;
  }
};
constexpr PlainBytes kPlain(false);
constexpr PlainBytes kPlainHtml(true);

void write_escape(unsigned char c, std::string& out) {
  switch (c) {
    case '"': out += "\\\""; return;
    case '\\': out += "\\\\"; return;
    case '\b': out += "\\b"; return;
    case '\f': out += "\\f"; return;
    case '\n': out += "\\n"; return;
    case '\r': out += "\\r"; return;
    case '\t': out += "\\t"; return;
    default:
      out += "\\u00";
      out += kHex[c >> 4];
      out += kHex[c & 15];
  }
}

#if defined(__SSE2__)
// Whether the first `size` bytes of sixteen, at most sixteen, are written as they are.
bool all_plain(const char* bytes, std::size_t size, bool escape_html) {
  const __m128i text = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes));
  const auto is = [&](char c) { return _mm_cmpeq_epi8(text, _mm_set1_epi8(c)); };
  // As signed bytes, both control characters and those above 0x7f are below a space.
  __m128i special = _mm_cmplt_epi8(text, _mm_set1_epi8(' '));
  special = _mm_or_si128(special, _mm_or_si128(is('"'), is('\\')));
  if (escape_html) {
    special = _mm_or_si128(special, _mm_or_si128(is('&'), _mm_or_si128(is('<'), is('>'))));
  }
  const auto found = static_cast<unsigned>(_mm_movemask_epi8(special));
  return (found & ((1u << size) - 1)) == 0;
}
#endif

// Collects the text in a block on the stack, so that the string grows by blocks and a small
// document costs one allocation of the right size.
class Output {
 public:
  explicit Output(std::string& out) : out_(out) {}
  ~Output() { flush(); }
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  void put(char c) {
    if (at_ == block_ + kBlock) flush();
    *at_++ = c;
  }
  void put(std::string_view text) {
    if (text.size() > room()) {
      flush();
      if (text.size() > kBlock) {
        out_ += text;
        return;
      }
    }
    std::memcpy(at_, text.data(), text.size());
    at_ += text.size();
  }
  std::size_t written() const { return out_.size() + static_cast<std::size_t>(at_ - block_); }
  void put_spaces(std::size_t count) {
    for (; count > 0; --count) put(' ');
  }
  template <typename Integer>
  void put_integer(Integer n) {
    if (room() < 24) flush();
    at_ = std::to_chars(at_, block_ + kBlock, n).ptr;
  }
  void put_string(std::string_view text, bool escape_html) {
    // With its quotes, and with room to look at sixteen bytes at a time.
    if (text.size() + 18 > room()) flush();
    if (text.size() + 18 <= kBlock && put_plain(text, escape_html)) return;
    flush();
    write_json_string(text, out_, escape_html);
  }
  void put_double(double d) {
    flush();
    append_json_number(out_, d);
  }

 private:
  static constexpr std::size_t kBlock = 2048;
  std::size_t room() const { return static_cast<std::size_t>(block_ + kBlock - at_); }
  void flush() {
    out_.append(block_, at_);
    at_ = block_;
  }

  // Copies first and looks afterwards: what turns out to need escapes is written again.
  bool put_plain(std::string_view text, bool escape_html) {
    char* const start = at_ + 1;
#if defined(__SSE2__)
    copy(start, text);
    for (std::size_t i = 0; i < text.size(); i += 16) {
      if (!all_plain(start + i, std::min<std::size_t>(16, text.size() - i), escape_html))
        return false;
    }
#else
    const bool* plain = escape_html ? kPlainHtml.plain : kPlain.plain;
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (!plain[static_cast<unsigned char>(text[i])]) return false;
      start[i] = text[i];
    }
#endif
    *at_ = '"';
    start[text.size()] = '"';
    at_ = start + text.size() + 1;
    return true;
  }

  // Most keys and texts are short: two moves that may overlap, and no call.
  static void copy(char* to, std::string_view text) {
    const char* from = text.data();
    const std::size_t size = text.size();
    if (size >= 8 && size <= 16) {
      std::uint64_t first;
      std::uint64_t last;
      std::memcpy(&first, from, 8);
      std::memcpy(&last, from + size - 8, 8);
      std::memcpy(to, &first, 8);
      std::memcpy(to + size - 8, &last, 8);
    } else if (size >= 4 && size < 8) {
      std::uint32_t first;
      std::uint32_t last;
      std::memcpy(&first, from, 4);
      std::memcpy(&last, from + size - 4, 4);
      std::memcpy(to, &first, 4);
      std::memcpy(to + size - 4, &last, 4);
    } else if (size > 16) {
      std::memcpy(to, from, size);
    } else {
      for (std::size_t i = 0; i < size; ++i) to[i] = from[i];
    }
  }

  std::string& out_;
  char block_[kBlock];
  char* at_ = block_;
};

class Writer {
 public:
  Writer(std::string& out, const JsonStyle& style) : out_(out), style_(style) {}

  template <bool Bounded>
  void run(const Value& root) {
    const std::size_t start = out_.written();
    begin(root);
    while (depth_ != 0) {
      if (Bounded && out_.written() - start > style_.most_bytes) return;
      Frame& frame = top();
      const Value& container = *frame.container;
      const std::size_t i = frame.next++;
      if (i == container.size()) {
        pop();
        if (style_.indent != 0) new_line();
        out_.put(container.is_array() ? ']' : '}');
        continue;
      }
      if (i != 0) out_.put(',');
      if (style_.indent != 0) new_line();
      if (container.is_array()) {
        begin(container.items()[i]);
      } else {
        const Member& member = container.members()[i];
        out_.put_string(member.key, style_.escape_html);
        out_.put(':');
        if (style_.indent != 0) out_.put(' ');
        begin(member.value);
      }
    }
  }

 private:
  struct Frame {
    const Value* container;
    std::size_t next;
  };

  void begin(const Value& v) {
    switch (v.type()) {
      case Type::kNull: out_.put("null"); return;
      case Type::kBool: out_.put(v.as_bool() ? "true" : "false"); return;
      case Type::kInt: out_.put_integer(v.as_int()); return;
      case Type::kUint: out_.put_integer(v.as_uint()); return;
      case Type::kDouble: out_.put_double(v.as_double()); return;
      case Type::kLiteral: out_.put(v.as_string()); return;
      case Type::kString: out_.put_string(v.as_string(), style_.escape_html); return;
      case Type::kArray:
      case Type::kObject: break;
    }
    if (v.size() == 0) return out_.put(v.is_array() ? "[]" : "{}");
    out_.put(v.is_array() ? '[' : '{');
    push({&v, 0});
  }

  void new_line() {
    out_.put('\n');
    out_.put_spaces(style_.indent * depth_);
  }

  // The outer containers lie on the native stack, the rest of a deep document does not.
  Frame& top() { return depth_ <= kOuter ? outer_[depth_ - 1] : inner_.back(); }
  void push(Frame frame) {
    if (depth_ < kOuter) {
      outer_[depth_] = frame;
    } else {
      inner_.push_back(frame);
    }
    ++depth_;
  }
  void pop() {
    if (depth_ > kOuter) inner_.pop_back();
    --depth_;
  }

  static constexpr std::size_t kOuter = 32;
  Output out_;
  const JsonStyle& style_;
  std::size_t depth_ = 0;
  Frame outer_[kOuter];
  std::vector<Frame> inner_;
};

}  // namespace

void write_json_string(std::string_view text, std::string& out, bool escape_html) {
  const bool* plain = escape_html ? kPlainHtml.plain : kPlain.plain;
  out += '"';
  const char* p = text.data();
  const char* const end = p + text.size();
  const char* run = p;
  while (p != end) {
    const auto c = static_cast<unsigned char>(*p);
    if (plain[c]) {
      ++p;
      continue;
    }
    std::size_t length = 1;
    if (c >= 0x80) {
      length = utf8::decode({p, static_cast<std::size_t>(end - p)}).width;
      if (length == 1) length = 0;  // not a character
      // U+2028 and U+2029 are line ends to JavaScript, so Go escapes them.
      const bool separator =
          length == 3 && c == 0xe2 && p[1] == '\x80' && (p[2] == '\xa8' || p[2] == '\xa9');
      if (length != 0 && !separator) {
        p += length;
        continue;
      }
      out.append(run, p);
      if (separator) {
        out += p[2] == '\xa8' ? "\\u2028" : "\\u2029";
      } else {
        out += "\\ufffd";
        length = 1;
      }
    } else {
      out.append(run, p);
      write_escape(c, out);
    }
    p += length;
    run = p;
  }
  out.append(run, end);
  out += '"';
}

void write_json(const Value& root, std::string& out, const JsonStyle& style) {
  Writer writer(out, style);
  if (style.most_bytes == std::numeric_limits<std::size_t>::max()) {
    writer.run<false>(root);
  } else {
    writer.run<true>(root);
  }
}

std::string to_json(const Value& v, const JsonStyle& style) {
  std::string out;
  write_json(v, out, style);
  return out;
}

}  // namespace strake::value
