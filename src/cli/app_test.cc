#include "cli/app.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/command/version.h"
#include "cli/commands.h"
#include "cli/fake_io.h"

namespace strake::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(App, SaysItsVersionWithTheNumberFirst) {
  FakeWorld world;
  EXPECT_EQ(world.run({"--version"}), ExitCode::kFine);
  EXPECT_THAT(world.out.text(), StartsWith("strake " + std::string(version_number())));
  EXPECT_EQ(world.err.text(), "");
}

TEST(App, SaysItsVersionHoweverItIsAsked) {
  FakeWorld wanted;
  EXPECT_EQ(wanted.run({"--version"}), ExitCode::kFine);
  for (const std::string word : {"-v", "version"}) {
    FakeWorld world;
    EXPECT_EQ(world.run({word}), ExitCode::kFine) << word;
    EXPECT_EQ(world.out.text(), wanted.out.text()) << word;
  }
}

TEST(App, SaysWhichLibrariesAreLinkedIn) {
  FakeWorld world;
  EXPECT_EQ(world.run({"version", "--libraries"}), ExitCode::kFine);
  for (const char* name : {"OpenSSL 3.", "SQLite 3.", "nghttp2 1.", "zlib 1.", "libyaml 0."})
    EXPECT_THAT(world.out.text(), HasSubstr(name));
}

TEST(App, ShowsHelpOnTheErrorStreamWhenCalledWithNothing) {
  FakeWorld world;
  EXPECT_EQ(world.run({}), ExitCode::kInput);
  EXPECT_EQ(world.out.text(), "");
  EXPECT_THAT(world.err.text(), HasSubstr("usage: strake"));
}

TEST(App, SuggestsTheCommandThatWasMeant) {
  FakeWorld world;
  EXPECT_EQ(world.run({"fmtt"}), ExitCode::kInput);
  EXPECT_THAT(world.err.text(),
              StartsWith("error: unknown command \"fmtt\": did you mean \"fmt\"?\n"));
}

TEST(App, SuggestsNothingWhenNoCommandIsNear) {
  FakeWorld world;
  EXPECT_EQ(world.run({"reticulate"}), ExitCode::kInput);
  EXPECT_THAT(world.err.text(), StartsWith("error: unknown command \"reticulate\"\n"));
}

TEST(App, SuggestsTheFlagThatWasMeant) {
  FakeWorld world;
  EXPECT_EQ(world.run({"fmt", "--chekc"}), ExitCode::kInput);
  EXPECT_THAT(world.err.text(), HasSubstr("unknown flag \"--chekc\": did you mean \"--check\"?"));
}

TEST(App, NamesTheSecondWordsOfACommandThatNeedsOne) {
  FakeWorld world;
  EXPECT_EQ(world.run({"internal"}), ExitCode::kInput);
  EXPECT_THAT(world.err.text(), HasSubstr("\"internal\" needs one of: man"));
  EXPECT_EQ(world.run({"internal", "mam"}), ExitCode::kInput);
  EXPECT_THAT(world.err.text(),
              HasSubstr("unknown command \"internal mam\": did you mean \"man\"?"));
}

TEST(App, TakesRootFlagsBeforeTheCommand) {
  FakeWorld world("{}");
  EXPECT_EQ(world.run({"--color", "never", "fmt", "--to", "json", "-"}), ExitCode::kFine);
  EXPECT_EQ(world.out.text(), "{}\n");
}

TEST(App, RefusesAColorItDoesNotKnow) {
  FakeWorld world;
  EXPECT_EQ(world.run({"--color=sometimes", "help"}), ExitCode::kInput);
  EXPECT_THAT(world.err.text(),
              HasSubstr("--color must be auto, always or never, got \"sometimes\""));
}

TEST(App, GivesHelpWhateverElseIsWrongWithTheLine) {
  FakeWorld world;
  EXPECT_EQ(world.run({"fmt", "--bogus", "--help"}), ExitCode::kFine);
  EXPECT_THAT(world.out.text(), StartsWith("usage: strake fmt"));
}

TEST(App, TakesHelpAfterTwoDashesAsAFileName) {
  FakeWorld world;
  EXPECT_EQ(world.run({"fmt", "--", "--help"}), ExitCode::kInput);
  EXPECT_THAT(world.err.text(), HasSubstr("--help: cannot open: No such file or directory"));
}

TEST(App, IsAnotherToolUnderItsName) {
  for (const std::string program : {"kompoxops", "/usr/local/bin/kompoxops"}) {
    FakeWorld world;
    EXPECT_EQ(world.run({"--help"}, program), ExitCode::kFine);
    EXPECT_THAT(world.out.text(), StartsWith("usage: kompoxops COMMAND"));
  }
}

TEST(App, IsItselfUnderAnyOtherName) {
  FakeWorld world;
  EXPECT_EQ(world.run({"--version"}, "/opt/strake-0.1"), ExitCode::kFine);
}

// Fails as a full disk does.
class FullOutput final : public Output {
 public:
  void write(std::string_view text) override { failed_ = failed_ || !text.empty(); }
  Result<> flush() override {
    if (failed_) return fail(Code::kIo, "cannot write to standard output: No space left on device");
    return {};
  }
  bool failed() const override { return failed_; }

 private:
  bool failed_ = false;
};

TEST(App, FailsWhenItsOutputCannotBeWritten) {
  FakeWorld world;
  FullOutput full;
  Io io{.in = world.in, .out = full, .err = world.err};
  const std::vector<std::string> args = {"--version"};
  EXPECT_EQ(run("strake", args, io), ExitCode::kOutputFailed);
  EXPECT_EQ(world.err.text(), "error: cannot write to standard output: No space left on device\n");
}

TEST(ExitCodes, AreNumberedFromZeroWithoutGaps) {
  int wanted = 0;
  for (const ExitCodeRow& row : exit_code_table()) EXPECT_EQ(static_cast<int>(row.code), wanted++);
  EXPECT_EQ(wanted, 6);
}

TEST(Commands, HaveUniqueNamesAndSummariesWithoutFullStop) {
  std::set<std::string_view> names;
  for (const Command* command : commands()) {
    EXPECT_TRUE(names.insert(command->name).second) << command->name;
    EXPECT_FALSE(command->summary.empty()) << command->name;
    EXPECT_FALSE(command->summary.ends_with('.')) << command->name;
    EXPECT_TRUE(command->run != nullptr || command->run_words != nullptr) << command->name;
  }
}

TEST(App, ListsTheCommandsThatShareAWord) {
  for (const std::vector<std::string>& line :
       {std::vector<std::string>{"crd", "--help"}, {"crd", "-h"}, {"help", "crd"}}) {
    FakeWorld world;
    EXPECT_EQ(world.run(line), ExitCode::kFine);
    EXPECT_THAT(world.out.text(), HasSubstr("usage: strake crd COMMAND"));
    EXPECT_THAT(world.out.text(), HasSubstr("\n  crd lint  "));
    EXPECT_THAT(world.out.text(), ::testing::Not(HasSubstr("schema explain")));
  }
}

}  // namespace
}  // namespace strake::cli
