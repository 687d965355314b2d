#include "cel/syntax/lexer.h"

#include <fmt/format.h>

#include <array>
#include <string>

// Longest match, as the lexer of cel-go's grammar. What fits no token is reported and skipped, and
// lexing goes on behind it. Offsets are in code points, which is what messages and limits count;
// the counter only moves forward, so lexing stays linear.

namespace strake::cel {
namespace {

constexpr std::array<std::string_view, 36> kTokenNames = {
    "<EOF>",  "'=='",  "'!='",       "'in'",          "'<'",    "'<='",      "'>='",    "'>'",
    "'&&'",   "'||'",  "'['",        "']'",           "'{'",    "'}'",       "'('",     "')'",
    "'.'",    "','",   "'-'",        "'!'",           "'?'",    "':'",       "'+'",     "'*'",
    "'/'",    "'%'",   "'true'",     "'false'",       "'null'", "NUM_FLOAT", "NUM_INT", "NUM_UINT",
    "STRING", "BYTES", "IDENTIFIER", "ESC_IDENTIFIER"};

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_hex(char c) { return is_digit(c) || ((c | 32) >= 'a' && (c | 32) <= 'f'); }
bool is_letter(char c) { return ((c | 32) >= 'a' && (c | 32) <= 'z') || c == '_'; }
bool is_escaped_char(char c) {
  return is_letter(c) || is_digit(c) || c == '.' || c == '-' || c == '/' || c == ' ';
}

class Lexer {
 public:
  Lexer(const Source& source, Issues& issues) : text_(source.text()), issues_(issues) {}

  std::vector<LexedToken> run() {
    std::vector<LexedToken> out;
    out.reserve(text_.size() / 3 + 2);
    for (;;) {
      skip_space();
      start_ = at_;
      if (at_ >= text_.size()) break;
      const Token token = next();
      if (token == Token::kEof) {
        report();
        continue;
      }
      out.push_back({token, points_to(start_), text_.substr(start_, at_ - start_)});
    }
    out.push_back({Token::kEof, points_to(start_), "<EOF>"});
    return out;
  }

 private:
  char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }

  // Code points before a byte; called with bytes that grow.
  std::uint32_t points_to(std::size_t byte) {
    for (; counted_bytes_ < byte; ++counted_bytes_) {
      if ((static_cast<unsigned char>(text_[counted_bytes_]) & 0xC0) != 0x80) ++counted_points_;
    }
    return counted_points_;
  }

  void skip_space() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f') {
        ++at_;
      } else if (c == '/' && peek(1) == '/') {
        while (at_ < text_.size() && text_[at_] != '\n') ++at_;
      } else {
        return;
      }
    }
  }

  // at_ is at the character that fits no token; it is part of what is reported.
  void report() {
    if (at_ < text_.size()) {
      ++at_;
      while (at_ < text_.size() && (static_cast<unsigned char>(text_[at_]) & 0xC0) == 0x80) ++at_;
    }
    std::string shown;
    for (char c : text_.substr(start_, at_ - start_)) {
      switch (c) {
        case '\n': shown += "\\n"; break;
        case '\t': shown += "\\t"; break;
        case '\r': shown += "\\r"; break;
        default: shown += c;
      }
    }
    issues_.add(points_to(start_),
                fmt::format("Syntax error: token recognition error at: '{}'", shown));
  }

  Token take(Token token, std::size_t bytes = 1) {
    at_ += bytes;
    return token;
  }

  // A two-character token whose first character alone is none.
  Token pair(char second, Token token) {
    ++at_;
    if (peek() != second || at_ >= text_.size()) return Token::kEof;
    ++at_;
    return token;
  }

  // kEof means that at_ is where no token could go on.
  Token next() {
    const char c = text_[at_];
    switch (c) {
      case '=': return pair('=', Token::kEqual);
      case '&': return pair('&', Token::kAnd);
      case '|': return pair('|', Token::kOr);
      case '!': return peek(1) == '=' ? take(Token::kNotEqual, 2) : take(Token::kNot);
      case '<': return peek(1) == '=' ? take(Token::kLessEqual, 2) : take(Token::kLess);
      case '>': return peek(1) == '=' ? take(Token::kGreaterEqual, 2) : take(Token::kGreater);
      case '[': return take(Token::kLeftBracket);
      case ']': return take(Token::kRightBracket);
      case '{': return take(Token::kLeftBrace);
      case '}': return take(Token::kRightBrace);
      case '(': return take(Token::kLeftParen);
      case ')': return take(Token::kRightParen);
      case ',': return take(Token::kComma);
      case '-': return take(Token::kMinus);
      case '?': return take(Token::kQuestion);
      case ':': return take(Token::kColon);
      case '+': return take(Token::kPlus);
      case '*': return take(Token::kStar);
      case '/': return take(Token::kSlash);
      case '%': return take(Token::kPercent);
      case '.': return is_digit(peek(1)) ? number() : take(Token::kDot);
      case '`': return escaped_identifier();
      case '"':
      case '\'': return string(Token::kString, false);
      default: break;
    }
    if (is_digit(c)) return number();
    if (!is_letter(c)) return Token::kEof;
    const Token prefixed = prefixed_string();
    return prefixed != Token::kEof ? prefixed : word();
  }

  Token number() {
    if (peek() == '0' && peek(1) == 'x' && is_hex(peek(2))) {
      at_ += 2;
      while (is_hex(peek())) ++at_;
      return (peek() | 32) == 'u' ? take(Token::kUint) : Token::kInt;
    }
    bool real = false;
    while (is_digit(peek())) ++at_;
    if (peek() == '.' && is_digit(peek(1))) {
      real = true;
      ++at_;
      while (is_digit(peek())) ++at_;
    }
    if ((peek() | 32) == 'e') {
      const std::size_t sign = peek(1) == '+' || peek(1) == '-' ? 1 : 0;
      if (is_digit(peek(1 + sign))) {
        real = true;
        at_ += 1 + sign;
        while (is_digit(peek())) ++at_;
      }
    }
    if (real) return Token::kFloat;
    return (peek() | 32) == 'u' ? take(Token::kUint) : Token::kInt;
  }

  Token word() {
    while (is_letter(peek()) || is_digit(peek())) ++at_;
    const std::string_view text = text_.substr(start_, at_ - start_);
    if (text == "in") return Token::kIn;
    if (text == "true") return Token::kTrue;
    if (text == "false") return Token::kFalse;
    if (text == "null") return Token::kNull;
    return Token::kIdentifier;
  }

  Token escaped_identifier() {
    ++at_;
    const std::size_t first = at_;
    while (at_ < text_.size() && is_escaped_char(text_[at_])) ++at_;
    if (peek() != '`' || at_ == first) return Token::kEof;
    return take(Token::kEscapedIdentifier);
  }

  // b"", r"", br"" in either case; kEof leaves at_ where it was, for an identifier.
  Token prefixed_string() {
    std::size_t letters = 0;
    const bool bytes = (peek() | 32) == 'b';
    if (bytes) ++letters;
    const bool raw = (peek(letters) | 32) == 'r';
    if (raw) ++letters;
    const char quote = peek(letters);
    if (letters == 0 || (quote != '"' && quote != '\'')) return Token::kEof;
    at_ += letters;
    const Token token = string(bytes ? Token::kBytes : Token::kString, raw);
    if (token == Token::kEof) at_ = start_;
    return token;
  }

  Token string(Token token, bool raw) {
    const char quote = peek();
    const bool triple = peek(1) == quote && peek(2) == quote;
    const std::size_t empty_end = at_ + 2;
    at_ += triple ? 3 : 1;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == quote && !triple) return take(token);
      if (c == quote && peek(1) == quote && peek(2) == quote) return take(token, 3);
      if (!triple && (c == '\n' || c == '\r')) return Token::kEof;
      ++at_;
      if (c == '\\' && !raw && !escape()) break;
    }
    if (!triple) return Token::kEof;
    // The triple quote is never closed. Its first two quotes are then an empty string by
    // themselves, and lexing continues at the third.
    at_ = empty_end;  // what was met first is an empty string
    return token;
  }

  // After the backslash; stops at the character that fits no escape.
  bool escape() {
    const char c = peek();
    auto digits = [&](std::size_t n) {
      ++at_;
      for (; n > 0 && is_hex(peek()); --n) ++at_;
      return n == 0;
    };
    switch (c) {
      case 'x':
      case 'X': return digits(2);
      case 'u': return digits(4);
      case 'U': return digits(8);
      case '0':
      case '1':
      case '2':
      case '3':
        ++at_;
        for (int i = 0; i < 2; ++i, ++at_) {
          if (peek() < '0' || peek() > '7') return false;
        }
        return true;
      default:
        if (at_ >= text_.size() ||
            std::string_view("abfnrtv\"'\\?`").find(c) == std::string_view::npos) {
          return false;
        }
        ++at_;
        return true;
    }
  }

  std::string_view text_;
  Issues& issues_;
  std::size_t at_ = 0;
  std::size_t start_ = 0;
  std::size_t counted_bytes_ = 0;
  std::uint32_t counted_points_ = 0;
};

}  // namespace

std::string_view describe(Token token) { return kTokenNames[static_cast<std::size_t>(token)]; }

std::vector<LexedToken> lex(const Source& source, Issues& issues) {
  return Lexer(source, issues).run();
}

}  // namespace strake::cel
