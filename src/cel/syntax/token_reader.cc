#include "cel/syntax/token_reader.h"

#include <fmt/format.h>

namespace strake::cel {
namespace {

std::string describe_set(TokenSet tokens) {
  std::string out;
  std::size_t count = 0;
  for (unsigned i = 0; i <= static_cast<unsigned>(Token::kEscapedIdentifier); ++i) {
    if ((tokens >> i & 1) == 0) continue;
    if (count++ != 0) out += ", ";
    out += describe(static_cast<Token>(i));
  }
  return count == 1 ? out : "{" + out + "}";
}

}  // namespace

// Moves to the end token, so that every rule on the parser's stack returns at once and silently.
void TokenReader::stop(std::string message) {
  if (!stopped_) issues_.issues.push_back({0, std::move(message), true});
  stopped_ = true;
  recovering_ = true;
  at_ = tokens_.size() - 1;
}

void TokenReader::report_at(std::uint32_t offset, std::string message) {
  if (recovering_ || stopped_) return;
  recovering_ = true;
  issues_.add(offset, "Syntax error: " + std::move(message));
  if (++faults_ > max_faults_) {
    stop(fmt::format("error recovery attempt limit exceeded: {}", max_faults_));
  }
}

void TokenReader::report_unexpected(std::string_view what, TokenSet expected) {
  report(fmt::format("{} input '{}' expecting {}", what, current().text, describe_set(expected)));
}

// ANTLR collects the follow sets of all rules on its stack. Rules of this grammar that nest are
// told by what they have open (brackets, a list, a conditional), so counters of it give the same
// set.
bool TokenReader::can_follow() const {
  const Token t = current().token;
  if ((kOperators & bit(t)) != 0) return true;
  switch (t) {
    case Token::kRightParen: return open.parens > 0;
    case Token::kRightBracket: return open.brackets > 0;
    case Token::kRightBrace: return open.braces > 0;
    case Token::kComma: return open.lists > 0;
    case Token::kColon: return open.colons > 0;
    default: return false;
  }
}

void TokenReader::recover() {
  while (!can_follow()) skip();
}

bool TokenReader::sync(TokenSet expected) {
  if (at_any(expected)) return true;
  // Single-token deletion, tried before anything else: the token after this one would fit.
  if ((expected & bit(peek(1))) != 0 && !at(Token::kEof)) {
    report_unexpected("extraneous", expected);
    skip();
    return true;
  }
  report_unexpected("mismatched", expected);
  recover();
  return false;
}

void TokenReader::expect(Token token, TokenSet after) {
  if (at(token)) {
    take();
  } else if (peek(1) == token && !at(Token::kEof)) {
    report_unexpected("extraneous", bit(token));
    skip();
    take();
    // Single-token insertion: the current token is one that comes after the missing one.
  } else if (after != 0 ? at_any(after) : can_follow()) {
    report(fmt::format("missing {} at '{}'", describe(token), current().text));
  } else {
    report_unexpected("mismatched", bit(token));
    recover();
  }
}

void TokenReader::expect_end() {
  if (at(Token::kEof)) return;
  report_unexpected(peek(1) == Token::kEof ? "extraneous" : "mismatched", bit(Token::kEof));
}

}  // namespace strake::cel
