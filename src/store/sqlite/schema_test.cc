#include "store/sqlite/schema.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "store/sqlite/sqlite_store.h"
#include "store/sqlite/test_folder.h"

namespace strake::store::sqlite {
namespace {

using ::testing::HasSubstr;

Database open(const std::string& path) {
  auto database = Database::open(path, Access::kCreate, {});
  EXPECT_TRUE(database);
  return *std::move(database);
}

constexpr const char* kFirst = "CREATE TABLE one(a); INSERT INTO one VALUES (1), (2);";
constexpr const char* kSecond = "ALTER TABLE one ADD COLUMN b; UPDATE one SET b = a * 10;";

TEST(Migration, TakesAFileThroughEveryVersionItLacks) {
  const TestFolder folder;
  Database database = open(folder / "a.db");
  const Step old_steps[] = {{kFirst}};
  ASSERT_TRUE(migrate(database, old_steps));
  EXPECT_EQ(*database.number("PRAGMA user_version"), 1);
  const Step steps[] = {
      {kFirst}, {kSecond}, {"CREATE TABLE two(c);", [](Database& filled) {
                              return filled.execute("INSERT INTO two SELECT b FROM one");
                            }}};
  ASSERT_TRUE(migrate(database, steps));
  EXPECT_EQ(*database.number("PRAGMA user_version"), 3);
  EXPECT_EQ(*database.number("SELECT sum(b) FROM one"), 30);
  EXPECT_EQ(*database.number("SELECT sum(c) FROM two"), 30);
  ASSERT_TRUE(migrate(database, steps));
}

TEST(Migration, LeavesAFileAsItWasWhenAStepFails) {
  const TestFolder folder;
  Database database = open(folder / "a.db");
  const Step steps[] = {{kFirst}, {"UPDATE one SET a = 7; INSERT INTO nowhere VALUES (1);"}};
  const auto outcome = migrate(database, steps);
  ASSERT_FALSE(outcome);
  EXPECT_THAT(outcome.error().message(), HasSubstr("migration to schema version 2: "));
  EXPECT_EQ(*database.number("PRAGMA user_version"), 1);
  EXPECT_EQ(*database.number("SELECT sum(a) FROM one"), 3);
  EXPECT_FALSE(database.in_transaction());
}

TEST(Migration, RefusesAFileOfANewerVersion) {
  const TestFolder folder;
  const std::string path = folder / "strake.db";
  ASSERT_TRUE(SqliteStore::open({.path = path}));
  ASSERT_TRUE(open(path).execute("PRAGMA user_version = 99"));
  const auto store = SqliteStore::open({.path = path});
  ASSERT_FALSE(store);
  EXPECT_EQ(store.error().code(), Code::kUnsupported);
  EXPECT_EQ(store.error().message(),
            fmt::format("{} has schema version 99, written by a newer strake, and this strake "
                        "knows versions up to {}: use the newer strake, or go back with `strake "
                        "store restore --overwrite` and a backup from before the upgrade",
                        path, schema_version()));
}

TEST(FileCheck, RefusesTheDatabaseOfAnotherProgram) {
  const TestFolder folder;
  const std::string path = folder / "strake.db";
  ASSERT_TRUE(open(path).execute("CREATE TABLE theirs(a)"));
  const auto store = SqliteStore::open({.path = path});
  ASSERT_FALSE(store);
  EXPECT_EQ(store.error().message(), path + " is a database, but not a store of Strake");
}

}  // namespace
}  // namespace strake::store::sqlite
