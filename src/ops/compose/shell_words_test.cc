#include "ops/compose/shell_words.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace strake::ops::compose {
namespace {

using ::testing::HasSubstr;

TEST(ShellWords, DivideATextAsAShellWould) {
  struct Case {
    std::string_view text;
    std::vector<std::string> want;
  };
  const Case cases[] = {
      {"", {}},
      {"  \t\n ", {}},
      {"sleep 10", {"sleep", "10"}},
      {"  sleep \n 10 ", {"sleep", "10"}},
      {"sh -c 'echo  a; b | c'", {"sh", "-c", "echo  a; b | c"}},
      {R"(echo "a \"b\" \\ \$ \` \n c")", {"echo", R"(a "b" \ $ ` \n c)"}},
      {R"(a\ b 'c\d' e\'f)", {"a b", R"(c\d)", "e'f"}},
      {R"(--x="a b"'c d'e)", {"--x=a bc de"}},
      {R"("" '' a)", {"", "", "a"}},
      {"echo $HOME *", {"echo", "$HOME", "*"}},
      {R"(a\;b)", {"a;b"}},
  };
  for (const Case& one : cases) {
    const auto got = split_command(one.text);
    ASSERT_TRUE(got.has_value()) << one.text << ": " << got.error().to_string();
    EXPECT_EQ(*got, one.want) << one.text;
  }
}

TEST(ShellWords, RefuseWhatOnlyAShellCouldDo) {
  for (const std::string_view text : {"a && b", "a; b", "a | b", "a > b", "a < b", "a&"}) {
    const auto got = split_command(text);
    ASSERT_FALSE(got.has_value()) << text;
    EXPECT_THAT(got.error().message(), HasSubstr("has no meaning without a shell")) << text;
  }
}

TEST(ShellWords, RefuseWhatDoesNotEnd) {
  EXPECT_EQ(split_command("a 'b").error().message(), "a single quote does not end");
  EXPECT_EQ(split_command("a \"b").error().message(), "a double quote does not end");
  EXPECT_EQ(split_command("a \"b\\").error().message(), "a double quote does not end");
  EXPECT_EQ(split_command("a\\").error().message(), "a backslash stands at the end of the text");
}

}  // namespace
}  // namespace strake::ops::compose
