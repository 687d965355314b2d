#include "schema/pattern/pattern_syntax.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/utf8.h"

// A translator instead of a parser: one pass over the pattern, no tree. RE2 parses the result
// anyway; what is needed here is Go's verdict (its limits and its words for what is wrong) and the
// few places where the dialects differ. Literals are written as \x{...} unless they are letters,
// digits or beyond ASCII, so that nothing has to be known of RE2's own escapes.
//
// Go limits a pattern by its tree: counts multiply when repetitions nest, (a{100}){100} is refused,
// and so is a tree of more than 1,000 levels. Both follow from the nesting alone, so a frame
// for each open group is enough: the piece read last, to which a repetition would apply, and the
// largest seen before it in this group.

namespace strake::schema {
namespace {

constexpr int kMaxRepeat = 1000;  // also of the product of nested counts
constexpr int kMaxHeight = 1000;  // of the syntax tree

struct SyntaxFault {
  std::string_view problem;
  std::string_view where;
};
using Fault = std::optional<SyntaxFault>;

bool is_pattern_word(char32_t c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

int hex_digit_of(char32_t c) {
  if (c >= '0' && c <= '9') return static_cast<int>(c - '0');
  if (c >= 'a' && c <= 'f') return static_cast<int>(c - 'a') + 10;
  if (c >= 'A' && c <= 'F') return static_cast<int>(c - 'A') + 10;
  return -1;
}

// The long names of the general categories, without separators and in lower case.
constexpr std::array<std::pair<std::string_view, std::string_view>, 40> kCategoryNames{{
    {"closepunctuation", "Pe"},
    {"connectorpunctuation", "Pc"},
    {"control", "Cc"},
    {"cntrl", "Cc"},
    {"currencysymbol", "Sc"},
    {"dashpunctuation", "Pd"},
    {"decimalnumber", "Nd"},
    {"digit", "Nd"},
    {"enclosingmark", "Me"},
    {"finalpunctuation", "Pf"},
    {"format", "Cf"},
    {"initialpunctuation", "Pi"},
    {"letter", "L"},
    {"letternumber", "Nl"},
    {"lineseparator", "Zl"},
    {"lowercaseletter", "Ll"},
    {"mark", "M"},
    {"combiningmark", "M"},
    {"mathsymbol", "Sm"},
    {"modifierletter", "Lm"},
    {"modifiersymbol", "Sk"},
    {"nonspacingmark", "Mn"},
    {"number", "N"},
    {"openpunctuation", "Ps"},
    {"other", "C"},
    {"otherletter", "Lo"},
    {"othernumber", "No"},
    {"otherpunctuation", "Po"},
    {"othersymbol", "So"},
    {"paragraphseparator", "Zp"},
    {"privateuse", "Co"},
    {"punctuation", "P"},
    {"punct", "P"},
    {"separator", "Z"},
    {"spaceseparator", "Zs"},
    {"spacingmark", "Mc"},
    {"surrogate", "Cs"},
    {"symbol", "S"},
    {"titlecaseletter", "Lt"},
    {"uppercaseletter", "Lu"},
}};

bool re2_knows_class(std::string_view name) {
  RE2::Options options;
  options.set_log_errors(false);
  return RE2(fmt::format("\\p{{{}}}", name), options).ok();
}

// The name RE2 has for a Unicode class, or nothing.
std::string class_name(std::string_view name) {
  std::string spelled;   // each word capitalised: Old_Italic
  std::string squeezed;  // lower case without separators
  bool start = true;
  for (const char c : name) {
    if (c == '_' || c == '-' || c == ' ') {
      if (!spelled.empty()) spelled.push_back('_');
      start = true;
      continue;
    }
    if (!is_pattern_word(static_cast<unsigned char>(c))) return {};
    const char lower = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
    const char upper = c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
    spelled.push_back(start ? upper : lower);
    squeezed.push_back(lower);
    start = false;
  }
  if (squeezed == "ascii") return "ASCII";
  for (const auto& [from, to] : kCategoryNames) {
    if (from == squeezed) return std::string(to);
  }
  return !spelled.empty() && re2_knows_class(spelled) ? spelled : std::string();
}

// Reads Go's grammar from left to right and writes RE2's. What stands open is a frame: the top
// level or a group. In it the piece read last is known by how far its counted repetitions multiply
// and how high its tree is.
class Translator {
 public:
  explicit Translator(std::string_view pattern) : all_(pattern), rest_(pattern) {}

  Fault run() {
    frames_.emplace_back();
    while (!rest_.empty()) {
      const std::string_view before = rest_;
      bool repeated = false;
      if (const Fault fault = step(repeated)) return fault;
      last_repeat_ = repeated ? before : std::string_view();
      if (frames_.size() > kMaxHeight) return SyntaxFault{"expression nests too deeply", all_};
    }
    if (frames_.size() != 1) return SyntaxFault{"missing closing )", all_};
    return {};
  }

  std::string take() { return std::move(out_); }

 private:
  struct Frame {
    bool has_piece = false;  // something a repetition could apply to
    int piece_count = 1;     // product of nested counts in the piece
    int piece_height = 1;
    int frame_count = 1;  // the same over the whole frame so far
    int frame_height = 1;
  };

  Fault step(bool& repeated) {
    switch (rest_.front()) {
      case '(': return open_group();
      case ')': return close_group();
      case '|':
        out_.push_back('|');
        settle_piece();
        rest_.remove_prefix(1);
        return {};
      case '^':
      case '$':
      case '.':
        piece(std::string(1, rest_.front()));
        rest_.remove_prefix(1);
        return {};
      case '[': return char_class();
      case '*':
      case '+':
      case '?': repeated = true; return simple_repeat();
      case '{': return counted_repeat(repeated);
      case '\\': return escape();
      default: {
        char32_t rune = 0;
        if (const Fault fault = next(rest_, rune)) return fault;
        literal(rune);
        return {};
      }
    }
  }

  static Fault next(std::string_view& text, char32_t& rune) {
    const utf8::Decoded read = utf8::decode(text);
    if (read.code_point == utf8::kReplacement && read.width <= 1)
      return SyntaxFault{"invalid UTF-8", text};
    rune = read.code_point;
    text.remove_prefix(read.width);
    return {};
  }

  static Fault check_utf8(std::string_view text) {
    char32_t ignored = 0;
    while (!text.empty()) {
      if (const Fault fault = next(text, ignored)) return fault;
    }
    return {};
  }

  std::string_view upto(std::string_view start, std::string_view after) const {
    return start.substr(0, start.size() - after.size());
  }

  // No repetition can reach the piece any more: only its numbers count, for the group around it.
  void settle_piece() {
    Frame& frame = frames_.back();
    frame.frame_count = std::max(frame.frame_count, frame.piece_count);
    frame.frame_height = std::max(frame.frame_height, frame.piece_height + 1);
    frame.has_piece = false;
    frame.piece_count = 1;
    frame.piece_height = 1;
  }

  void piece(std::string_view text) {
    settle_piece();
    frames_.back().has_piece = true;
    out_.append(text);
  }

  static std::string spell(char32_t rune) {
    if (is_pattern_word(rune) || rune == '_' ||
        (rune >= 0x80 && (rune < 0xD800 || rune > 0xDFFF))) {
      std::string out;
      utf8::append(out, rune);
      return out;
    }
    return fmt::format("\\x{{{:x}}}", static_cast<std::uint32_t>(rune));
  }

  void literal(char32_t rune) { piece(spell(rune)); }

  Fault open_group() {
    if (rest_.size() >= 2 && rest_[1] == '?') return perl_group();
    settle_piece();
    out_.push_back('(');
    frames_.emplace_back();
    rest_.remove_prefix(1);
    return {};
  }

  // (?P<name>…), (?<name>…), (?flags) and (?flags:…).
  Fault perl_group() {
    const bool python = rest_.size() > 4 && rest_[2] == 'P' && rest_[3] == '<';
    const bool named = rest_.size() > 3 && rest_[2] == '<';
    if (python || named) {
      const std::size_t end = rest_.find('>');
      if (end == std::string_view::npos) {
        if (const Fault fault = check_utf8(rest_)) return fault;
        return SyntaxFault{"invalid named capture", rest_};
      }
      const std::size_t start = python ? 4 : 3;
      const std::string_view name = rest_.substr(start, end - start);
      if (const Fault fault = check_utf8(name)) return fault;
      const bool good = !name.empty() && std::ranges::all_of(name, [](char c) {
        return c == '_' || is_pattern_word(static_cast<unsigned char>(c));
      });
      if (!good) return SyntaxFault{"invalid named capture", rest_.substr(0, end + 1)};
      settle_piece();
      out_.push_back('(');  // the name changes nothing, and RE2 would refuse the same one twice
      frames_.emplace_back();
      rest_.remove_prefix(end + 1);
      return {};
    }
    std::string_view text = rest_.substr(2);
    bool negative = false;
    bool saw_flag = false;
    while (!text.empty()) {
      char32_t c = 0;
      if (const Fault fault = next(text, c)) return fault;
      if (c == 'i' || c == 'm' || c == 's' || c == 'U') {
        saw_flag = true;
      } else if (c == '-' && !negative) {
        negative = true;
        saw_flag = false;
      } else if ((c == ':' || c == ')') && (!negative || saw_flag)) {
        out_.append(upto(rest_, text));
        if (c == ':') {
          settle_piece();
          frames_.emplace_back();
        }
        rest_ = text;
        return {};
      } else {
        break;
      }
    }
    return SyntaxFault{"invalid or unsupported Perl syntax", upto(rest_, text)};
  }

  Fault close_group() {
    if (frames_.size() == 1) return SyntaxFault{"unexpected )", all_};
    settle_piece();
    const Frame inner = frames_.back();
    frames_.pop_back();
    piece(")");
    frames_.back().piece_count = inner.frame_count;
    frames_.back().piece_height = inner.frame_height + 1;
    if (frames_.back().piece_height > kMaxHeight)
      return SyntaxFault{"expression nests too deeply", all_};
    rest_.remove_prefix(1);
    return {};
  }

  Fault simple_repeat() {
    const std::string_view before = rest_;
    rest_.remove_prefix(1);
    return repeat(before);
  }

  // Common to all repetitions: `rest_` stands behind the operator that starts at `before`.
  Fault repeat(std::string_view before) {
    if (!rest_.empty() && rest_.front() == '?') rest_.remove_prefix(1);
    // a**, a+*: what directly follows another repetition is refused, and both are shown.
    if (!last_repeat_.empty())
      return SyntaxFault{"invalid nested repetition operator", upto(last_repeat_, rest_)};
    Frame& frame = frames_.back();
    if (!frame.has_piece)
      return SyntaxFault{"missing argument to repetition operator", upto(before, rest_)};
    ++frame.piece_height;
    out_.append(upto(before, rest_));
    return {};
  }

  static bool read_count(std::string_view& text, int& n) {
    if (text.empty() || text.front() < '0' || text.front() > '9') return false;
    if (text.size() >= 2 && text.front() == '0' && text[1] >= '0' && text[1] <= '9') return false;
    n = 0;
    while (!text.empty() && text.front() >= '0' && text.front() <= '9') {
      n = std::min(n * 10 + (text.front() - '0'), 100'000'000);
      text.remove_prefix(1);
    }
    return true;
  }

  Fault counted_repeat(bool& repeated) {
    const std::string_view before = rest_;
    std::string_view text = rest_.substr(1);
    int least = 0;
    int most = 0;
    bool good = read_count(text, least) && !text.empty();
    if (good && text.front() == ',') {
      text.remove_prefix(1);
      if (!text.empty() && text.front() == '}') {
        most = -1;
      } else {
        good = read_count(text, most);
      }
    } else {
      most = least;
    }
    // A brace that starts no count is a plain character: a{b}, a{,2}, {.
    if (!good || text.empty() || text.front() != '}') {
      literal('{');
      rest_.remove_prefix(1);
      return {};
    }
    repeated = true;
    text.remove_prefix(1);
    if (least > kMaxRepeat || most > kMaxRepeat || (most >= 0 && least > most)) {
      return SyntaxFault{"invalid repeat count", upto(before, text)};
    }
    rest_ = text;
    if (const Fault fault = repeat(before)) return fault;
    const int count = most < 0 ? least : most;
    Frame& frame = frames_.back();
    // Go counts as it would expand: a{0} leaves nothing to multiply, a{n,} makes n copies.
    if (most == 0) {
      frame.piece_count = 1;
    } else if (count > 0) {
      frame.piece_count *= count;
    }
    if ((least >= 2 || most >= 2) && frame.piece_count > kMaxRepeat) {
      return SyntaxFault{"invalid repeat count", upto(before, rest_)};
    }
    return {};
  }

  Fault escape() {
    if (rest_.size() >= 2) {
      switch (rest_[1]) {
        case 'A':
        case 'b':
        case 'B':
        case 'z':
          piece(rest_.substr(0, 2));
          rest_.remove_prefix(2);
          return {};
        case 'C': return SyntaxFault{"invalid escape sequence", rest_.substr(0, 2)};
        case 'Q': {
          std::string_view quoted = rest_.substr(2);
          const std::size_t end = quoted.find("\\E");
          rest_ = end == std::string_view::npos ? std::string_view() : quoted.substr(end + 2);
          quoted = quoted.substr(0, end);
          while (!quoted.empty()) {
            char32_t rune = 0;
            if (const Fault fault = next(quoted, rune)) return fault;
            literal(rune);
          }
          return {};
        }
        case 'p':
        case 'P': {
          std::string text;
          if (const Fault fault = unicode_class(rest_, text)) return fault;
          piece(text[1] == 'x' ? fmt::format("[{}]", text) : text);  // a range needs brackets
          return {};
        }
        case 'd':
        case 'D':
        case 's':
        case 'S':
        case 'w':
        case 'W':
          piece(rest_.substr(0, 2));
          rest_.remove_prefix(2);
          return {};
        default: break;
      }
    }
    char32_t rune = 0;
    if (const Fault fault = escaped_rune(rest_, rune)) return fault;
    literal(rune);
    return {};
  }

  // Reads \p{Greek}, \pN and the like; writes what may stand inside a class.
  static Fault unicode_class(std::string_view& text, std::string& out) {
    const std::string_view start = text;
    bool negative = text[1] == 'P';
    text.remove_prefix(2);
    char32_t c = 0;
    if (const Fault fault = next(text, c)) return fault;
    std::string_view name = start.substr(2, start.size() - 2 - text.size());
    if (c == '{') {
      const std::size_t end = start.find('}');
      if (end == std::string_view::npos) {
        if (const Fault fault = check_utf8(start)) return fault;
        return SyntaxFault{"invalid character class range", start};
      }
      name = start.substr(3, end - 3);
      text = start.substr(end + 1);
      if (const Fault fault = check_utf8(name)) return fault;
    }
    const std::string_view whole = start.substr(0, start.size() - text.size());
    if (name.starts_with('^')) {
      negative = !negative;
      name.remove_prefix(1);
    }
    const std::string known = class_name(name);
    if (known.empty()) return SyntaxFault{"invalid character class range", whole};
    if (known == "ASCII") {
      out = negative ? "\\x{80}-\\x{10ffff}" : "\\x{0}-\\x{7f}";
    } else {
      out = fmt::format("\\{}{{{}}}", negative ? 'P' : 'p', known);
    }
    return {};
  }

  static Fault escaped_rune(std::string_view& text, char32_t& rune) {
    const std::string_view start = text;
    text.remove_prefix(1);
    if (text.empty()) return SyntaxFault{"trailing backslash at end of expression", ""};
    char32_t c = 0;
    if (const Fault fault = next(text, c)) return fault;
    const auto bad = [&]() -> Fault {
      return SyntaxFault{"invalid escape sequence", start.substr(0, start.size() - text.size())};
    };
    const auto octal_follows = [&] {
      return !text.empty() && text.front() >= '0' && text.front() <= '7';
    };
    switch (c) {
      case '1':
      case '2':
      case '3':
      case '4':
      case '5':
      case '6':
      case '7':
        if (!octal_follows()) return bad();  // a back-reference
        [[fallthrough]];
      case '0':
        rune = c - '0';
        for (int i = 1; i < 3 && octal_follows(); ++i) {
          rune = rune * 8 + static_cast<char32_t>(text.front() - '0');
          text.remove_prefix(1);
        }
        return {};
      case 'x': return hex_rune(start, text, rune);
      case 'a': return rune = '\a', Fault();
      case 'f': return rune = '\f', Fault();
      case 'n': return rune = '\n', Fault();
      case 'r': return rune = '\r', Fault();
      case 't': return rune = '\t', Fault();
      case 'v': return rune = '\v', Fault();
      default:
        if (c >= 0x80 || is_pattern_word(c)) return bad();
        rune = c;
        return {};
    }
  }

  static Fault hex_rune(std::string_view start, std::string_view& text, char32_t& rune) {
    const auto bad = [&]() -> Fault {
      return SyntaxFault{"invalid escape sequence", start.substr(0, start.size() - text.size())};
    };
    if (text.empty()) return bad();
    char32_t c = 0;
    if (const Fault fault = next(text, c)) return fault;
    if (c != '{') {
      const int high = hex_digit_of(c);
      if (const Fault fault = next(text, c)) return fault;
      const int low = hex_digit_of(c);
      if (high < 0 || low < 0) return bad();
      rune = static_cast<char32_t>(high * 16 + low);
      return {};
    }
    int digits = 0;
    for (rune = 0;; ++digits) {
      if (text.empty()) return bad();
      if (const Fault fault = next(text, c)) return fault;
      if (c == '}') break;
      if (hex_digit_of(c) < 0) return bad();
      rune = rune * 16 + static_cast<char32_t>(hex_digit_of(c));
      if (rune > utf8::kLargest) return bad();
    }
    return digits == 0 ? bad() : Fault();
  }

  static Fault class_rune(std::string_view& text, std::string_view whole, char32_t& rune) {
    if (text.empty()) return SyntaxFault{"missing closing ]", whole};
    if (text.front() == '\\') return escaped_rune(text, rune);
    return next(text, rune);
  }

  Fault char_class() {
    const std::string_view whole = rest_;
    std::string_view text = rest_.substr(1);
    std::string out = "[";
    if (text.starts_with('^')) {
      out.push_back('^');
      text.remove_prefix(1);
    }
    for (bool first = true; text.empty() || text.front() != ']' || first; first = false) {
      if (text.size() > 2 && text.starts_with("[:")) {
        const std::size_t end = text.find(":]", 2);
        if (end != std::string_view::npos) {
          const std::string_view name = text.substr(0, end + 2);
          if (!is_posix_class(name)) return SyntaxFault{"invalid character class range", name};
          out.append(name);
          text.remove_prefix(name.size());
          continue;
        }
      }
      if (text.size() >= 2 && text.front() == '\\') {
        if (text[1] == 'p' || text[1] == 'P') {
          std::string part;
          if (const Fault fault = unicode_class(text, part)) return fault;
          out.append(part);
          continue;
        }
        if (std::string_view("dDsSwW").find(text[1]) != std::string_view::npos) {
          out.append(text.substr(0, 2));
          text.remove_prefix(2);
          continue;
        }
      }
      const std::string_view range = text;
      char32_t low = 0;
      if (const Fault fault = class_rune(text, whole, low)) return fault;
      char32_t high = low;
      if (text.size() >= 2 && text.front() == '-' && text[1] != ']') {
        text.remove_prefix(1);
        if (const Fault fault = class_rune(text, whole, high)) return fault;
        if (high < low) return SyntaxFault{"invalid character class range", upto(range, text)};
      }
      out += spell(low);
      if (high != low) out.append("-").append(spell(high));
    }
    out.push_back(']');
    text.remove_prefix(1);
    piece(out);
    rest_ = text;
    return {};
  }

  static bool is_posix_class(std::string_view name) {
    static constexpr std::array<std::string_view, 14> kNames{
        "alnum", "alpha", "ascii", "blank", "cntrl", "digit", "graph",
        "lower", "print", "punct", "space", "upper", "word",  "xdigit"};
    name = name.substr(2, name.size() - 4);
    if (name.starts_with('^')) name.remove_prefix(1);
    return std::ranges::find(kNames, name) != kNames.end();
  }

  std::string_view all_;
  std::string_view rest_;
  std::string_view
      last_repeat_;  // from the repetition operator just read, empty when the last thing was none
  std::vector<Frame> frames_;
  std::string out_;
};

}  // namespace

Result<std::string> re2_from_go(std::string_view pattern) {
  Translator translator(pattern);
  if (const Fault fault = translator.run()) {
    return fail(Code::kInvalid, "error parsing regexp: {}: `{}`", fault->problem, fault->where);
  }
  return translator.take();
}

}  // namespace strake::schema
