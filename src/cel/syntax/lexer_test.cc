#include "cel/syntax/lexer.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace strake::cel {
namespace {

// Tokens with their places, faults last.
std::string lexed(std::string text) {
  const Source source(std::move(text));
  Issues issues;
  std::string out;
  for (const LexedToken& t : lex(source, issues)) out += fmt::format("{}@{} ", t.text, t.offset);
  for (const Issue& i : issues.issues) out += fmt::format("[{}: {}] ", i.offset, i.message);
  out.pop_back();
  return out;
}

TEST(CelLexer, TakesTheLongestToken) {
  EXPECT_EQ(lexed("a<=b==c!=!d"), "a@0 <=@1 b@3 ==@4 c@6 !=@7 !@9 d@10 <EOF>@11");
  EXPECT_EQ(lexed("1.5e3 1. .5 0x1Fu 12u 1e"),
            "1.5e3@0 1@6 .@7 .5@9 0x1Fu@12 12u@18 1@22 e@23 <EOF>@24");
  EXPECT_EQ(lexed("in inside true truth"), "in@0 inside@3 true@10 truth@15 <EOF>@20");
}

TEST(CelLexer, KnowsEveryFormOfString) {
  EXPECT_EQ(lexed(R"(r"\" b'x' BR"y" '''a'b''' "")"),
            R"(r"\"@0 b'x'@5 BR"y"@10 '''a'b'''@16 ""@26 <EOF>@28)");
  EXPECT_EQ(lexed("bar 'b'"), "bar@0 'b'@4 <EOF>@7");
}

TEST(CelLexer, CountsCodePointsAndSkipsComments) {
  EXPECT_EQ(lexed("'\u00e9\U0001F600' + x // rest\ny"),
            "'\u00e9\U0001F600'@0 +@5 x@7 y@17 <EOF>@18");
}

TEST(CelLexer, ReportsWhatIsNoTokenAndGoesOn) {
  EXPECT_EQ(lexed("a # b"), "a@0 b@4 <EOF>@5 [2: Syntax error: token recognition error at: '#']");
  EXPECT_EQ(lexed("a & b"), "a@0 b@4 <EOF>@5 [2: Syntax error: token recognition error at: '& ']");
  EXPECT_EQ(lexed("'abc\nd"),
            "d@5 <EOF>@6 [0: Syntax error: token recognition error at: ''abc\\n']");
  EXPECT_EQ(lexed("`a b` `a$`"),
            "`a b`@0 <EOF>@10 [6: Syntax error: token recognition error at: '`a$'] [9: Syntax "
            "error: token "
            "recognition error at: '`']");
}

}  // namespace
}  // namespace strake::cel
