#pragma once
// Splits an expression into tokens. Never fails: text that is no token is reported and passed over,
// as cel-go's lexer does.
#include <cstdint>
#include <string_view>
#include <vector>

#include "cel/syntax/source.h"

namespace strake::cel {

// In the order in which messages list what was expected.
enum class Token : std::uint8_t {
  kEof,
  kEqual,
  kNotEqual,
  kIn,
  kLess,
  kLessEqual,
  kGreaterEqual,
  kGreater,
  kAnd,
  kOr,
  kLeftBracket,
  kRightBracket,
  kLeftBrace,
  kRightBrace,
  kLeftParen,
  kRightParen,
  kDot,
  kComma,
  kMinus,
  kNot,
  kQuestion,
  kColon,
  kPlus,
  kStar,
  kSlash,
  kPercent,
  kTrue,
  kFalse,
  kNull,
  kFloat,
  kInt,
  kUint,
  kString,
  kBytes,
  kIdentifier,
  kEscapedIdentifier,
};

// As messages name it: '==', NUM_INT, <EOF>.
std::string_view describe(Token token);

struct LexedToken {
  Token token = Token::kEof;
  std::uint32_t offset = 0;  // in code points
  std::string_view text;
};

// Ends with kEof. Text views point into the source's text.
std::vector<LexedToken> lex(const Source& source, Issues& issues);

}  // namespace strake::cel
