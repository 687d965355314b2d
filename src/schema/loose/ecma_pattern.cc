#include "schema/loose/ecma_pattern.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <optional>
#include <utility>

#include "base/utf8.h"
#include "schema/pattern/pattern.h"

// JSON Schema patterns are ECMA-262, the matcher is RE2. One pass translates what RE2 can do and
// refuses the rest (look-around, back-references), since matching must stay linear in the text.
// `strict` is the grammar with flag u; without it, what means nothing stands for itself (Annex B of
// ECMA-262). The result is in Go's syntax, and goes through the same translation to RE2 as the
// patterns of CRDs.

namespace strake::schema::loose {
namespace {

// White space as ECMA counts it, and everything else.
constexpr std::string_view kSpace =
    "\\t-\\r "
    "\\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}";
constexpr std::string_view kNotSpace =
    "\\x{0}-\\x{8}\\x{e}-\\x{1f}!-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}"
    "\\x{202a}-\\x{202e}"
    "\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{fefe}\\x{ff00}-\\x{10ffff}";

int ecma_hex(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

bool is_ecma_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

class EcmaReader {
 public:
  EcmaReader(std::string_view pattern, bool strict)
      : all_(pattern), rest_(pattern), strict_(strict) {}

  Result<std::string> run() {
    while (!rest_.empty()) {
      STRAKE_CHECK(step());
    }
    return std::move(out_);
  }

 private:
  std::unexpected<Error> invalid(std::string_view why) const {
    return fail(Code::kInvalid, "`{}` is no regular expression: {}", all_, why);
  }
  std::unexpected<Error> unsupported(std::string_view what) const {
    return fail(Code::kUnsupported, "`{}` has {}, which cannot be matched in linear time", all_,
                what);
  }

  void put(char32_t c) { out_ += spell(c); }

  static std::string spell(char32_t c) {
    if (c < 0x80 && (is_ecma_letter(static_cast<char>(c)) || (c >= '0' && c <= '9')))
      return std::string(1, static_cast<char>(c));
    return fmt::format("\\x{{{:x}}}", static_cast<std::uint32_t>(c));
  }

  Result<> step() {
    const char c = rest_.front();
    switch (c) {
      case '.':
        // Go's dot excludes only the line feed.
        out_ += "[^\\n\\r\\x{2028}\\x{2029}]";
        rest_.remove_prefix(1);
        return {};
      case '(': return group();
      case '[': return char_class();
      case '\\': return escape();
      case '{': return braces();
      case '^':
      case '$':
      case '*':
      case '+':
      case '?':
      case '|':
      case ')':
        out_.push_back(c);
        rest_.remove_prefix(1);
        return {};
      case ']':
      case '}':
        if (strict_) return invalid("a lone bracket");
        break;
      default: break;
    }
    STRAKE_TRY(const char32_t rune, next());
    put(rune);
    return {};
  }

  Result<char32_t> next() {
    const utf8::Decoded read = utf8::decode(rest_);
    if (read.width == 0) return invalid("it ends too early");
    rest_.remove_prefix(read.width);
    return read.code_point;
  }

  Result<> group() {
    if (rest_.starts_with("(?=") || rest_.starts_with("(?!")) return unsupported("a look-ahead");
    if (rest_.starts_with("(?<=") || rest_.starts_with("(?<!")) return unsupported("a look-behind");
    if (rest_.starts_with("(?:")) {
      out_ += "(?:";
      rest_.remove_prefix(3);
      return {};
    }
    if (rest_.starts_with("(?<")) {
      const std::size_t end = rest_.find('>');
      if (end == std::string_view::npos || end == 3) return invalid("a group name is not closed");
      out_.push_back('(');
      rest_.remove_prefix(end + 1);
      return {};
    }
    if (rest_.starts_with("(?")) return invalid("a group of an unknown kind");
    out_.push_back('(');
    rest_.remove_prefix(1);
    return {};
  }

  // {n}, {n,}, {n,m}; anything else is taken literally outside strict mode.
  Result<> braces() {
    std::size_t i = 1;
    const auto number = [&](std::optional<long>& n) {
      const std::size_t start = i;
      long value = 0;
      while (i < rest_.size() && rest_[i] >= '0' && rest_[i] <= '9')
        value = std::min(value * 10 + (rest_[i++] - '0'), 1'000'000L);
      if (i > start) n = value;
    };
    std::optional<long> least;
    std::optional<long> most;
    number(least);
    bool open_end = false;
    if (least && i < rest_.size() && rest_[i] == ',') {
      ++i;
      number(most);
      open_end = !most.has_value();
    }
    if (!least || i >= rest_.size() || rest_[i] != '}') {
      if (strict_) return invalid("a lone bracket");
      out_ += "\\{";
      rest_.remove_prefix(1);
      return {};
    }
    if (most && *most < *least) return invalid("a range of counts is upside down");
    if (*least > 1000 || most.value_or(0) > 1000) return unsupported("a count over 1000");
    // Spelled anew, since Go knows no counts with leading zeros.
    if (open_end) {
      out_ += fmt::format("{{{},}}", *least);
    } else if (most) {
      out_ += fmt::format("{{{},{}}}", *least, *most);
    } else {
      out_ += fmt::format("{{{}}}", *least);
    }
    rest_.remove_prefix(i + 1);
    return {};
  }

  Result<> escape() {
    if (rest_.size() < 2) return invalid("it ends in a backslash");
    const char c = rest_[1];
    switch (c) {
      case 'd':
      case 'D':
      case 'w':
      case 'W':
      case 'b':
      case 'B':
        out_ += rest_.substr(0, 2);
        rest_.remove_prefix(2);
        return {};
      case 's':
        out_ += fmt::format("[{}]", kSpace);
        rest_.remove_prefix(2);
        return {};
      case 'S':
        out_ += fmt::format("[^{}]", kSpace);
        rest_.remove_prefix(2);
        return {};
      case 'p':
      case 'P': {
        STRAKE_TRY(const std::string name, property());
        out_ += name;
        return {};
      }
      case 'k': return unsupported("a back-reference");
      default:
        if (c >= '1' && c <= '9') return unsupported("a back-reference");
        STRAKE_TRY(const char32_t rune, escaped_rune(false));
        put(rune);
        return {};
    }
  }

  // \p{Lu}, \p{Letter}, \p{gc=Lu}, \p{Script=Greek}, \p{sc=Greek}.
  Result<std::string> property() {
    const char sign = rest_[1];
    const std::size_t end = rest_.find('}');
    if (rest_.size() < 4 || rest_[2] != '{' || end == std::string_view::npos) {
      if (strict_) return invalid("a property without its name");
      rest_.remove_prefix(2);
      return std::string(1, sign);
    }
    std::string_view name = rest_.substr(3, end - 3);
    rest_.remove_prefix(end + 1);
    if (const std::size_t equals = name.find('='); equals != std::string_view::npos) {
      const std::string_view kind = name.substr(0, equals);
      static constexpr std::array<std::string_view, 6> kKinds{
          "gc", "General_Category", "sc", "Script", "scx", "Script_Extensions"};
      if (std::find(kKinds.begin(), kKinds.end(), kind) == kKinds.end())
        return unsupported("an unknown property");
      name = name.substr(equals + 1);
    }
    if (name == "digit") name = "Nd";  // the ASCII name of a category
    std::string text = fmt::format("\\{}{{{}}}", sign, name);
    if (name == "ASCII") text = sign == 'p' ? "[\\x{0}-\\x{7f}]" : "[^\\x{0}-\\x{7f}]";
    if (!check_pattern(text))
      return fail(Code::kUnsupported, "`{}` names the class {}, for which there is no table", all_,
                  name);
    return text;
  }

  Result<char32_t> hex_digits(std::size_t count) {
    if (rest_.size() < count) return invalid("an escape is cut short");
    char32_t value = 0;
    for (std::size_t i = 0; i < count; ++i) {
      if (ecma_hex(rest_[i]) < 0) return invalid("an escape is cut short");
      value = value * 16 + static_cast<char32_t>(ecma_hex(rest_[i]));
    }
    rest_.remove_prefix(count);
    return value;
  }

  bool hex_follows(std::size_t from, std::size_t count) const {
    if (rest_.size() < from + count) return false;
    for (std::size_t i = from; i < from + count; ++i) {
      if (ecma_hex(rest_[i]) < 0) return false;
    }
    return true;
  }

  // A single character written with a backslash.
  Result<char32_t> escaped_rune(bool in_class) {
    const char c = rest_.size() > 1 ? rest_[1] : '\0';
    if (c == '\0') return invalid("it ends in a backslash");
    const auto simple = [&](char32_t value) {
      rest_.remove_prefix(2);
      return value;
    };
    switch (c) {
      case 't': return simple('\t');
      case 'n': return simple('\n');
      case 'v': return simple('\v');
      case 'f': return simple('\f');
      case 'r': return simple('\r');
      case '0': return simple(0);
      case 'b':
        if (in_class) return simple('\b');
        break;
      case 'c':
        if (rest_.size() > 2 && is_ecma_letter(rest_[2])) {
          const char32_t value = static_cast<char32_t>(rest_[2]) & 31;
          rest_.remove_prefix(3);
          return value;
        }
        if (strict_) return invalid("\\c needs a letter");
        rest_.remove_prefix(1);  // Without flag u the backslash stands for itself.
        return U'\\';
      case 'x':
        if (!hex_follows(2, 2)) break;
        rest_.remove_prefix(2);
        return hex_digits(2);
      case 'u': return unicode_escape();
      default: break;
    }
    const bool word = is_ecma_letter(c) || (c >= '0' && c <= '9') || c == '_';
    if (strict_ && (word || (in_class ? std::string_view("^$\\.*+?()[]{}|/-")
                                      : std::string_view("^$\\.*+?()[]{}|/"))
                                    .find(c) == std::string_view::npos)) {
      return invalid(fmt::format("\\{} means nothing", c));
    }
    rest_.remove_prefix(1);
    return next();
  }

  Result<char32_t> unicode_escape() {
    if (rest_.size() > 2 && rest_[2] == '{') {
      const std::size_t end = rest_.find('}');
      if (end == std::string_view::npos || end == 3) return invalid("an escape is cut short");
      char32_t value = 0;
      for (const char c : rest_.substr(3, end - 3)) {
        if (ecma_hex(c) < 0) return invalid("an escape is cut short");
        value = value * 16 + static_cast<char32_t>(ecma_hex(c));
        if (value > utf8::kLargest) return invalid("a code point is too large");
      }
      rest_.remove_prefix(end + 1);
      return value;
    }
    if (!hex_follows(2, 4)) {
      if (strict_) return invalid("an escape is cut short");
      rest_.remove_prefix(2);
      return U'u';
    }
    rest_.remove_prefix(2);
    STRAKE_TRY(char32_t value, hex_digits(4));
    // Two halves of a pair are one character.
    if (value >= 0xD800 && value <= 0xDBFF && rest_.starts_with("\\u") && hex_follows(2, 4)) {
      const std::string_view before = rest_;
      rest_.remove_prefix(2);
      STRAKE_TRY(const char32_t low, hex_digits(4));
      if (low >= 0xDC00 && low <= 0xDFFF) {
        value = 0x10000 + ((value - 0xD800) << 10) + (low - 0xDC00);
      } else {
        rest_ = before;
      }
    }
    return value;
  }

  Result<> char_class() {
    rest_.remove_prefix(1);
    std::string out = "[";
    if (rest_.starts_with('^')) {
      out.push_back('^');
      rest_.remove_prefix(1);
    }
    const std::size_t empty = out.size();
    while (true) {
      if (rest_.empty()) return invalid("a class is not closed");
      if (rest_.front() == ']') break;
      char32_t low = 0;
      STRAKE_TRY(const bool is_set, class_atom(out, low));
      if (is_set) continue;
      const bool range = rest_.size() >= 2 && rest_.front() == '-' && rest_[1] != ']';
      if (!range) {
        out += spell(low);
        continue;
      }
      rest_.remove_prefix(1);
      std::string set;
      char32_t high = 0;
      STRAKE_TRY(const bool high_is_set, class_atom(set, high));
      if (high_is_set) {
        if (strict_) return invalid("a range ends in a class");
        out += spell(low) + spell('-') + set;
        continue;
      }
      if (high < low) return invalid("a range is upside down");
      out += spell(low) + "-" + spell(high);
    }
    rest_.remove_prefix(1);
    if (out.size() == empty) {
      // ECMA allows empty classes: [] matches nothing, [^] anything.
      out = out == "[" ? "[^\\x{0}-\\x{10ffff}]" : "[\\x{0}-\\x{10ffff}]";
    } else {
      out.push_back(']');
    }
    out_ += out;
    return {};
  }

  // One member of a class: true when it was a set, now written to `out`; else the character is in
  // `rune`.
  Result<bool> class_atom(std::string& out, char32_t& rune) {
    if (rest_.front() != '\\') {
      STRAKE_TRY(rune, next());
      return false;
    }
    const char c = rest_.size() > 1 ? rest_[1] : '\0';
    switch (c) {
      case 'd':
      case 'D':
      case 'w':
      case 'W':
        out += rest_.substr(0, 2);
        rest_.remove_prefix(2);
        return true;
      case 's':
      case 'S':
        out += c == 's' ? kSpace : kNotSpace;
        rest_.remove_prefix(2);
        return true;
      case 'p':
      case 'P': {
        STRAKE_TRY(const std::string name, property());
        if (name.starts_with("[^")) {
          out += "\\x{80}-\\x{10ffff}";
        } else if (name.starts_with('[')) {
          out += "\\x{0}-\\x{7f}";
        } else {
          out += name;
        }
        return true;
      }
      default: break;
    }
    STRAKE_TRY(rune, escaped_rune(true));
    return false;
  }

  std::string_view all_;
  std::string_view rest_;
  bool strict_;
  std::string out_;
};

}  // namespace

Result<std::string> go_from_ecma(std::string_view pattern, bool strict) {
  STRAKE_TRY(std::string out, EcmaReader(pattern, strict).run());
  if (auto checked = check_pattern(out); !checked) {
    return fail(Code::kInvalid, "`{}` is no regular expression: {}", pattern,
                checked.error().message());
  }
  return out;
}

}  // namespace strake::schema::loose
