// The layer changes how the log is written, never what stands in it: after every commit the files
// alone, as a crash would leave them, hold what was committed.
#include "store/sqlite/log_layer.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

#include "store/sqlite/database.h"
#include "store/sqlite/fault_vfs.h"
#include "store/sqlite/test_folder.h"
#include "store/sqlite/wal_scan.h"

namespace strake::store::sqlite {
namespace {

using Rows = std::map<std::int64_t, std::int64_t>;  // which, and how long

Result<Database> open_plain(const std::string& path) {
  STRAKE_TRY(Database database, Database::open(path, Access::kCreate, {}));
  STRAKE_CHECK(database.execute("PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0"));
  return database;
}

Result<Database> open_layered(const std::string& path, const std::string& below) {
  STRAKE_TRY(Database database, Database::open(path, Access::kWrite, {}, log_layer_over(below)));
  STRAKE_CHECK(database.execute("PRAGMA wal_autocheckpoint = 0"));
  STRAKE_CHECK(database.execute(kSqlOfLogLayer));
  return database;
}

Result<Rows> rows_of(Database& database) {
  STRAKE_TRY(Statement all, database.prepare("SELECT id, length(data) FROM rows"));
  Rows out;
  while (true) {
    STRAKE_TRY(const bool more, all.step());
    if (!more) return out;
    out[all.number(0)] = all.number(1);
  }
}

// What a process would find that starts after this one was killed.
Result<Rows> after_a_crash(const std::string& path, const TestFolder& elsewhere) {
  const auto over = std::filesystem::copy_options::overwrite_existing;
  std::filesystem::remove(elsewhere / "copy.db-shm");
  std::filesystem::copy_file(path, elsewhere / "copy.db", over);
  std::filesystem::copy_file(path + "-wal", elsewhere / "copy.db-wal", over);
  STRAKE_TRY(const WalScan scan, scan_wal(elsewhere / "copy.db-wal"));
  if (scan.header_damaged || scan.lost_commits > 0) return fail(Code::kIo, "the log is damaged");
  STRAKE_TRY(Database database, Database::open(elsewhere / "copy.db", Access::kWrite, {}));
  return rows_of(database);
}

class LogLayer : public testing::Test {
 protected:
  void SetUp() override {
    auto plain = open_plain(path_);
    ASSERT_TRUE(plain) << plain.error().to_string();
    ASSERT_TRUE(plain->execute("CREATE TABLE rows(id INTEGER PRIMARY KEY, data BLOB)"));
    auto layered = open_layered(path_, FaultVfs::name());
    ASSERT_TRUE(layered) << layered.error().to_string();
    plain_.emplace(*std::move(plain));
    layered_.emplace(*std::move(layered));
  }
  void TearDown() override { FaultVfs::disarm(); }

  // One transaction of so many rows, which ends as said.
  Result<> write(Rows& rows, int count, std::int64_t longest, const char* end) {
    STRAKE_CHECK(layered_->execute("BEGIN IMMEDIATE"));
    for (int i = 0; i < count; ++i) {
      const auto id = static_cast<std::int64_t>(random_() % 300);
      const auto length = static_cast<std::int64_t>(random_() % longest);
      rows[id] = length;
      STRAKE_CHECK(layered_->execute(
          fmt::format("REPLACE INTO rows VALUES({}, zeroblob({}))", id, length).c_str()));
    }
    return layered_->execute(end);
  }

  TestFolder folder_;
  TestFolder elsewhere_;
  const std::string path_ = folder_ / "test.db";
  std::mt19937 random_{7};
  std::optional<Database> plain_;
  std::optional<Database> layered_;
};

TEST_F(LogLayer, LeavesInTheFilesWhatWasCommitted) {
  Rows rows;
  for (int step = 0; step < 120; ++step) {
    SCOPED_TRACE(step);
    Rows changed = rows;
    // One in ten is more than can be held at once, and one in fifty more than SQLite's cache.
    const int count = step % 50 == 25 ? 200 : step % 10 == 5 ? 40 : 1 + step % 3;
    const std::int64_t longest = step % 50 == 25 ? 50'000 : 9'000;
    const bool taken_back = random_() % 6 == 0;
    ASSERT_TRUE(write(changed, count, longest, taken_back ? "ROLLBACK" : "COMMIT"));
    if (!taken_back) rows = changed;
    const auto seen = rows_of(*plain_);
    ASSERT_TRUE(seen) << seen.error().to_string();
    EXPECT_EQ(*seen, rows) << "by another connection";
    const auto left = after_a_crash(path_, elsewhere_);
    ASSERT_TRUE(left) << left.error().to_string();
    EXPECT_EQ(*left, rows) << "in the files";
    // The log begins anew; from another connection, and to nothing.
    if (step % 40 == 20) ASSERT_TRUE(layered_->checkpoint());
    if (step % 90 == 30) ASSERT_EQ(*plain_->number("PRAGMA wal_checkpoint(TRUNCATE)"), 0);
    // Another connection writes to the log in between.
    if (step % 7 == 3) {
      ASSERT_TRUE(plain_->execute("REPLACE INTO rows VALUES(1000, zeroblob(5000))"));
      rows[1000] = 5000;
    }
  }
}

TEST_F(LogLayer, LetsTheLogGrowSeldom) {
  int grown = 0;
  std::uintmax_t size = 0;
  for (int i = 0; i < 400; ++i) {
    Rows rows;
    ASSERT_TRUE(write(rows, 1, 100, "COMMIT"));
    const std::uintmax_t now = std::filesystem::file_size(path_ + "-wal");
    if (now != size) ++grown;
    size = now;
  }
  EXPECT_LT(grown, 10);
}

TEST_F(LogLayer, ReportsAWriteThatFailsAndForgetsIt) {
  for (const Fault fault : {Fault::kFull, Fault::kTornWrite, Fault::kSync}) {
    SCOPED_TRACE(static_cast<int>(fault));
    Rows rows = *rows_of(*plain_);
    FaultVfs::arm(fault, 1, true);
    Rows lost = rows;
    EXPECT_FALSE(write(lost, 3, 9'000, "COMMIT"));
    EXPECT_TRUE(FaultVfs::tripped());
    layered_->rollback();
    EXPECT_EQ(*rows_of(*plain_), rows);
    ASSERT_TRUE(layered_->checkpoint());
    ASSERT_TRUE(write(rows, 3, 9'000, "COMMIT"));
    EXPECT_EQ(*rows_of(*plain_), rows);
    EXPECT_EQ(*after_a_crash(path_, elsewhere_), rows);
  }
}

// The second thing that is written is what the log has ahead.
TEST_F(LogLayer, NeedsNoRoomAhead) {
  Rows rows;
  FaultVfs::arm(Fault::kFull, 2, true);
  ASSERT_TRUE(write(rows, 1, 9'000, "COMMIT"));
  EXPECT_TRUE(FaultVfs::tripped());
  for (int i = 0; i < 20; ++i) ASSERT_TRUE(write(rows, 1, 9'000, "COMMIT"));
  EXPECT_EQ(*rows_of(*plain_), rows);
  EXPECT_EQ(*after_a_crash(path_, elsewhere_), rows);
}

TEST_F(LogLayer, OverALayerThatIsNotThereIsNotThereEither) {
  const auto opened = Database::open(path_, Access::kWrite, {}, log_layer_over("missing"));
  EXPECT_FALSE(opened);
}

}  // namespace
}  // namespace strake::store::sqlite
