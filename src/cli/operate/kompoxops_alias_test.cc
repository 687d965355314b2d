#include "cli/operate/kompoxops_alias.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "cli/commands.h"
#include "cli/fake_io.h"

namespace strake::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

struct Answer {
  ExitCode code;
  std::string out;
  std::string err;
};

Answer call(const std::vector<std::string>& args) {
  FakeWorld world;
  const ExitCode code = world.run(args, "/usr/bin/kompoxops");
  return {code, world.out.text(), world.err.text()};
}

TEST(Kompoxops, HasEveryCommandOfOperate) {
  std::set<std::string_view> there;
  for (const KompoxCommand& one : kompox_commands()) there.insert(one.command->name);
  for (const Command* command : commands()) {
    if (command->group != Group::kOperate) continue;
    EXPECT_TRUE(there.contains(command->name)) << command->name;
  }
}

TEST(CommandsOfOperate, HaveADryRunWhereTheyChangeSomething) {
  const std::set<std::string_view> without = {
      "app exec",  "app logs",   "app status",    "app tunnel",     "app validate",
      "box exec",  "box status", "cluster logs",  "cluster status", "config",
      "disk list", "init",       "nodepool list", "snapshot list"};
  for (const Command* command : commands()) {
    if (command->group != Group::kOperate) continue;
    const bool has =
        std::ranges::find(command->flags, "dry-run", &FlagSpec::name) != command->flags.end();
    EXPECT_EQ(has, !without.contains(command->name)) << command->name;
  }
}

TEST(Kompoxops, ListsItsCommands) {
  for (const std::vector<std::string>& line :
       {std::vector<std::string>{}, {"--help"}, {"-h"}, {"help"}}) {
    const Answer got = call(line);
    EXPECT_EQ(got.code, ExitCode::kFine);
    EXPECT_THAT(got.out, StartsWith("usage: kompoxops COMMAND [FLAGS]\n"));
    EXPECT_THAT(got.out, HasSubstr("\n  cluster nodepool list "));
    EXPECT_THAT(got.out, Not(HasSubstr("\n  nodepool list ")));
  }
}

TEST(Kompoxops, ExplainsGroupsAndCommands) {
  for (const std::vector<std::string>& line :
       {std::vector<std::string>{"cluster", "nodepool", "--help"}, {"help", "cluster", "nodepool"}})
    EXPECT_THAT(call(line).out, StartsWith("usage: kompoxops cluster nodepool COMMAND"));
  for (const std::vector<std::string>& line :
       {std::vector<std::string>{"secret", "env", "set", "--help"},
        {"--help", "secret", "env", "set"},
        {"-C", "/tmp", "secret", "-h", "env", "set"}}) {
    const Answer got = call(line);
    EXPECT_EQ(got.code, ExitCode::kFine);
    EXPECT_THAT(got.out, StartsWith("usage: kompoxops secret env set [FLAGS]\n"));
  }
}

TEST(Kompoxops, RefusesGroupsWithoutACommand) {
  for (const std::vector<std::string>& line : {std::vector<std::string>{"cluster"},
                                               {"cluster", "nodepool"},
                                               {"--log-level", "x", "disk"}}) {
    const Answer got = call(line);
    EXPECT_EQ(got.code, ExitCode::kFindings);
    EXPECT_EQ(got.err, "Error: invalid command\n");
    EXPECT_EQ(got.out, "");
  }
}

TEST(Kompoxops, RefusesWhatItDoesNotKnow) {
  EXPECT_EQ(call({"fly"}).err, "Error: unknown command \"fly\" for \"kompoxops\"\n");
  EXPECT_EQ(call({"cluster", "fly"}).err,
            "Error: unknown command \"cluster fly\" for \"kompoxops\"\n");
  const Answer got = call({"disk", "list", "--colour"});
  EXPECT_EQ(got.code, ExitCode::kFindings);
  EXPECT_THAT(got.err, StartsWith("Error: unknown flag \"--colour\""));
  // A cluster is chosen by flags.
  EXPECT_EQ(call({"cluster", "status", "blue"}).code, ExitCode::kFindings);
}

TEST(Kompoxops, TakesGlobalFlagsAnywhere) {
  const TemporaryFolder folder;
  for (const std::vector<std::string>& line :
       {std::vector<std::string>{"-C", folder / "a", "init"}, {"init", "-C", folder / "b"}}) {
    const Answer got = call(line);
    EXPECT_EQ(got.code, ExitCode::kFine) << got.err;
  }
  EXPECT_TRUE(std::filesystem::exists(folder / "a/.kompox/config.yml"));
  EXPECT_TRUE(std::filesystem::exists(folder / "b/.kompox/config.yml"));
}

TEST(Kompoxops, ShowsFiveLinesAboutItsVersion) {
  const Answer got = call({"version"});
  EXPECT_EQ(std::ranges::count(got.out, '\n'), 5);
}

}  // namespace
}  // namespace strake::cli
