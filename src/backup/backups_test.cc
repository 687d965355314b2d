#include "backup/backups.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "async/loops.h"
#include "async/run.h"
#include "backup/test_folder.h"
#include "base/log.h"
#include "base/rfc3339.h"
#include "store/sqlite/sqlite_store.h"

namespace strake::backup {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

namespace sqlite = store::sqlite;

// The clock begins at 2024-01-01T00:00:00Z.
class BackupsTest : public testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directory(folder_ / "data");
    std::filesystem::create_directory(folder_ / "kept");
    auto opened = sqlite::SqliteStore::open({.path = folder_ / "data/strake.db"});
    ASSERT_TRUE(opened) << opened.error().to_string();
    store_ = *std::move(opened);
    put("/a");
  }
  void TearDown() override {
    if (backups_) stop();
  }

  void put(const std::string& key) {
    ASSERT_TRUE(async::run_blocking(
        loops_.at(0),
        store_->write({.key = key, .value = std::make_shared<const std::string>("v")})));
  }
  static Options options(std::string_view schedule) {
    Options out;
    auto parsed = Schedule::parse(schedule);
    EXPECT_TRUE(parsed) << schedule;
    out.schedule = *parsed;
    return out;
  }
  void start(Options options) {
    backups_ = std::make_unique<Backups>(
        std::move(options),
        Source{.data_folder = folder_ / "data",
               .store = folder_ / "data/strake.db",
               .keys = [this]() -> Result<std::vector<sqlite::AttachedFile>> {
                 if (no_keys_) return fail(Code::kIo, "no keys today");
                 return std::vector{
                     sqlite::AttachedFile{.name = "pki/ca.key", .content = Secret("k")}};
               }},
        clock_);
    backups_->start(loops_.at(0));
  }
  void stop() {
    EXPECT_TRUE(async::run_blocking(loops_.at(0), backups_->stop()));
    backups_.reset();
  }
  // Until so many attempts were made.
  void wait_for(std::int64_t attempts) {
    const auto reached = async::run_blocking(
        loops_.at(0), backups_->attempts().wait_for(attempts, Deadline::after(60s)));
    ASSERT_TRUE(reached && *reached) << attempts;
  }
  void advance(std::chrono::nanoseconds by) {
    clock_.advance(by);
    backups_->look_again();
  }
  std::string next() const {
    const auto time = backups_->status().next;
    return time ? format_rfc3339(Instant::from(*time)) : "none";
  }

  TestFolder folder_;
  FakeClock clock_;
  async::Loops loops_{1};
  std::unique_ptr<sqlite::SqliteStore> store_;
  std::atomic<bool> no_keys_ = false;
  std::unique_ptr<Backups> backups_;
};

TEST_F(BackupsTest, AreMadeByTheScheduleAndTheOldOnesGo) {
  Options with = options("6h");
  with.folder = folder_ / "kept";
  with.retention = {.keep = 2};
  folder_.write("kept/notes.txt", "mine");
  start(with);
  wait_for(1);
  EXPECT_EQ(next(), "2024-01-01T06:00:00Z");
  put("/b");
  advance(5h);
  EXPECT_THAT(folder_.names("kept"), ElementsAre("notes.txt", "strake-20240101T000000Z.db"));
  advance(1h);
  wait_for(2);
  advance(6h);
  wait_for(3);
  EXPECT_THAT(folder_.names("kept"),
              ElementsAre("notes.txt", "strake-20240101T060000Z.db", "strake-20240101T120000Z.db"));
  const auto found = sqlite::check(folder_ / "kept/strake-20240101T060000Z.db");
  ASSERT_TRUE(found) << found.error().to_string();
  EXPECT_EQ(found->keys, 2u);
  EXPECT_EQ(found->attached, 1u);
  const Status status = backups_->status();
  EXPECT_EQ(status.successes, 3u);
  EXPECT_EQ(status.failures, 0u);
  EXPECT_EQ(status.last_made->name, "strake-20240101T120000Z.db");
  EXPECT_GT(status.last_made->bytes, 0u);
  EXPECT_EQ(status.last_made->revision, 3);
  EXPECT_TRUE(backups_->health());
}

TEST_F(BackupsTest, GoOnWithTheScheduleOfTheProcessBefore) {
  Options with = options("6h");
  with.folder = folder_ / "kept";
  start(with);
  wait_for(1);
  stop();
  clock_.advance(4h);
  start(with);
  EXPECT_EQ(backups_->status().last_success, clock_.now() - 4h);
  advance(2h);
  wait_for(1);
  EXPECT_THAT(folder_.names("kept"),
              ElementsAre("strake-20240101T000000Z.db", "strake-20240101T060000Z.db"));
  stop();
  // Overdue when it starts.
  clock_.advance(20h);
  start(with);
  wait_for(1);
  EXPECT_EQ(folder_.names("kept").size(), 3u);
}

TEST_F(BackupsTest, ByACronExpressionWaitForTheirTime) {
  Options with = options("30 2 * * *");
  with.folder = folder_ / "kept";
  start(with);
  advance(2h);
  EXPECT_THAT(folder_.names("kept"), IsEmpty());
  advance(30min);
  wait_for(1);
  EXPECT_THAT(folder_.names("kept"), ElementsAre("strake-20240101T023000Z.db"));
  EXPECT_EQ(next(), "2024-01-02T02:30:00Z");
}

TEST_F(BackupsTest, ThatFailAreCountedAndTriedAgain) {
  Options with = options("6h");
  with.folder = folder_ / "kept";
  with.retention = {.keep = 1};
  start(with);
  wait_for(1);
  no_keys_ = true;
  advance(6h);
  wait_for(2);
  EXPECT_EQ(next(), "2024-01-01T06:01:00Z");
  EXPECT_THAT(folder_.names("kept"), ElementsAre("strake-20240101T000000Z.db"))
      << "nothing is lost";
  EXPECT_EQ(backups_->health().error().message(), "the last backup failed");
  std::string metrics;
  backups_->write_metrics(metrics);
  EXPECT_THAT(metrics, HasSubstr("strake_backups_total{result=\"failure\"} 1\n"
                                 "strake_backups_total{result=\"success\"} 1\n"));
  EXPECT_THAT(metrics, HasSubstr("strake_backup_consecutive_failures 1\n"));
  EXPECT_THAT(metrics, HasSubstr("strake_backup_last_success_timestamp_seconds 1704067200\n"));
  no_keys_ = false;
  advance(1min);
  wait_for(3);
  EXPECT_TRUE(backups_->health());
  EXPECT_THAT(folder_.names("kept"), ElementsAre("strake-20240101T060100Z.db"));
}

TEST_F(BackupsTest, AreGivenToAProgram) {
  Options with = options("6h");
  with.command.arguments = {"/bin/sh", "-c",
                            "cat > \"$0/$1\"; echo $STRAKE_BACKUP_REVISION > \"$0/revision\"",
                            folder_.path(), "{name}"};
  start(with);
  wait_for(1);
  EXPECT_EQ(backups_->status().failures, 0u);
  const auto found = sqlite::check(folder_ / "strake-20240101T000000Z.db");
  ASSERT_TRUE(found) << found.error().to_string();
  EXPECT_EQ(found->attached, 1u);
  EXPECT_EQ(folder_.read("revision"), "2\n");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "data/strake.db.backup"));
}

TEST_F(BackupsTest, ThatTheProgramDidNotTakeAreGivenToItAgain) {
  Options with = options("6h");
  with.folder = folder_ / "kept";
  with.retention = {.keep = 2};
  with.command.arguments = {"/bin/sh", "-c", "echo \"$1\" >> \"$0/asked\"; [ -e \"$0/good\" ]",
                            folder_.path(), "{name}"};
  start(with);
  wait_for(1);
  advance(1min);
  wait_for(2);
  advance(2min);
  wait_for(3);
  const std::string first = "strake-20240101T000000Z.db";
  EXPECT_THAT(folder_.names("kept"), ElementsAre(first));
  EXPECT_EQ(backups_->status().failures, 3u);
  folder_.write("good", "");
  advance(4min);
  wait_for(4);
  EXPECT_EQ(folder_.read("asked"), first + "\n" + first + "\n" + first + "\n" + first + "\n");
  EXPECT_EQ(backups_->status().successes, 1u);
  // The schedule counts from the state that is in it.
  EXPECT_EQ(next(), "2024-01-01T06:00:00Z");
}

TEST_F(BackupsTest, DoNotHoldUpTheEndOfTheServer) {
  Options with = options("6h");
  with.command.arguments = {"/bin/sh", "-c", ": > \"$0/begun\"; exec sleep 600", folder_.path()};
  start(with);
  while (!std::filesystem::exists(folder_ / "begun")) std::this_thread::yield();
  EXPECT_TRUE(backups_->status().running);
  stop();
  EXPECT_FALSE(std::filesystem::exists(folder_ / "data/strake.db.backup"));
}

TEST_F(BackupsTest, KeepWhatIsSecretOutOfErrors) {
  Options with = options("6h");
  with.command.arguments = {"false", "--password=letmein"};
  std::string logged;
  std::mutex mu;
  log::configure({.sink = [&](std::string_view line) {
    const std::lock_guard lock(mu);
    logged += line;
  }});
  start(with);
  wait_for(1);
  log::configure({});
  const std::lock_guard lock(mu);
  EXPECT_THAT(logged, HasSubstr("false ended with exit code 1"));
  EXPECT_THAT(logged, Not(HasSubstr("letmein")));
}

}  // namespace
}  // namespace strake::backup
