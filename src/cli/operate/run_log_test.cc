#include "cli/operate/run_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "cli/fake_io.h"
#include "cli/operate/run_journal.h"
#include "value/fields.h"
#include "value/json_reader.h"

namespace strake::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

std::vector<std::string> names_in(const std::filesystem::path& folder) {
  std::vector<std::string> out;
  for (const auto& one : std::filesystem::directory_iterator(folder))
    out.push_back(one.path().filename().string());
  std::ranges::sort(out);
  return out;
}

TEST(RunLog, IsNamedByItsTimeInUtc) {
  EXPECT_EQ(run_log_name(FakeClock().now() + std::chrono::milliseconds(7)),
            "kompoxops-20240101-000000-007.log");
}

TEST(RunLog, HasALineForEachEventWithItsAttributes) {
  const TemporaryFolder folder;
  const FakeClock clock;
  const auto log = RunLog::open({.folder = folder / "logs", .clock = &clock});
  ASSERT_TRUE(log.has_value());
  EXPECT_EQ(log->file(), folder / "logs/kompoxops-20240101-000000-000.log");
  log->write(log::Level::kInfo, "CMD", {{"runId", "a\"b"}});
  log->write(log::Level::kWarn, "CMD:x/EOK", {}, "elapsed", 0.5);
  log->write(log::Level::kDebug, "unseen");
  EXPECT_EQ(folder.read("logs/kompoxops-20240101-000000-000.log"),
            "{\"time\":\"2024-01-01T00:00:00.000Z\",\"level\":\"INFO\",\"msg\":\"CMD\",\"runId\":"
            "\"a\\\"b\"}\n"
            "{\"time\":\"2024-01-01T00:00:00.000Z\",\"level\":\"WARN\",\"msg\":\"CMD:x/EOK\","
            "\"elapsed\":0.5}\n");
  EXPECT_EQ(log->failure(), "");
}

TEST(RunLog, IsForItsOwnerAlone) {
  const TemporaryFolder folder;
  const auto log = RunLog::open({.output = folder / "a.log"});
  ASSERT_TRUE(log.has_value());
  EXPECT_EQ(std::filesystem::status(folder / "a.log").permissions(),
            std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
}

TEST(RunLog, WritesEveryFormat) {
  const FakeClock clock;
  for (const auto& [format, want] :
       {std::pair(LogFormat::kHuman, "2024-01-01T00:00:00.000Z INFO  CMD desc=\"a b\" n=3\n"),
        std::pair(LogFormat::kText,
                  "time=2024-01-01T00:00:00.000Z level=INFO msg=CMD desc=\"a b\" n=3\n")}) {
    const TemporaryFolder folder;
    const auto log = RunLog::open({.format = format, .output = folder / "a.log", .clock = &clock});
    ASSERT_TRUE(log.has_value());
    log->write(log::Level::kInfo, "CMD", {{"desc", "a b"}}, "n", 3);
    EXPECT_EQ(folder.read("a.log"), want);
  }
}

TEST(RunLog, KnowsFormatsAndLevels) {
  EXPECT_EQ(parse_log_format("").value(), LogFormat::kJson);
  EXPECT_EQ(parse_log_format("human").value(), LogFormat::kHuman);
  EXPECT_EQ(parse_log_format("xml").error().message(), "unsupported log format: xml");
  for (const auto& [text, level] :
       {std::pair("debug", log::Level::kDebug), std::pair("WARNING", log::Level::kWarn),
        std::pair("Err", log::Level::kError), std::pair("loud", log::Level::kInfo)})
    EXPECT_EQ(parse_run_log_level(text), level) << text;
}

TEST(RunLog, RemovesFilesOfOlderRunsOnly) {
  const TemporaryFolder folder;
  for (const char* name : {"kompoxops-20231224-235959-999.log", "kompoxops-20231225-000000-000.log",
                           "other.log", "kompoxops-notes.log", "kompoxops-20200101-000000-000.txt"})
    folder.write(name, "x");
  const FakeClock clock;  // 2024-01-01
  ASSERT_TRUE(RunLog::open({.folder = folder.path(), .retention_days = 0, .clock = &clock}));
  EXPECT_EQ(names_in(folder.path()).size(), 6u);
  ASSERT_TRUE(RunLog::open({.folder = folder.path(), .retention_days = 7, .clock = &clock}));
  EXPECT_THAT(names_in(folder.path()),
              ElementsAre("kompoxops-20200101-000000-000.txt", "kompoxops-20231225-000000-000.log",
                          "kompoxops-20240101-000000-000.log", "kompoxops-notes.log", "other.log"));
}

TEST(RunLog, TakesWhatLibrariesLogWithoutTheirSecrets) {
  const TemporaryFolder folder;
  {
    const auto log = RunLog::open({.output = folder / "a.log"});
    ASSERT_TRUE(log.has_value());
    log::get("kube").info("asked", {{"token", Secret("canary-7")}});
  }
  const std::string text = folder.read("a.log");
  EXPECT_THAT(text, HasSubstr("\"logger\":\"kube\""));
  EXPECT_THAT(text, HasSubstr("***"));
  EXPECT_THAT(text, Not(HasSubstr("canary-7")));
}

TEST(RunLog, GoesNowhereWhenAskedTo) {
  const auto log = RunLog::open({.output = "none"});
  ASSERT_TRUE(log.has_value());
  log->write(log::Level::kError, "CMD");
  EXPECT_EQ(log->file(), "");
  EXPECT_EQ(log->failure(), "");
}

TEST(RunLog, SaysThatItIsNotWhole) {
  const auto log = RunLog::open({.output = "/dev/full"});
  ASSERT_TRUE(log.has_value());
  log->write(log::Level::kError, "CMD");
  EXPECT_EQ(log->failure(), "No space left on device");
}

class RunJournalTest : public ::testing::Test {
 protected:
  RunJournalTest() : log_(*RunLog::open({.output = folder_ / "a.log"})) {}

  TemporaryFolder folder_;
  FakeWorld world_;
  RunLog log_;
};

TEST_F(RunJournalTest, ShowsStepsAsText) {
  RunJournal journal(world_.io, log_, StepLines::kText, StepLines::kNone);
  journal.step("create", "disk", {{"disk", "a"}, {"zone", ""}});
  journal.warn("left", {{"reason", "\x1b[31mbusy"}});
  EXPECT_EQ(world_.err.text(), "create: disk disk=a\nwarn: left reason=\uFFFD[31mbusy\n");
  EXPECT_EQ(world_.out.text(), "");
  EXPECT_THAT(folder_.read("a.log"), HasSubstr("\"msg\":\"STEP:create\",\"desc\":\"disk\""));
}

TEST_F(RunJournalTest, ShowsStepsAsLinesOfJson) {
  RunJournal journal(world_.io, log_, StepLines::kJson, StepLines::kNone);
  journal.step("create", "disk", {{"disk", "a"}});
  EXPECT_EQ(world_.err.text(),
            "{\"verb\":\"create\",\"what\":\"disk\",\"fields\":{\"disk\":\"a\"}}\n");
}

TEST_F(RunJournalTest, PrintsThePlanOfADryRun) {
  RunJournal journal(world_.io, log_, StepLines::kText, StepLines::kText);
  journal.step("skip", "namespace", {{"reason", "is there"}});
  journal.step("plan", "create disk", {});
  journal.end_plan();
  EXPECT_EQ(world_.out.text(),
            "skip: namespace reason=is there\nplan: create disk\n1 change planned; nothing was "
            "changed\n");
  EXPECT_EQ(world_.err.text(), "");
}

TEST_F(RunJournalTest, SaysWhenThereIsNothingToDo) {
  RunJournal text(world_.io, log_, StepLines::kText, StepLines::kText);
  text.step("skip", "disk", {});
  text.end_plan();
  EXPECT_EQ(world_.out.text(), "skip: disk\nnothing to do\n");
  FakeWorld other;
  RunJournal json(other.io, log_, StepLines::kText, StepLines::kJson);
  json.step("skip", "disk", {});
  json.end_plan();
  EXPECT_EQ(other.out.text(),
            "{\"verb\":\"skip\",\"what\":\"disk\",\"fields\":{}}\n"
            "{\"verb\":\"end\",\"planned\":0,\"skipped\":1}\n");
}

TEST_F(RunJournalTest, WritesSymbolsWithoutSpacesToTheLog) {
  RunJournal journal(world_.io, log_, StepLines::kNone, StepLines::kNone);
  journal.step("roll back", "a/b c", {});
  EXPECT_THAT(folder_.read("a.log"), HasSubstr("\"msg\":\"STEP:roll-back\",\"desc\":\"a/b c\""));
  EXPECT_EQ(world_.err.text(), "");
}

}  // namespace
}  // namespace strake::cli
