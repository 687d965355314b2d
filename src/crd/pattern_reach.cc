#include "crd/pattern_reach.h"

#include <algorithm>
#include <charconv>
#include <initializer_list>
#include <utility>
#include <vector>

#include "base/utf8.h"

// How long a text that matches can be, and where it must be anchored: enough to find patterns that
// no allowed string can match. The pattern is not parsed into a tree; each construct is reduced to
// the shortest and longest length it can consume, and combined (sum for a sequence, minimum and
// maximum for alternatives, product for repetition). All is conservative: what is not understood
// counts as able to match, so a finding is always right and some faults are missed.

namespace strake::crd {
namespace {

constexpr int kDeepest = 200;
constexpr std::uint64_t kHuge = std::uint64_t{1} << 40;

std::uint64_t plus(std::uint64_t a, std::uint64_t b) { return std::min(a + b, kHuge); }
std::uint64_t times(std::uint64_t a, std::uint64_t b) {
  return b != 0 && a > kHuge / b ? kHuge : a * b;
}

struct Repeat {
  std::uint64_t least = 1;
  std::optional<std::uint64_t> most = 1;
};

// The characters of a class, as far as they are understood: what is not counted can only make a
// class seem smaller than it is.
class ClassReader {
 public:
  // The text between the brackets, without a ^ in front.
  explicit ClassReader(std::string_view inside) : rest_(inside) {
    while (!rest_.empty()) read_item();
  }

  bool has_everything() {
    std::ranges::sort(ranges_);
    std::uint32_t next = 0;
    for (const auto& [low, high] : ranges_) {
      // Surrogates are no characters of a text.
      if (low > next && !(low <= 0xe000 && next >= 0xd800)) return false;
      next = std::max(next, high + 1);
    }
    return next > kLast;
  }

 private:
  static constexpr std::uint32_t kLast = 0x10ffff;

  void read_item() {
    if (rest_.starts_with("[:")) {
      const std::size_t end = rest_.find(":]");
      if (end != std::string_view::npos) return rest_.remove_prefix(end + 2);
    }
    const auto low = character();
    if (!low) return;
    if (!(rest_.size() > 1 && rest_[0] == '-')) return ranges_.push_back({*low, *low});
    rest_.remove_prefix(1);
    if (const auto high = character()) ranges_.push_back({*low, *high});
  }

  // Nothing when it was a set of characters.
  std::optional<std::uint32_t> character() {
    if (rest_.front() != '\\') {
      const utf8::Decoded next = utf8::decode(rest_);
      rest_.remove_prefix(next.width);
      return next.code_point;
    }
    rest_.remove_prefix(1);
    if (rest_.empty()) return std::nullopt;
    const char c = rest_.front();
    rest_.remove_prefix(1);
    switch (c) {
      case 'n': return U'\n';
      case 't': return U'\t';
      case 'r': return U'\r';
      case 'f': return U'\f';
      case 'v': return U'\v';
      case 'a': return U'\a';
      case 'x': return hexadecimal();
      case 'p':
      case 'P': {
        const bool braced = rest_.starts_with('{');
        const std::size_t end = braced ? rest_.find('}') : 0;
        rest_.remove_prefix(std::min(end, rest_.size() - 1) + 1);
        return std::nullopt;
      }
      case 'd': return add({{'0', '9'}}, false);
      case 'D': return add({{'0', '9'}}, true);
      case 's': return add({{'\t', '\n'}, {'\f', '\r'}, {' ', ' '}}, false);
      case 'S': return add({{'\t', '\n'}, {'\f', '\r'}, {' ', ' '}}, true);
      case 'w': return add({{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}}, false);
      case 'W': return add({{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}}, true);
      default:
        if (c >= '0' && c <= '7') {  // up to three digits
          while (!rest_.empty() && rest_.front() >= '0' && rest_.front() <= '7')
            rest_.remove_prefix(1);
          return std::nullopt;
        }
        return static_cast<unsigned char>(c);
    }
  }

  std::optional<std::uint32_t> hexadecimal() {
    const bool braced = rest_.starts_with('{');
    const std::size_t close = rest_.find('}');
    const std::string_view digits = braced ? rest_.substr(1, close - 1) : rest_.substr(0, 2);
    rest_.remove_prefix(std::min(rest_.size(), braced ? close + 1 : std::size_t{2}));
    std::uint32_t n = 0;
    const auto [stop, fault] = std::from_chars(digits.data(), digits.data() + digits.size(), n, 16);
    if (fault != std::errc() || stop != digits.data() + digits.size()) return std::nullopt;
    return n;
  }

  std::optional<std::uint32_t> add(
      std::initializer_list<std::pair<std::uint32_t, std::uint32_t>> parts, bool others) {
    std::uint32_t next = 0;
    for (const auto& [low, high] : parts) {
      if (!others) ranges_.push_back({low, high});
      if (others && low > next) ranges_.push_back({next, low - 1});
      next = high + 1;
    }
    if (others) ranges_.push_back({next, kLast});
    return std::nullopt;
  }

  std::string_view rest_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> ranges_;
};

// A reading of Go's syntax that keeps lengths and anchors only.
class ReachReader {
 public:
  explicit ReachReader(std::string_view pattern) : rest_(pattern) {
    // With (?m) anchors hold at lines, which says nothing about the text.
    for (std::size_t at = rest_.find("(?"); at != std::string_view::npos;
         at = rest_.find("(?", at + 2)) {
      for (const char c : rest_.substr(at + 2)) {
        if (c == 'm') lines_ = true;
        if (!((c >= 'a' && c <= 'z') || c == 'U' || c == '-')) break;
      }
    }
  }

  std::optional<PatternReach> read() {
    PatternReach out = alternatives(true);
    if (failed_ || !rest_.empty()) return std::nullopt;
    out.has_anchor = has_anchor_;
    return out;
  }

 private:
  static PatternReach characters(std::uint64_t count) {
    return {.shortest = count, .longest = count};
  }

  PatternReach alternatives(bool top) {
    if (++depth_ > kDeepest) failed_ = true;
    if (failed_) return {};
    std::optional<PatternReach> all;
    bool begin_only = false;
    bool end_only = false;
    std::size_t count = 0;
    do {
      if (count > 0) rest_.remove_prefix(1);
      ++count;
      const PatternReach one = sequence();
      begin_only |= one.at_begin && !one.at_end;
      end_only |= one.at_end && !one.at_begin;
      if (one.never) continue;
      all = all ? either(*all, one) : one;
    } while (!failed_ && rest_.starts_with('|'));
    --depth_;
    PatternReach out = all.value_or(PatternReach{.never = true});
    out.split_anchors = top && begin_only && end_only;
    return out;
  }

  static PatternReach either(const PatternReach& a, const PatternReach& b) {
    PatternReach out;
    out.shortest = std::min(a.shortest, b.shortest);
    if (a.longest && b.longest) out.longest = std::max(*a.longest, *b.longest);
    out.at_begin = a.at_begin && b.at_begin;
    out.at_end = a.at_end && b.at_end;
    return out;
  }

  PatternReach sequence() {
    PatternReach out = characters(0);
    bool edge = false;  // of a word, wanted at this place
    bool no_edge = false;
    while (!failed_ && !rest_.empty() && rest_.front() != '|' && rest_.front() != ')') {
      const std::string_view before = rest_;
      const PatternReach one = atom();
      const Repeat how = repeat();
      const PatternReach part = repeated(one, how);
      if (part.longest != 0) edge = no_edge = false;
      edge = edge || (how.least > 0 && before.starts_with("\\b"));
      no_edge = no_edge || (how.least > 0 && before.starts_with("\\B"));
      out.never = out.never || (edge && no_edge);
      // What must stand at the begin cannot follow characters, nor can any follow the end.
      const bool misplaced =
          (part.at_begin && out.shortest > 0) || (out.at_end && part.shortest > 0);
      out.never = out.never || part.never || misplaced;
      out.at_begin = out.at_begin || part.at_begin;
      out.at_end = out.at_end || part.at_end;
      out.shortest = plus(out.shortest, part.shortest);
      if (out.longest && part.longest) {
        out.longest = plus(*out.longest, *part.longest);
      } else {
        out.longest.reset();
      }
    }
    return out;
  }

  static PatternReach repeated(PatternReach part, const Repeat& how) {
    if (how.least == 0) {
      part.at_begin = part.at_end = false;
      if (part.never) part = characters(0);
    }
    part.shortest = times(part.shortest, how.least);
    if (part.longest && how.most) {
      part.longest = times(*part.longest, *how.most);
    } else if (part.longest != 0) {
      part.longest.reset();
    }
    return part;
  }

  Repeat repeat() {
    Repeat out;
    if (rest_.empty()) return out;
    switch (rest_.front()) {
      case '*': out = {0, std::nullopt}; break;
      case '+': out = {1, std::nullopt}; break;
      case '?': out = {0, 1}; break;
      case '{': {
        const auto counted = counts();
        if (!counted) return out;
        out = *counted;
        break;
      }
      default: return out;
    }
    if (rest_.front() != '{') {
      rest_.remove_prefix(1);
    } else {
      rest_.remove_prefix(rest_.find('}') + 1);
    }
    if (rest_.starts_with('?')) rest_.remove_prefix(1);
    return out;
  }

  // {n}, {n,} or {n,m}; anything else is text.
  std::optional<Repeat> counts() const {
    const std::size_t end = rest_.find('}');
    if (end == std::string_view::npos) return std::nullopt;
    const std::string_view inside = rest_.substr(1, end - 1);
    const std::size_t comma = inside.find(',');
    const auto number = [](std::string_view text) -> std::optional<std::uint64_t> {
      std::uint64_t n = 0;
      const auto [stop, fault] = std::from_chars(text.data(), text.data() + text.size(), n);
      if (fault != std::errc() || stop != text.data() + text.size()) return std::nullopt;
      return n;
    };
    const auto least = number(inside.substr(0, comma));
    if (!least) return std::nullopt;
    if (comma == std::string_view::npos) return Repeat{*least, *least};
    if (comma + 1 == inside.size()) return Repeat{*least, std::nullopt};
    const auto most = number(inside.substr(comma + 1));
    if (!most) return std::nullopt;
    return Repeat{*least, most};
  }

  PatternReach atom() {
    switch (rest_.front()) {
      case '(': return group();
      case '[': return character_class();
      case '\\': return escape();
      case '^': return rest_.remove_prefix(1), anchor(true);
      case '$': return rest_.remove_prefix(1), anchor(false);
      default: rest_.remove_prefix(utf8::decode(rest_).width); return characters(1);
    }
  }

  PatternReach anchor(bool begin) {
    has_anchor_ = true;
    PatternReach out = characters(0);
    if (!lines_) (begin ? out.at_begin : out.at_end) = true;
    return out;
  }

  PatternReach group() {
    rest_.remove_prefix(1);
    if (rest_.starts_with('?')) {
      const std::size_t end = rest_.find_first_of(":)>");
      if (end == std::string_view::npos) return failed_ = true, PatternReach{};
      const char closing = rest_[end];
      rest_.remove_prefix(end + 1);
      if (closing == ')') return characters(0);  // flags alone
    }
    PatternReach out = alternatives(false);
    if (!rest_.starts_with(')')) return failed_ = true, PatternReach{};
    rest_.remove_prefix(1);
    return out;
  }

  PatternReach character_class() {
    std::size_t at = 1;
    const bool negated = rest_.size() > 1 && rest_[1] == '^';
    if (negated) ++at;
    const std::size_t first = at;
    if (at < rest_.size() && rest_[at] == ']') ++at;  // a bracket in the first place is text
    while (at < rest_.size() && rest_[at] != ']') {
      if (rest_[at] == '\\') {
        ++at;
      } else if (rest_.substr(at).starts_with("[:")) {
        const std::size_t end = rest_.find(":]", at + 2);
        if (end != std::string_view::npos) at = end + 1;
      }
      ++at;
    }
    if (at >= rest_.size()) return failed_ = true, PatternReach{};
    PatternReach out = characters(1);
    out.never = negated && ClassReader(rest_.substr(first, at - first)).has_everything();
    rest_.remove_prefix(at + 1);
    return out;
  }

  PatternReach escape() {
    if (rest_.size() < 2) return failed_ = true, PatternReach{};
    const char c = rest_[1];
    if (c == 'Q') return quoted();
    if (c == 'A' || c == 'z') return rest_.remove_prefix(2), absolute_anchor(c == 'A');
    if (c == 'b' || c == 'B') {
      has_anchor_ = true;
      return rest_.remove_prefix(2), characters(0);
    }
    std::size_t width = 1 + utf8::decode(rest_.substr(1)).width;
    if (c == 'p' || c == 'P' || c == 'x') {
      const bool braced = rest_.size() > 2 && rest_[2] == '{';
      const std::size_t close = rest_.find('}');
      width = braced && close != std::string_view::npos ? close + 1 : (c == 'x' ? 4u : 3u);
    } else if (c >= '0' && c <= '7') {
      while (width < std::min<std::size_t>(rest_.size(), 4) && rest_[width] >= '0' &&
             rest_[width] <= '7')
        ++width;
    }
    rest_.remove_prefix(std::min(width, rest_.size()));
    return characters(1);
  }

  PatternReach absolute_anchor(bool begin) {
    has_anchor_ = true;
    PatternReach out = characters(0);
    (begin ? out.at_begin : out.at_end) = true;
    return out;
  }

  // \Q...\E: a repeat behind it holds for the last character only, so bounds stay wide.
  PatternReach quoted() {
    rest_.remove_prefix(2);
    const std::size_t end = rest_.find("\\E");
    const std::string_view text = rest_.substr(0, end);
    rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 2);
    const std::size_t count = utf8::count(text);
    return {.shortest = count > 0 ? count - 1 : 0};
  }

  std::string_view rest_;
  bool lines_ = false;
  bool failed_ = false;
  bool has_anchor_ = false;
  int depth_ = 0;
};

}  // namespace

std::optional<PatternReach> pattern_reach(std::string_view pattern) {
  return ReachReader(pattern).read();
}

}  // namespace strake::crd
