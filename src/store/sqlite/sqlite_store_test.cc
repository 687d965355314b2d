#include "store/sqlite/sqlite_store.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "store/conformance.h"
#include "store/sqlite/reader.h"
#include "store/sqlite/test_folder.h"

namespace strake::store::sqlite {
namespace {

using ::testing::HasSubstr;

class SqliteUnderTest final : public StoreUnderTest {
 public:
  SqliteUnderTest() { open(); }
  Store& store() override { return *store_; }
  void advance(std::chrono::seconds by) override {
    clock_.advance(by);
    store_->expire_soon();
  }
  bool reopen() override {
    store_.reset();
    open();
    return true;
  }

 private:
  void open() {
    auto opened = SqliteStore::open({.path = folder_ / "strake.db", .clock = &clock_});
    if (!opened) FAIL() << opened.error().to_string();
    store_ = *std::move(opened);
  }

  TestFolder folder_;
  FakeClock clock_;
  std::unique_ptr<SqliteStore> store_;
};

INSTANTIATE_TEST_SUITE_P(Sqlite, StoreConformance, testing::Values(MakeStore([] {
                           return std::make_unique<SqliteUnderTest>();
                         })));

Result<Written> put(Store& store, std::string key, std::string value, Revision expected = 0) {
  // Outlives the store, whose writer may still be at it when the answer is here.
  static async::Loops loops(1);
  return async::run_blocking(
      loops.at(0),
      store.write({.key = std::move(key), .value = bytes(value), .expected = expected}));
}

// What ten keys from the middle cost, now and as they stood before all of them were overwritten.
std::pair<std::int64_t, std::int64_t> work_of_a_page(int keys) {
  const TestFolder folder;
  const std::string path = folder / "strake.db";
  auto store = SqliteStore::open({.path = path});
  EXPECT_TRUE(store);
  Revision then = 0;
  std::vector<Revision> at;
  for (int i = 0; i < keys; ++i) {
    then = put(**store, fmt::format("/k{:04}", i), "first")->revision;
    at.push_back(then);
  }
  Revision newest = then;
  for (int i = 0; i < keys; ++i)
    newest = put(**store, fmt::format("/k{:04}", i), "second", at[i])->revision;
  auto reader = Reader::open(Database::open(path, Access::kRead, std::chrono::seconds(1)).value());
  EXPECT_TRUE(reader);
  Range range{
      .prefix = "/", .start = fmt::format("/k{:04}", keys / 2), .limit = 10, .count = false};
  const auto present = reader->range(range, newest);
  const std::int64_t work_now = reader->range_work();
  range.revision = then;
  const auto past = reader->range(range, newest);
  const std::int64_t work_then = reader->range_work();
  EXPECT_EQ(present->entries.size(), 10u);
  EXPECT_EQ(past->entries.size(), 10u);
  EXPECT_EQ(*past->entries.front().value, "first");
  EXPECT_EQ(past->remaining, 1u);
  return {work_now, work_then};
}

TEST(SqliteStore, ReadsAPageAtTheCostOfThePage) {
  const auto few = work_of_a_page(40);
  const auto many = work_of_a_page(400);
  EXPECT_GT(few.first, 0);
  EXPECT_LE(many.first, few.first + 50);
  EXPECT_LE(many.second, few.second + 50);
}

TEST(SqliteStore, RefusesAFileThatAnotherHasOpen) {
  const TestFolder folder;
  const std::string path = folder / "strake.db";
  auto first = SqliteStore::open({.path = path});
  ASSERT_TRUE(first);
  const auto second = SqliteStore::open({.path = path});
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code(), Code::kServiceUnavailable);
  EXPECT_EQ(second.error().message(), fmt::format("{} is in use by process {}", path, ::getpid()));
  first->reset();
  EXPECT_TRUE(SqliteStore::open({.path = path}));
}

TEST(SqliteStore, KeepsItsFilesFromOthers) {
  const TestFolder folder;
  const auto store = SqliteStore::open({.path = folder / "strake.db"});
  ASSERT_TRUE(store);
  ASSERT_TRUE(put(**store, "/a", "1"));
  for (const char* name : {"strake.db", "strake.db-wal", "strake.db-shm"}) {
    struct stat found = {};
    ASSERT_EQ(::stat((folder / name).c_str(), &found), 0) << name;
    EXPECT_EQ(found.st_mode & 0777, 0600u) << name;
  }
}

TEST(SqliteStore, SaysWhichFileIsNoDatabase) {
  const TestFolder folder;
  const std::string path = folder.write("strake.db", std::string(8192, 'x'));
  const auto store = SqliteStore::open({.path = path});
  ASSERT_FALSE(store);
  EXPECT_EQ(store.error().code(), Code::kIo);
  EXPECT_THAT(store.error().message(),
              testing::StartsWith(path + " is damaged: file is not a database"));
}

TEST(SqliteStore, SaysWhichFileIsDamaged) {
  const TestFolder folder;
  const std::string path = folder / "strake.db";
  {
    auto store = SqliteStore::open({.path = path});
    ASSERT_TRUE(store);
    for (int i = 0; i < 200; ++i)
      ASSERT_TRUE(put(**store, fmt::format("/key/{}", i), std::string(500, 'v')));
  }
  {
    // Everything from the third page on, so that some table is hit.
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(2 * 4096);
    file << std::string(10 * 4096, '\x55');
  }
  const auto store = SqliteStore::open({.path = path});
  ASSERT_FALSE(store);
  EXPECT_EQ(store.error().code(), Code::kIo);
  EXPECT_THAT(store.error().message(), testing::StartsWith(path + " is damaged: "));
}

TEST(SqliteStore, SaysThatAFolderIsMissing) {
  const TestFolder folder;
  const auto store = SqliteStore::open({.path = folder / "none/strake.db"});
  ASSERT_FALSE(store);
  EXPECT_EQ(store.error().code(), Code::kIo);
  EXPECT_THAT(store.error().message(), HasSubstr("No such file or directory"));
}

TEST(SqliteStore, FollowsNoLinks) {
  for (const char* name : {"strake.db", "strake.db-wal", "strake.db.lock", "strake.db.mark"}) {
    const TestFolder folder;
    const std::string elsewhere = folder.write("elsewhere", "");
    std::filesystem::create_symlink(elsewhere, folder / name);
    const auto store = SqliteStore::open({.path = folder / "strake.db"});
    // A mark of another's making is in the way only when there is a store.
    if (std::string_view(name) == "strake.db.mark") {
      EXPECT_TRUE(store) << store.error().to_string();
    } else {
      EXPECT_FALSE(store) << name;
    }
    EXPECT_EQ(std::filesystem::file_size(elsewhere), 0u) << name;
  }
}

TEST(SqliteStore, SweepsInSmallStepsAndGoesOnWhenOpenedAgain) {
  const TestFolder folder;
  const std::string path = folder / "strake.db";
  async::Loops loops(1);
  constexpr int kWrites = 1000;
  {
    auto store = SqliteStore::open({.path = path});
    ASSERT_TRUE(store);
    Revision last = 0;
    for (int i = 0; i < kWrites; ++i) last = put(**store, "/a", "v", last)->revision;
    ASSERT_TRUE(async::run_blocking(loops.at(0), (*store)->compact(last)));
  }
  auto database = Database::open(path, Access::kRead, {});
  ASSERT_TRUE(database);
  EXPECT_EQ(*database->number("SELECT count(*) FROM log"), 1);
  EXPECT_EQ(*database->number("SELECT count(*) FROM past"), 0);
  EXPECT_EQ(*database->number("SELECT swept FROM state"), 1 + kWrites);
}

}  // namespace
}  // namespace strake::store::sqlite
