#include "store/sqlite/maintenance.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <atomic>
#include <fstream>
#include <sstream>
#include <thread>

#include "store/conformance.h"
#include "store/sqlite/database.h"
#include "store/sqlite/schema.h"
#include "store/sqlite/sqlite_store.h"
#include "store/sqlite/test_folder.h"

namespace strake::store::sqlite {
namespace {

using std::chrono::seconds;
using ::testing::HasSubstr;

class Maintenance : public testing::Test {
 protected:
  void open() {
    auto opened = SqliteStore::open({.path = path_});
    ASSERT_TRUE(opened) << opened.error().to_string();
    store_ = *std::move(opened);
  }
  void close() { store_.reset(); }
  Revision put(const std::string& key, const std::string& value, Revision expected = 0) {
    const auto written = async::run_blocking(
        loops_.at(0), store_->write({.key = key, .value = bytes(value), .expected = expected}));
    EXPECT_TRUE(written && written->applied) << key;
    return written ? written->revision : 0;
  }
  std::string keys() {
    const auto page = async::run_blocking(loops_.at(0), store_->range({.prefix = "/"}));
    std::string out;
    for (const Entry& entry : page->entries)
      out += fmt::format("{}={}@{} ", entry.key, *entry.value, entry.mod_revision);
    return out;
  }
  void spoil(const char* sql) {
    auto database = Database::open(path_, Access::kWrite, {});
    ASSERT_TRUE(database);
    ASSERT_TRUE(database->execute(sql));
  }

  async::Loops loops_{1};
  TestFolder folder_;
  const std::string path_ = folder_ / "strake.db";
  const std::string copy_ = folder_ / "copy.db";
  std::unique_ptr<SqliteStore> store_;
};

TEST_F(Maintenance, BacksUpWhileTheStoreIsOpenAndWhileItIsNot) {
  open();
  put("/a", "1");
  put("/a", "2", 2);
  const auto running = backup(path_, copy_, false);
  ASSERT_TRUE(running) << running.error().to_string();
  EXPECT_EQ(running->revision, 3);
  EXPECT_EQ(running->keys, 1u);
  EXPECT_EQ(running->revisions, 2u);
  struct stat found = {};
  ASSERT_EQ(::stat(copy_.c_str(), &found), 0);
  EXPECT_EQ(found.st_mode & 0777, 0600u);
  put("/b", "3");
  close();
  const auto refused = backup(path_, copy_, false);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), Code::kAlreadyExists);
  const auto stopped = backup(path_, copy_, true);
  ASSERT_TRUE(stopped);
  EXPECT_EQ(stopped->revision, 4);
  EXPECT_FALSE(std::filesystem::exists(copy_ + ".partial"));
  EXPECT_FALSE(std::filesystem::exists(copy_ + "-wal"));
}

// The copy is made in steps, and writes come in between.
TEST_F(Maintenance, BacksUpOneStateWhileOthersWrite) {
  open();
  for (int i = 0; i < 12; ++i) put(fmt::format("/large/{}", i), std::string(1'000'000, 'v'));
  std::atomic<bool> over = false;
  std::atomic<int> written = 0;
  std::thread writer([&] {
    for (Revision last = 0; !over; ++written) last = put("/a", std::to_string(written), last);
  });
  for (int i = 0; i < 3; ++i) {
    const int before = written;
    const auto saved = backup(path_, copy_, true);
    ASSERT_TRUE(saved) << saved.error().to_string();
    EXPECT_EQ(check(copy_)->revision, saved->revision);
    while (written == before) std::this_thread::yield();
  }
  over = true;
  writer.join();
}

TEST_F(Maintenance, StopsABackupAndACheckWhenTold) {
  open();
  put("/a", "1");
  CancelSource stop;
  stop.cancel();
  for (const auto& outcome :
       {backup(path_, copy_, false, {}, stop.token()), check(path_, stop.token())}) {
    // Little enough is done before anybody looks.
    if (!outcome) EXPECT_EQ(outcome.error().code(), Code::kCancelled);
  }
  for (int i = 0; i < 12; ++i) put(fmt::format("/large/{}", i), std::string(1'000'000, 'v'));
  const auto saved = backup(path_, copy_, true, {}, stop.token());
  ASSERT_FALSE(saved);
  EXPECT_EQ(saved.error().code(), Code::kCancelled);
  EXPECT_FALSE(std::filesystem::exists(copy_ + ".partial"));
}

TEST_F(Maintenance, RestoresIntoAnEmptyPlace) {
  open();
  put("/a", "1");
  ASSERT_TRUE(backup(path_, copy_, false));
  close();
  for (const char* end : {"", "-wal", "-shm", ".lock"}) std::filesystem::remove(path_ + end);
  ASSERT_TRUE(restore(copy_, path_, false));
  open();
  EXPECT_EQ(keys(), "/a=1@2 ");
  EXPECT_EQ(put("/b", "2"), 3);
}

TEST_F(Maintenance, RestoresOverAnotherWithoutGoingBackInRevisions) {
  open();
  put("/a", "1");
  ASSERT_TRUE(backup(path_, copy_, false));
  put("/a", "2", 2);
  put("/b", "3");
  const auto running = restore(copy_, path_, true);
  ASSERT_FALSE(running);
  EXPECT_EQ(running.error().code(), Code::kServiceUnavailable);
  close();
  const auto refused = restore(copy_, path_, false);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), Code::kAlreadyExists);
  ASSERT_TRUE(restore(copy_, path_, true));
  open();
  EXPECT_EQ(keys(), "/a=1@2 ");
  EXPECT_EQ(store_->revision(), 4);
  EXPECT_EQ(store_->compacted_revision(), 4);
  EXPECT_EQ(put("/c", "4"), 5);
  close();
  EXPECT_TRUE(check(path_));
}

TEST_F(Maintenance, CarriesFilesBesideTheStoreFromABackupToARestore) {
  open();
  put("/a", "1");
  close();
  const AttachedFile files[] = {{.name = "pki/ca.key", .content = Secret("the secret key")},
                                {.name = "pki/empty", .content = Secret()}};
  const auto saved = backup(path_, copy_, false, files);
  ASSERT_TRUE(saved) << saved.error().to_string();
  EXPECT_EQ(saved->attached, 2u);
  EXPECT_EQ(check(copy_)->attached, 2u);
  std::vector<std::string> received;
  const auto restored = restore(copy_, path_, true, [&](const std::vector<AttachedFile>& got) {
    for (const AttachedFile& file : got)
      received.push_back(file.name + "=" + file.content.reveal());
    return Result<>();
  });
  ASSERT_TRUE(restored) << restored.error().to_string();
  EXPECT_THAT(received, testing::ElementsAre("pki/ca.key=the secret key", "pki/empty="));
  std::ostringstream content;
  content << std::ifstream(path_, std::ios::binary).rdbuf();
  EXPECT_THAT(content.str(), testing::Not(HasSubstr("the secret key"))) << "keys are in pki/ alone";
  EXPECT_EQ(check(path_)->attached, 0u);
  open();
  EXPECT_EQ(keys(), "/a=1@2 ");
}

TEST_F(Maintenance, LeavesTheStoreAloneWhenItsFilesCannotBeRestored) {
  open();
  put("/a", "1");
  const AttachedFile files[] = {{.name = "pki/ca.key", .content = Secret("k")}};
  ASSERT_TRUE(backup(path_, copy_, false, files));
  put("/b", "2");
  close();
  ASSERT_FALSE(restore(copy_, path_, true,
                       [](const auto&) -> Result<> { return fail(Code::kIo, "no room"); }));
  open();
  EXPECT_EQ(keys(), "/a=1@2 /b=2@3 ");
}

TEST_F(Maintenance, FindsThatAFileInABackupIsDamaged) {
  open();
  put("/a", "1");
  const AttachedFile files[] = {{.name = "pki/ca.key", .content = Secret("k")}};
  ASSERT_TRUE(backup(path_, copy_, false, files));
  auto database = Database::open(copy_, Access::kWrite, {});
  ASSERT_TRUE(database->execute("UPDATE attached SET content = x'00'"));
  const auto verdict = check(copy_);
  ASSERT_FALSE(verdict);
  EXPECT_THAT(verdict.error().message(),
              testing::StartsWith(copy_ + " is damaged: the file pki/ca.key in it; "));
}

TEST_F(Maintenance, RestoresOverAFileThatIsDamaged) {
  open();
  put("/a", "1");
  ASSERT_TRUE(backup(path_, copy_, false));
  close();
  folder_.write("strake.db", std::string(20'000, 'x'));
  folder_.write("strake.db-wal", std::string(20'000, 'x'));
  ASSERT_TRUE(restore(copy_, path_, true));
  open();
  EXPECT_EQ(keys(), "/a=1@2 ");
}

TEST_F(Maintenance, RestoresNothingFromAFileThatIsNoBackup) {
  open();
  put("/a", "1");
  close();
  folder_.write("copy.db", std::string(20'000, 'x'));
  const auto refused = restore(copy_, path_, true);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), Code::kIo);
  EXPECT_FALSE(restore(folder_ / "none.db", path_, true));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "none.db"));
  open();
  EXPECT_EQ(keys(), "/a=1@2 ");
}

TEST_F(Maintenance, CompactsAndShrinksAStoppedStore) {
  open();
  Revision last = 0;
  for (int i = 0; i < 50; ++i) last = put("/a", std::string(10'000, 'v'), last);
  close();
  const auto before = check(path_);
  ASSERT_TRUE(before);
  const auto compacted = compact(path_, seconds(30));
  ASSERT_TRUE(compacted) << compacted.error().to_string();
  EXPECT_TRUE(compacted->shrunk);
  EXPECT_EQ(compacted->file.revisions, 1u);
  EXPECT_EQ(compacted->file.compacted, last);
  EXPECT_LT(compacted->file.bytes, before->bytes / 4);
  open();
  EXPECT_EQ(store_->revision(), last);
}

TEST_F(Maintenance, AsksARunningStoreToCompact) {
  open();
  Revision last = 0;
  for (int i = 0; i < 50; ++i) last = put("/a", "v", last);
  const auto compacted = compact(path_, seconds(30));
  ASSERT_TRUE(compacted) << compacted.error().to_string();
  EXPECT_FALSE(compacted->shrunk);
  EXPECT_EQ(compacted->file.revisions, 1u);
  EXPECT_EQ(put("/a", "w", last), last + 1);
  EXPECT_EQ(store_->compacted_revision(), last);
  const auto old =
      async::run_blocking(loops_.at(0), store_->range({.prefix = "/", .revision = last - 1}));
  ASSERT_FALSE(old);
  EXPECT_EQ(old.error().code(), Code::kExpired);
}

TEST_F(Maintenance, ChecksWhileTheStoreIsOpen) {
  open();
  for (int i = 0; i < 10; ++i) put(fmt::format("/{}", i), "v");
  const auto report = check(path_);
  ASSERT_TRUE(report) << report.error().to_string();
  EXPECT_EQ(report->keys, 10u);
  EXPECT_EQ(report->schema_version, schema_version());
}

TEST_F(Maintenance, FindsWhatTheTablesShouldNotHold) {
  const std::pair<const char*, const char*> cases[] = {
      {"DELETE FROM log WHERE revision = 3", "revisions are missing in the log (1)"},
      {"UPDATE state SET revision = 3", "the log is ahead of its counter (1)"},
      {"UPDATE state SET compacted = 9", "the counters contradict each other (1)"},
      {"DELETE FROM live WHERE key = x'2f62'",
       "the log has values that neither stand nor were replaced (1)"},
      {"UPDATE live SET create_revision = 1", "keys stand that the log does not have (2)"},
      {"UPDATE past SET previous = 4; UPDATE log SET deleted = 1 WHERE revision = 2",
       "replaced values are missing in the log (1)"},
      {"DELETE FROM state", "the row of the counters is not alone (1)"},
      {"INSERT INTO lease VALUES (1, 99, x'2f61')", "keys have a time to live from the future (1)"},
  };
  for (const auto& [sql, want] : cases) {
    SCOPED_TRACE(sql);
    for (const char* end : {"", "-wal", "-shm"}) std::filesystem::remove(path_ + end);
    open();
    put("/a", "1");
    put("/a", "2", 2);
    put("/b", "3");
    close();
    ASSERT_TRUE(check(path_));
    spoil(sql);
    const auto verdict = check(path_);
    ASSERT_FALSE(verdict);
    EXPECT_THAT(verdict.error().message(), HasSubstr(want));
  }
}

TEST_F(Maintenance, SaysThatThereIsNoStore) {
  for (const auto& message :
       {check(path_).error().message(), backup(path_, copy_, false).error().message(),
        compact(path_, seconds(1)).error().message()}) {
    EXPECT_EQ(message, path_ + ": No such file or directory");
  }
  EXPECT_FALSE(std::filesystem::exists(path_));
}

}  // namespace
}  // namespace strake::store::sqlite
