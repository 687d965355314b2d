#include "cli/completion_command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/commands.h"
#include "cli/fake_io.h"

namespace strake::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class CompletionTest : public ::testing::TestWithParam<std::string> {};

TEST_P(CompletionTest, KnowsEveryVisibleCommandFlagAndChoice) {
  FakeWorld world;
  ASSERT_EQ(world.run({"completion", GetParam()}), ExitCode::kFine);
  const std::string& script = world.out.text();
  for (const Command* command : commands()) {
    if (command->hidden) continue;
    const std::size_t space = command->name.find(' ');
    EXPECT_THAT(script, HasSubstr(command->name.substr(0, space)));
    if (space != std::string_view::npos)
      EXPECT_THAT(script, HasSubstr(command->name.substr(space + 1)));
    for (const FlagSpec& flag : command->flags) {
      EXPECT_THAT(script, HasSubstr(flag.name));
      for (const std::string_view choice : flag.choices) EXPECT_THAT(script, HasSubstr(choice));
    }
  }
  EXPECT_THAT(script, Not(HasSubstr("internal")));
}

INSTANTIATE_TEST_SUITE_P(Shells, CompletionTest, ::testing::Values("bash", "zsh", "fish"));

TEST(Completion, RefusesAShellItDoesNotKnow) {
  FakeWorld world;
  EXPECT_EQ(world.run({"completion", "bsh"}), ExitCode::kInput);
  EXPECT_THAT(world.err.text(),
              HasSubstr("must be bash, zsh or fish, got \"bsh\": did you mean \"bash\"?"));
}

}  // namespace
}  // namespace strake::cli
