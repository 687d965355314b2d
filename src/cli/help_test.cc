#include "cli/command/help.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "cli/commands.h"
#include "cli/fake_io.h"
#include "cli/overview.h"

namespace strake::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

TEST(HelpOverview, FitsAScreenOfEightyByThirtySix) {
  std::istringstream lines(help_overview(false));
  std::size_t count = 0;
  for (std::string line; std::getline(lines, line); ++count) EXPECT_LE(line.size(), 80u) << line;
  EXPECT_LE(count, 36u);
}

TEST(HelpOverview, ListsTheCommandsThatAreThereAndNoOthers) {
  const std::string text = help_overview(false);
  EXPECT_THAT(text, HasSubstr("author\n  fmt "));
  EXPECT_THAT(text, Not(HasSubstr("internal")));
  for (const std::string_view group : {"check\n", "build\n", "serve\n", "operate\n"}) {
    const bool has_command = std::ranges::any_of(commands(), [&](const Command* command) {
      return !command->hidden && to_string(command->group) == group.substr(0, group.size() - 1);
    });
    EXPECT_EQ(text.find("\n" + std::string(group)) != std::string::npos, has_command) << group;
  }
  // Each by its name, or with others under the word that they share.
  for (const Command* command : commands()) {
    if (command->hidden) continue;
    const std::string word(command->name.substr(0, command->name.find(' ')));
    // Those of operate stand together on one line.
    EXPECT_TRUE(text.contains(fmt::format("\n  {} ", command->name)) ||
                text.contains(fmt::format("\n  {} ", word)) ||
                (command->group == Group::kOperate && text.contains(fmt::format(" {}", word))))
        << command->name;
  }
}

TEST(HelpFor, FitsEightyColumnsForEveryCommand) {
  for (const Command* command : commands()) {
    std::istringstream lines(help_for(*command, false));
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80u) << line;
  }
}

TEST(HelpFor, ShowsFlagsWithTheirFallbacks) {
  const std::string text = help_for(*find_command("fmt"), false);
  EXPECT_THAT(text, HasSubstr("usage: strake fmt [FLAGS] [FILE|DIR|-]..."));
  EXPECT_THAT(text, HasSubstr("  -w, --write"));
  EXPECT_THAT(text, HasSubstr("(default 2)"));
  EXPECT_THAT(text, HasSubstr("      --color WHEN"));
}

TEST(HelpFor, ShowsRarerFlagsUnderTheirHeadingsLast) {
  const std::string text = help_for(*find_command("validate"), false);
  const std::size_t first = text.find("\nflags\n");
  const std::size_t limits = text.find("\nspeed and limits\n");
  const std::size_t loose = text.find("\nwith --profile loose\n");
  EXPECT_LT(first, text.find("  -s, --schema "));
  EXPECT_LT(text.find("--strict"), limits);
  EXPECT_LT(text.find("--help"), limits);
  EXPECT_LT(limits, text.find("--max-buffer"));
  EXPECT_LT(limits, loose);
  EXPECT_LT(loose, text.find("--equal-mode"));
}

TEST(HelpFor, ShowsEveryFlagOnce) {
  for (const Command* command : commands()) {
    std::multiset<std::string_view> shown;
    for (const ShownFlags& section : shown_flags(*command)) {
      for (const FlagSpec& flag : section.flags) shown.insert(flag.name);
    }
    std::multiset<std::string_view> wanted;
    for (const FlagSpec& flag : command->flags) wanted.insert(flag.name);
    EXPECT_EQ(shown, wanted) << command->name;
    std::size_t named = 0;
    for (const FlagSection& section : command->sections) {
      EXPECT_FALSE(section.flags.empty()) << command->name << ": " << section.title;
      for (const std::string_view flag : section.flags) {
        EXPECT_TRUE(wanted.contains(flag)) << command->name << " has no --" << flag;
        ++named;
      }
    }
    EXPECT_LE(named, wanted.size()) << command->name;
  }
}

TEST(HelpCommand, IsTheSameAsTheFlag) {
  FakeWorld by_command;
  FakeWorld by_flag;
  EXPECT_EQ(by_command.run({"help", "fmt"}), ExitCode::kFine);
  EXPECT_EQ(by_flag.run({"fmt", "-h"}), ExitCode::kFine);
  EXPECT_EQ(by_command.out.text(), by_flag.out.text());
}

TEST(HelpCommand, FindsCommandsOfTwoWords) {
  FakeWorld world;
  EXPECT_EQ(world.run({"help", "internal", "man"}), ExitCode::kFine);
  EXPECT_THAT(world.out.text(), HasSubstr("usage: strake internal man"));
}

TEST(HelpCommand, SuggestsTheCommandThatWasMeant) {
  FakeWorld world;
  EXPECT_EQ(world.run({"help", "ftm"}), ExitCode::kInput);
  EXPECT_THAT(world.err.text(), HasSubstr("unknown command \"ftm\": did you mean \"fmt\"?"));
}

TEST(Wrap, BreaksAtSpacesAndKeepsParagraphsApart) {
  EXPECT_EQ(wrap("one two three\n\nfour", 2, 9), "  one two\n  three\n\n  four\n");
  EXPECT_EQ(wrap("a-word-longer-than-the-width b", 0, 5), "a-word-longer-than-the-width\nb\n");
}

TEST(ManPage, ShowsCommandsFlagsAndExitCodes) {
  FakeWorld world;
  EXPECT_EQ(world.run({"internal", "man"}), ExitCode::kFine);
  EXPECT_THAT(world.out.text(), HasSubstr(".TH STRAKE 1"));
  EXPECT_THAT(world.out.text(), HasSubstr(".B \\-w, \\-\\-write"));
  for (const ExitCodeRow& row : exit_code_table())
    EXPECT_THAT(world.out.text(), HasSubstr(row.meaning));
}

}  // namespace
}  // namespace strake::cli
