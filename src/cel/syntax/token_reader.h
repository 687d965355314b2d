#pragma once
// The tokens of an expression as a parser takes them, with ANTLR's default way of going on after a
// fault: one token too many is dropped, one that is missing is taken as read, else tokens are
// skipped until one that can follow. Between a fault and the next token that fits, further faults
// are not reported.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cel/syntax/lexer.h"
#include "cel/syntax/source.h"

namespace strake::cel {

using TokenSet = std::uint64_t;

constexpr TokenSet bit(Token t) { return TokenSet{1} << static_cast<unsigned>(t); }
template <typename... Tokens>
constexpr TokenSet set_of(Tokens... tokens) {
  return (bit(tokens) | ...);
}

inline constexpr TokenSet kExprStart =
    set_of(Token::kLeftBracket, Token::kLeftBrace, Token::kLeftParen, Token::kDot, Token::kMinus,
           Token::kNot, Token::kTrue, Token::kFalse, Token::kNull, Token::kFloat, Token::kInt,
           Token::kUint, Token::kString, Token::kBytes, Token::kIdentifier);
inline constexpr TokenSet kNegatable = kExprStart & ~bit(Token::kNot);
inline constexpr TokenSet kOperators =
    set_of(Token::kEqual, Token::kNotEqual, Token::kIn, Token::kLess, Token::kLessEqual,
           Token::kGreaterEqual, Token::kGreater, Token::kAnd, Token::kOr, Token::kLeftBracket,
           Token::kDot, Token::kMinus, Token::kQuestion, Token::kPlus, Token::kStar, Token::kSlash,
           Token::kPercent, Token::kEof);

class TokenReader {
 public:
  // Gives up after so many faults.
  TokenReader(const Source& source, Issues& issues, std::uint32_t max_faults)
      : issues_(issues), tokens_(lex(source, issues)), max_faults_(max_faults) {}

  const LexedToken& current() const { return tokens_[at_]; }
  bool at(Token token) const { return current().token == token; }
  bool at_any(TokenSet set) const { return (set & bit(current().token)) != 0; }
  const LexedToken& ahead(std::size_t count) const {
    return tokens_[at_ + count < tokens_.size() ? at_ + count : tokens_.size() - 1];
  }
  Token peek(std::size_t count) const { return ahead(count).token; }
  const LexedToken& take() {
    recovering_ = false;
    return skip();
  }

  // True when a token of the set is next, perhaps after dropping one.
  bool sync(TokenSet expected);
  // Takes the token. `after`: the tokens that can come after it, or none for whatever may follow
  // here.
  void expect(Token token, TokenSet after = 0);
  // Nothing but the end may come.
  void expect_end();
  // Skips to a token that some open rule can go on with.
  void recover();

  void report(std::string message) { report_at(current().offset, std::move(message)); }
  void report_at(std::uint32_t offset, std::string message);
  void report_unexpected(std::string_view what, TokenSet expected);
  // A fault of the expression as a whole, after which only the end is met.
  void stop(std::string message);

  bool stopped() const { return stopped_; }
  bool recovering() const { return recovering_; }

  // The brackets and lists that the parser is inside of.
  struct Open {
    int parens = 0;
    int brackets = 0;
    int braces = 0;
    int lists = 0;
    int colons = 0;
  };
  Open open;

 private:
  const LexedToken& skip() {
    const LexedToken& token = tokens_[at_];
    if (at_ + 1 < tokens_.size()) ++at_;
    return token;
  }
  bool can_follow() const;

  Issues& issues_;
  std::vector<LexedToken> tokens_;
  std::size_t at_ = 0;
  std::uint32_t max_faults_;
  std::uint32_t faults_ = 0;
  bool recovering_ = false;
  bool stopped_ = false;
};

}  // namespace strake::cel
