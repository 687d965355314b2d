// Files of other versions: an older one is brought up when it is opened, a newer one is refused by
// everything that opens a store or a backup, and not changed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <sstream>

#include "async/loops.h"
#include "async/run.h"
#include "store/sqlite/maintenance.h"
#include "store/sqlite/sqlite_store.h"
#include "store/sqlite/test_folder.h"

namespace strake::store::sqlite {
namespace {

using ::testing::HasSubstr;

void execute(const std::string& path, const char* sql) {
  auto database = Database::open(path, Access::kCreate, {});
  ASSERT_TRUE(database);
  const Result<> outcome = database->execute(sql);
  ASSERT_TRUE(outcome) << outcome.error().to_string();
}

// A file as the first version left it, closed in order: /a was written at 2 and again at 4, /b at 3
// and deleted at 5; nothing has a checksum.
constexpr const char* kFirstVersion = R"(
CREATE TABLE state(id INTEGER PRIMARY KEY CHECK (id = 1), revision INTEGER NOT NULL,
  compacted INTEGER NOT NULL, swept INTEGER NOT NULL, probes INTEGER NOT NULL,
  closed INTEGER NOT NULL) STRICT;
INSERT INTO state VALUES (1, 5, 0, 0, 0, 1);
CREATE TABLE log(revision INTEGER PRIMARY KEY, key BLOB NOT NULL, create_revision INTEGER NOT NULL,
  previous INTEGER NOT NULL, deleted INTEGER NOT NULL, value BLOB) STRICT;
INSERT INTO log VALUES (2, CAST('/a' AS BLOB), 2, 0, 0, CAST('one' AS BLOB)),
  (3, CAST('/b' AS BLOB), 3, 0, 0, CAST('two' AS BLOB)),
  (4, CAST('/a' AS BLOB), 2, 2, 0, CAST('three' AS BLOB)),
  (5, CAST('/b' AS BLOB), 3, 3, 1, NULL);
CREATE TABLE live(key BLOB NOT NULL, revision INTEGER NOT NULL, create_revision INTEGER NOT NULL,
  PRIMARY KEY (key)) STRICT, WITHOUT ROWID;
INSERT INTO live VALUES (CAST('/a' AS BLOB), 4, 2);
CREATE TABLE past(key BLOB NOT NULL, revision INTEGER NOT NULL, previous INTEGER NOT NULL,
  PRIMARY KEY (key, revision)) STRICT, WITHOUT ROWID;
INSERT INTO past VALUES (CAST('/a' AS BLOB), 4, 2), (CAST('/b' AS BLOB), 5, 3);
CREATE TABLE lease(expires INTEGER NOT NULL, revision INTEGER NOT NULL, key BLOB NOT NULL,
  PRIMARY KEY (expires, revision)) STRICT, WITHOUT ROWID;
PRAGMA user_version = 1;
PRAGMA application_id = 0x5374726b;
)";

// What a version to come may be: this one knows neither its tables nor its columns.
constexpr const char* kVersionToCome = R"(
DROP TABLE IF EXISTS state;
DROP TABLE IF EXISTS lease;
CREATE TABLE state(name TEXT PRIMARY KEY, number INTEGER) STRICT;
CREATE TABLE attached(blob BLOB) STRICT;
INSERT INTO attached VALUES (x'00');
PRAGMA user_version = 7;
)";

std::string content(const std::string& path) {
  std::ostringstream out;
  out << std::ifstream(path, std::ios::binary).rdbuf();
  return std::move(out).str();
}

class Upgrade : public testing::Test {
 protected:
  std::string at(const std::string& path, Revision revision) {
    const auto store = SqliteStore::open({.path = path});
    if (!store) return store.error().to_string();
    const auto page =
        async::run_blocking(loops_.at(0), (*store)->range({.prefix = "/", .revision = revision}));
    if (!page) return page.error().to_string();
    std::string out;
    for (const Entry& one : page->entries)
      out += fmt::format("{}={}@{} ", one.key, *one.value, one.mod_revision);
    return out;
  }
  Result<> write(const std::string& path) {
    const auto store = SqliteStore::open({.path = path});
    if (!store) return std::unexpected(store.error());
    const auto written = async::run_blocking(
        loops_.at(0),
        (*store)->write({.key = "/c", .value = std::make_shared<const std::string>("four")}));
    return written ? Result<>() : std::unexpected(written.error());
  }

  TestFolder folder_;
  const std::string path_ = folder_ / "strake.db";
  const std::string copy_ = folder_ / "copy.db";
  async::Loops loops_{1};
};

TEST_F(Upgrade, OpensAStoreOfTheFirstVersionWithItsHistory) {
  execute(path_, kFirstVersion);
  EXPECT_EQ(check(path_)->schema_version, 1);
  EXPECT_EQ(at(path_, 0), "/a=three@4 ");
  EXPECT_EQ(at(path_, 3), "/a=one@2 /b=two@3 ");
  ASSERT_TRUE(write(path_));
  EXPECT_EQ(at(path_, 0), "/a=three@4 /c=four@6 ");
  const auto whole = check(path_);
  ASSERT_TRUE(whole) << whole.error().to_string();
  EXPECT_EQ(whole->schema_version, schema_version());
}

TEST_F(Upgrade, RestoresABackupOfTheFirstVersion) {
  execute(copy_, kFirstVersion);
  ASSERT_TRUE(restore(copy_, path_, false));
  EXPECT_EQ(at(path_, 0), "/a=three@4 ");
  // Over a store that is newer: revisions go on from there.
  ASSERT_TRUE(write(path_));
  ASSERT_TRUE(restore(copy_, path_, true));
  EXPECT_EQ(at(path_, 0), "/a=three@4 ");
  EXPECT_EQ(check(path_)->revision, 6);
}

TEST_F(Upgrade, LeavesAFileOfANewerVersionAloneAndSaysWhatToDo) {
  for (const std::string& path : {path_, copy_}) {
    ASSERT_TRUE(write(path));
    execute(path, kVersionToCome);
  }
  const auto text = [](const std::string& path) {
    return fmt::format(
        "{} has schema version 7, written by a newer strake, and this strake knows versions up to "
        "2: use the newer strake, or go back with `strake store restore --overwrite` and a backup "
        "from before the upgrade",
        path);
  };
  const std::string before = content(path_);
  const auto expect = [](const auto& outcome, const std::string& wanted, std::string_view what) {
    ASSERT_FALSE(outcome) << what;
    EXPECT_EQ(outcome.error().code(), Code::kUnsupported) << what;
    EXPECT_EQ(outcome.error().message(), wanted) << what;
  };
  expect(SqliteStore::open({.path = path_}), text(path_), "open");
  expect(check(path_), text(path_), "check");
  expect(backup(path_, folder_ / "other.db", false), text(path_), "backup");
  expect(compact(path_, std::chrono::seconds(1)), text(path_), "compact");
  expect(check(copy_), text(copy_), "check a backup");
  expect(restore(copy_, folder_ / "elsewhere.db", false), text(copy_), "restore");
  EXPECT_EQ(content(path_), before);
  EXPECT_FALSE(std::filesystem::exists(folder_ / "other.db"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "elsewhere.db"));
}

// The way back that the text names.
TEST_F(Upgrade, GoesBackToABackupFromBeforeTheUpgrade) {
  ASSERT_TRUE(write(path_));
  ASSERT_TRUE(backup(path_, copy_, false));
  execute(path_, kVersionToCome);
  const auto restored = restore(copy_, path_, true);
  ASSERT_TRUE(restored) << restored.error().to_string();
  EXPECT_EQ(at(path_, 0), "/c=four@2 ");
}

}  // namespace
}  // namespace strake::store::sqlite
