#include "value/yaml_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numeric>
#include <vector>

#include "base/utf8.h"
#include "value/yaml_key_order.h"
#include "value/yaml_scalar.h"

// The emitter of go-yaml v2 as sigs.k8s.io/yaml uses it, so that output equals that of kubectl byte
// for byte: block style throughout, keys in natural order, sequences not indented under their key,
// plain scalars where possible, lines folded behind column 80. The emitter's state machine is kept
// (whitespace_, indention_, column_) because line breaks depend on it; flow style, comments and
// anchors, which JSON values do not have, are left out.

namespace strake::value {
namespace {

constexpr std::size_t kBestWidth = 80;  // lines are folded at the first space behind this column
constexpr std::size_t kIndent = 2;      // per level
constexpr std::size_t kSimpleKeyLimit = 128;  // bytes; longer keys are written as "? key"

enum class Style : std::uint8_t { kPlain, kSingleQuoted, kDoubleQuoted, kLiteral };

// Which styles can carry a text in block context.
struct Analysis {
  bool multiline = false;
  bool plain = true;
  bool single_quoted = true;
  bool block = true;
};

unsigned char byte_at(std::string_view s, std::size_t i) {
  return i < s.size() ? static_cast<unsigned char>(s[i]) : 0;
}

std::size_t width_at(std::string_view s, std::size_t i) {
  const unsigned char c = byte_at(s, i);
  return c < 0x80 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
}

// LF, CR, NEL, LS, PS: the line breaks of YAML 1.1.
bool is_break(std::string_view s, std::size_t i) {
  switch (byte_at(s, i)) {
    case '\n':
    case '\r': return true;
    case 0xc2: return byte_at(s, i + 1) == 0x85;
    case 0xe2:
      return byte_at(s, i + 1) == 0x80 && (byte_at(s, i + 2) == 0xa8 || byte_at(s, i + 2) == 0xa9);
    default: return false;
  }
}

// May stand unescaped. Tabs, C1 controls, byte order marks and everything beyond the basic plane
// may not.
bool is_printable(std::string_view s, std::size_t i) {
  const unsigned char c = byte_at(s, i);
  if (c < 0x80) return c == '\n' || (c >= 0x20 && c <= 0x7e);
  if (c == 0xc2) return byte_at(s, i + 1) >= 0xa0;
  if (c == 0xef) {
    const unsigned char second = byte_at(s, i + 1);
    const unsigned char third = byte_at(s, i + 2);
    return !(second == 0xbb && third == 0xbf) && !(second == 0xbf && third >= 0xbe);
  }
  return c > 0xc2 && c < 0xf0;
}

bool is_blank(unsigned char c) { return c == ' ' || c == '\t'; }

// Characters that need no look at all inside a plain scalar: neither indicators, spaces, breaks nor
// special.
constexpr std::array<bool, 256> kOrdinary = [] {
  std::array<bool, 256> table{};
  for (int c = 0x21; c <= 0x7e; ++c) table[static_cast<std::size_t>(c)] = c != ':' && c != '#';
  return table;
}();

bool starts_with_indicator(std::string_view s) {
  if (s.starts_with("---") || s.starts_with("...")) return true;
  switch (s[0]) {
    case '#':
    case ',':
    case '[':
    case ']':
    case '{':
    case '}':
    case '&':
    case '*':
    case '!':
    case '|':
    case '>':
    case '\'':
    case '"':
    case '%':
    case '@':
    case '`': return true;
    case '?':
    case ':':
    case '-': return s.size() == 1 || is_blank(byte_at(s, 1));
    default: return false;
  }
}

Analysis analyze(std::string_view s) {
  Analysis out;
  if (s.empty()) {
    out.block = false;
    return out;
  }
  bool indicators = starts_with_indicator(s);
  bool special = false;
  // A space behind a break would be taken for indentation, and a space before a break is dropped by
  // readers: the first rules out plain and single quotes, the second everything but double quotes.
  bool break_space = false;
  bool space_break = false;
  bool previous_space = false;
  bool previous_break = false;
  for (std::size_t i = 0, width = 1; i < s.size(); i += width) {
    const unsigned char c = byte_at(s, i);
    width = 1;
    if (kOrdinary[c]) {
      previous_space = previous_break = false;
      continue;
    }
    width = width_at(s, i);
    if (c == ':' && i > 0 && (i + 1 == s.size() || is_blank(byte_at(s, i + 1)))) indicators = true;
    if (c == '#' && i > 0) {
      // A NUL counts as white space here.
      const unsigned char before = byte_at(s, i - 1);
      if (is_blank(before) || previous_break || before == 0) indicators = true;
    }
    if (!is_printable(s, i)) special = true;
    if (c == ' ') {
      break_space = break_space || previous_break;
      previous_space = true;
      previous_break = false;
    } else if (is_break(s, i)) {
      out.multiline = true;
      space_break = space_break || previous_space;
      previous_space = false;
      previous_break = true;
    } else {
      previous_space = previous_break = false;
    }
  }
  if (s[0] == ' ' || previous_space || out.multiline || indicators) out.plain = false;
  if (previous_space) out.block = false;
  if (break_space) out.plain = out.single_quoted = false;
  if (space_break || special) out.plain = out.single_quoted = out.block = false;
  return out;
}

void append_escape(char32_t c, std::string& out) {
  switch (c) {
    case 0x00: out += "\\0"; return;
    case 0x07: out += "\\a"; return;
    case 0x08: out += "\\b"; return;
    case 0x09: out += "\\t"; return;
    case 0x0a: out += "\\n"; return;
    case 0x0b: out += "\\v"; return;
    case 0x0c: out += "\\f"; return;
    case 0x0d: out += "\\r"; return;
    case 0x1b: out += "\\e"; return;
    case 0x22: out += "\\\""; return;
    case 0x5c: out += "\\\\"; return;
    case 0x85: out += "\\N"; return;
    case 0xa0: out += "\\_"; return;
    case 0x2028: out += "\\L"; return;
    case 0x2029: out += "\\P"; return;
    default: break;
  }
  const auto code = static_cast<std::uint32_t>(c);
  if (code <= 0xff) {
    fmt::format_to(std::back_inserter(out), "\\x{:02X}", code);
  } else if (code <= 0xffff) {
    fmt::format_to(std::back_inserter(out), "\\u{:04X}", code);
  } else {
    fmt::format_to(std::back_inserter(out), "\\U{:08X}", code);
  }
}

class YamlWriter {
 public:
  explicit YamlWriter(std::string& out) : out_(out) {}

  void write(const Value& root) {
    node(root, Place::kRoot);
    while (!frames_.empty()) {
      const Frame frame = frames_.back();
      if (frame.next == frame.container->size()) {
        indent_ = frame.outer_indent;
        orders_.resize(frame.order);
        frames_.pop_back();
        continue;
      }
      ++frames_.back().next;
      if (frame.container->is_array()) {
        item(frame.container->items()[frame.next]);
      } else {
        const bool reordered = orders_.size() != frame.order;
        member(
            frame.container->members()[reordered ? orders_[frame.order + frame.next] : frame.next]);
      }
    }
    indent_ = 0;
    line_start();
  }

 private:
  enum class Place : std::uint8_t { kRoot, kItem, kSimpleKey, kMember };

  // An open array or object. Nesting is kept here and not on the native stack.
  struct Frame {
    const Value* container;
    std::size_t next;
    std::size_t
        order;  // where its keys' order starts in orders_, when they are not in order already
    int outer_indent;
  };

  void item(const Value& v) {
    line_start();
    indicator("-", true, true);
    node(v, Place::kItem);
  }

  void member(const Member& m) {
    line_start();
    const std::string_view key = valid_text(m.key, key_storage_);
    const Analysis analysis = analyze(key);
    if (!analysis.multiline && key.size() <= kSimpleKeyLimit) {
      string(key, analysis, Place::kSimpleKey);
      indicator(":", false, false);
    } else {
      indicator("?", true, true);
      string(key, analysis, Place::kMember);
      line_start();
      indicator(":", true, true);
    }
    node(m.value, Place::kMember);
  }

  void node(const Value& v, Place place) {
    switch (v.type()) {
      case Type::kNull: return word("null");
      case Type::kBool: return word(v.as_bool() ? "true" : "false");
      case Type::kInt: return integer(v.as_int());
      case Type::kUint: return integer(v.as_uint());
      case Type::kDouble: return number(v.as_double());
      case Type::kLiteral: return literal_number(v.as_string(), place);
      case Type::kString: {
        const std::string_view text = valid_text(v.as_string(), text_storage_);
        return string(text, analyze(text), place);
      }
      case Type::kArray:
        if (v.size() == 0) return word("[]");
        // A sequence that is a member's value is not indented further, unless its dash stands
        // beside the colon.
        return open(v, place == Place::kMember && !indention_);
      case Type::kObject:
        if (v.size() == 0) return word("{}");
        open(v, false);
        return sort_keys(v);
    }
  }

  void open(const Value& v, bool indentless) {
    frames_.push_back({&v, 0, orders_.size(), indent_});
    if (indent_ < 0) {
      indent_ = 0;
    } else if (!indentless) {
      indent_ += static_cast<int>(kIndent);
    }
  }

  // Members are sorted by bytes already, which is mostly the wanted order.
  void sort_keys(const Value& v) {
    const std::span<const Member> members = v.members();
    const auto less = [](const Member& a, const Member& b) { return yaml_key_less(a.key, b.key); };
    if (std::is_sorted(members.begin(), members.end(), less)) return;
    const std::size_t from = orders_.size();
    orders_.resize(from + members.size());
    const auto order = std::span(orders_).subspan(from);
    std::iota(order.begin(), order.end(), 0u);
    merge_sort(order,
               [&](std::uint32_t a, std::uint32_t b) { return less(members[a], members[b]); });
  }

  // The wanted order is not transitive for some odd keys. A merge sort stays within bounds whatever
  // it is told, and comes to the same end each time.
  template <typename Less>
  void merge_sort(std::span<std::uint32_t> order, Less less) {
    sorted_.resize(order.size());
    for (std::size_t run = 1; run < order.size(); run *= 2) {
      for (std::size_t at = 0; at < order.size(); at += 2 * run) {
        const auto first = order.subspan(at, std::min(run, order.size() - at));
        const auto second =
            order.subspan(at + first.size(), std::min(run, order.size() - at - first.size()));
        std::merge(first.begin(), first.end(), second.begin(), second.end(),
                   sorted_.begin() + static_cast<std::ptrdiff_t>(at), less);
      }
      std::copy(sorted_.begin(), sorted_.end(), order.begin());
    }
  }

  // Strings are UTF-8; what is not prints as U+FFFD, as it does on its way through JSON.
  static std::string_view valid_text(std::string_view text, std::string& storage) {
    if (utf8::is_valid(text)) return text;
    storage.clear();
    storage += utf8::replace_invalid(text);
    return storage;
  }

  // Layout. `whitespace_`: what was written last separates tokens. `indention_`: only indentation
  // and indicators that count as such stand on this line so far.
  void put(char c) {
    out_ += c;
    ++column_;
  }
  void put_break() {
    out_ += '\n';
    column_ = 0;
  }
  void line_start() {
    const auto indent = static_cast<std::size_t>(std::max(indent_, 0));
    if (!indention_ || column_ > indent || (column_ == indent && !whitespace_)) put_break();
    if (column_ < indent) {
      out_.append(indent - column_, ' ');
      column_ = indent;
    }
    whitespace_ = true;
    indention_ = true;
  }
  void indicator(std::string_view text, bool separate, bool indents) {
    if (separate && !whitespace_) put(' ');
    out_ += text;
    column_ += text.size();
    whitespace_ = false;
    indention_ = indention_ && indents;
  }
  void word(std::string_view text) { indicator(text, true, false); }

  template <typename Integer>
  void integer(Integer i) {
    char buffer[24];
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, i).ptr;
    word({buffer, static_cast<std::size_t>(end - buffer)});
  }

  // go-yaml goes through JSON, where 5.0 is 5 and 1e19 is 10000000000000000000, and reads
  // that again.
  void number(double d) {
    if (std::trunc(d) == d && std::abs(d) < 1e21) {
      const Scalar whole = whole_float(d);
      if (whole.kind == ScalarKind::kInt) return integer(whole.integer);
      if (whole.kind == ScalarKind::kUint) return integer(whole.unsigned_integer);
    }
    word(format_float(d));
  }

  void literal_number(std::string_view text, Place place) {
    const Scalar read = resolve_scalar(text, YamlSchema::kKubernetes, false);
    if (read.kind == ScalarKind::kInt || read.kind == ScalarKind::kUint ||
        read.kind == ScalarKind::kFloat) {
      return word(text);
    }
    string(text, analyze(text), place);  // no number that YAML knows, such as 1e400
  }

  Style choose_style(std::string_view text, const Analysis& analysis, Place place) const {
    if (text.find('\n') != std::string_view::npos) {
      if (analysis.block && place != Place::kSimpleKey) return Style::kLiteral;
      return Style::kDoubleQuoted;
    }
    const bool ambiguous =
        resolve_scalar(text, YamlSchema::kKubernetes, true).kind != ScalarKind::kString ||
        is_base60(text);
    if (ambiguous) return Style::kDoubleQuoted;
    // go-yaml leaves this key plain, which reads back as a merge.
    if (text == "<<" && place == Place::kSimpleKey) return Style::kDoubleQuoted;
    if (analysis.plain) return Style::kPlain;
    return analysis.single_quoted ? Style::kSingleQuoted : Style::kDoubleQuoted;
  }

  void string(std::string_view text, const Analysis& analysis, Place place) {
    const int outer = indent_;
    // Continuation lines of a folded scalar are indented by one level more than its parent.
    indent_ += indent_ < 0 ? 1 + static_cast<int>(kIndent) : static_cast<int>(kIndent);
    const bool fold = place != Place::kSimpleKey;
    switch (choose_style(text, analysis, place)) {
      case Style::kPlain: plain(text, fold); break;
      case Style::kSingleQuoted: single_quoted(text, fold); break;
      case Style::kDoubleQuoted: double_quoted(text, fold); break;
      case Style::kLiteral: literal(text); break;
    }
    indent_ = outer;
  }

  void copy(std::string_view s, std::size_t& i) {
    const std::size_t width = width_at(s, i);
    out_.append(s, i, width);
    i += width;
    ++column_;
  }
  void copy_break(std::string_view s, std::size_t& i) {
    copy(s, i);
    column_ = 0;
  }

  void plain(std::string_view s, bool fold) {
    if (!whitespace_) put(' ');
    if (!fold || column_ + s.size() <= kBestWidth) {
      out_ += s;
      column_ += utf8::count(s);
    } else {
      for (std::size_t i = 0; i < s.size();) {
        const bool lone_space =
            s[i] == ' ' && byte_at(s, i + 1) != ' ' && (i == 0 || s[i - 1] != ' ');
        if (lone_space && column_ > kBestWidth) {
          line_start();
          ++i;
        } else {
          copy(s, i);
          indention_ = false;
        }
      }
    }
    whitespace_ = false;
    indention_ = false;
  }

  void single_quoted(std::string_view s, bool fold) {
    indicator("'", true, false);
    bool breaks = false;
    bool spaces = false;
    for (std::size_t i = 0; i < s.size();) {
      if (s[i] == ' ') {
        if (fold && !spaces && column_ > kBestWidth && i > 0 && i + 1 < s.size() &&
            s[i + 1] != ' ') {
          line_start();
          ++i;
        } else {
          copy(s, i);
        }
        spaces = true;
      } else if (is_break(s, i)) {
        copy_break(s, i);  // never LF: texts with LF are literal or double-quoted
        indention_ = true;
        breaks = true;
      } else {
        if (breaks) line_start();
        if (s[i] == '\'') put('\'');
        copy(s, i);
        indention_ = false;
        spaces = false;
        breaks = false;
      }
    }
    indicator("'", false, false);
  }

  void double_quoted(std::string_view s, bool fold) {
    indicator("\"", true, false);
    // go-yaml escapes everything behind a leading byte order mark.
    const bool escape_all = s.starts_with("\xef\xbb\xbf");
    bool spaces = false;
    for (std::size_t i = 0; i < s.size();) {
      const char c = s[i];
      if (escape_all || c == '"' || c == '\\' || !is_printable(s, i) || is_break(s, i)) {
        const std::size_t before = out_.size();
        append_escape(utf8::decode(s.substr(i)).code_point, out_);
        column_ += out_.size() - before;
        i += width_at(s, i);
        spaces = false;
      } else if (c == ' ') {
        if (fold && !spaces && column_ > kBestWidth && i > 0 && i + 1 < s.size()) {
          line_start();
          if (s[i + 1] == ' ') put('\\');
          ++i;
        } else {
          copy(s, i);
        }
        spaces = true;
      } else {
        copy(s, i);
        spaces = false;
      }
    }
    indicator("\"", false, false);
  }

  void literal(std::string_view s) {
    indicator("|", true, false);
    // Readers take the indentation from the first line with text. When that line starts with a
    // space or is empty, the header has to say it.
    if (s[0] == ' ' || is_break(s, 0)) put(static_cast<char>('0' + kIndent));
    chomping(s);
    put_break();
    indention_ = true;
    whitespace_ = true;
    bool breaks = true;
    for (std::size_t i = 0; i < s.size();) {
      if (is_break(s, i)) {
        copy_break(s, i);
        indention_ = true;
        breaks = true;
        continue;
      }
      if (breaks) line_start();
      breaks = false;
      indention_ = false;
      const std::size_t from = i;
      while (i < s.size() && !is_break(s, i)) i += width_at(s, i);
      out_.append(s, from, i - from);
      column_ += i - from;
    }
  }

  // How many line breaks end the text: none is "-", one needs no mark, more are "+".
  void chomping(std::string_view s) {
    const auto last = [](std::string_view text) {
      std::size_t i = text.size() - 1;
      while (i > 0 && (byte_at(text, i) & 0xc0) == 0x80) --i;
      return i;
    };
    const std::size_t end = last(s);
    if (!is_break(s, end)) {
      put('-');
    } else if (end == 0 || is_break(s, last(s.substr(0, end)))) {
      put('+');
    }
  }

  std::string& out_;
  std::vector<Frame> frames_;
  std::vector<std::uint32_t> orders_;
  std::vector<std::uint32_t> sorted_;
  std::string key_storage_;
  std::string text_storage_;
  int indent_ = -1;
  std::size_t column_ = 0;
  bool whitespace_ = true;
  bool indention_ = true;
};

}  // namespace

void write_yaml(const Value& v, std::string& out) { YamlWriter(out).write(v); }

std::string to_yaml(const Value& v) {
  std::string out;
  write_yaml(v, out);
  return out;
}

}  // namespace strake::value
