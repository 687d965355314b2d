// Flips bytes in a store's files, many times, and asks each time what came of it: the store refuses
// by name, or everything that can be read is right. Wrong data is never an answer.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mount.h>

#include <fstream>
#include <random>
#include <sstream>

#include "base/log.h"
#include "store/conformance.h"
#include "store/sqlite/maintenance.h"
#include "store/sqlite/mark.h"
#include "store/sqlite/salvage.h"
#include "store/sqlite/schema.h"
#include "store/sqlite/sqlite_store.h"
#include "store/sqlite/test_folder.h"

namespace strake::store::sqlite {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

using Files = std::map<std::string, std::string>;  // by what follows "strake.db"

std::string content_of(const std::string& path) {
  std::ostringstream out;
  out << std::ifstream(path, std::ios::binary).rdbuf();
  return std::move(out).str();
}

// Without the zeros behind its last frame: what happens to them does not matter.
std::string log_alone(std::string log) {
  constexpr std::size_t head = 32;
  constexpr std::size_t frame = 24 + 4096;
  const std::size_t last = log.find_last_not_of('\0');
  if (last == std::string::npos || last < head) return log;
  log.resize(std::min(log.size(), head + ((last - head) / frame + 1) * frame));
  return log;
}

Files files_in(const TestFolder& folder) {
  Files out;
  for (const char* end : {"", "-wal", ".mark"}) {
    if (std::filesystem::exists(folder / "strake.db" + end))
      out[end] = content_of(folder / "strake.db" + end);
  }
  if (out.contains("-wal")) out["-wal"] = log_alone(std::move(out["-wal"]));
  return out;
}

void put_files(const TestFolder& folder, const Files& files) {
  for (const auto& [end, content] : files) folder.write("strake.db" + end, content);
}

// Everything that a store can be asked.
std::string all_of(Store& store, async::Executor executor, Result<>& outcome) {
  std::string out = fmt::format("{} {}\n", store.revision(), store.compacted_revision());
  for (Revision revision = store.revision(); revision >= store.compacted_revision();
       revision -= 7) {
    const auto page =
        async::run_blocking(executor, store.range({.prefix = "/", .revision = revision}));
    if (!page) {
      outcome = std::unexpected(page.error());
      return {};
    }
    for (const Entry& entry : page->entries) {
      out += fmt::format("{} {} {} {} {}\n", revision, entry.key, entry.create_revision,
                         entry.mod_revision, *entry.value);
    }
  }
  RecordingObserver observer;
  const auto subscription =
      async::run_blocking(executor, store.subscribe("/", store.compacted_revision(), observer));
  if (!subscription) {
    outcome = std::unexpected(subscription.error());
    return {};
  }
  for (const Event& event : observer.events()) {
    out += fmt::format("{} {} {} {} {}\n", event.revision, event.key, event.previous_revision,
                       event.value ? *event.value : "-", event.previous ? *event.previous : "-");
  }
  return out;
}

// A store with some history, as it lies on disk while it is open and after it was closed.
class Damage : public testing::Test {
 protected:
  void SetUp() override {
    log::configure({.level = log::Level::kOff});
    open();
    for (int i = 0; i < 60; ++i) put(fmt::format("/first/{}", i), 200);
    for (int i = 0; i < 4; ++i) put(fmt::format("/large/{}", i), 9'000);
    for (int i = 0; i < 60; i += 3) put(fmt::format("/first/{}", i), 300);
    ASSERT_TRUE(async::run_blocking(loops_.at(0), store_->compact(store_->revision() - 5)));
    store_.reset();
    open();
    for (int i = 0; i < 30; ++i) put(fmt::format("/second/{}", i), 150);
    for (int i = 0; i < 60; i += 4) put(fmt::format("/first/{}", i), 250);
    for (int i = 1; i < 60; i += 10) put(fmt::format("/first/{}", i), 0);
    put("/large/1", 12'000);
    put("/event", 50, std::chrono::hours(100));
    Result<> outcome;
    right_ = all_of(*store_, loops_.at(0), outcome);
    ASSERT_TRUE(outcome);
    running_ = files_in(folder_);
    store_.reset();
    closed_ = files_in(folder_);
    ASSERT_EQ(running_.size(), 3u);
    ASSERT_EQ(closed_.size(), 2u) << "no log is left";
  }
  void TearDown() override { log::configure({}); }

  void open() {
    auto opened = SqliteStore::open({.path = path_, .readers = 1});
    ASSERT_TRUE(opened) << opened.error().to_string();
    store_ = *std::move(opened);
  }
  // Zero bytes delete.
  void put(const std::string& key, std::size_t size, std::chrono::seconds ttl = {}) {
    std::string value = fmt::format("{}:{}:", key, ++serial_);
    value.resize(std::max(size, value.size()), 'v');
    const auto written =
        async::run_blocking(loops_.at(0), store_->write({.key = key,
                                                         .value = size > 0 ? bytes(value) : nullptr,
                                                         .expected = revisions_[key],
                                                         .ttl = ttl}));
    ASSERT_TRUE(written && written->applied) << key;
    revisions_[key] = size > 0 ? written->revision : 0;
  }

  // What became of a store with these files: "" when all is right, the refusal when it was refused.
  // Fails the test when data is wrong.
  std::string trial(const Files& files, Revision least = 0) {
    const TestFolder folder;
    put_files(folder, files);
    const std::string path = folder / "strake.db";
    auto opened = SqliteStore::open({.path = path, .readers = 1});
    Result<> outcome;
    if (!opened) {
      outcome = std::unexpected(opened.error());
    } else {
      const std::string found = all_of(**opened, loops_.at(0), outcome);
      if (outcome && found != right_) {
        if (least > 0) {
          EXPECT_GE((*opened)->revision(), least);
        } else {
          ADD_FAILURE() << "wrong data";
        }
      }
    }
    if (outcome) return "";
    EXPECT_THAT(outcome.error().to_string(), HasSubstr(path));
    const Code code = outcome.error().code();
    EXPECT_TRUE(code == Code::kIo || code == Code::kUnsupported) << outcome.error().to_string();
    return outcome.error().to_string();
  }

  struct Tally {
    int right = 0;
    int refused = 0;
  };
  // Flips bytes in one file of a copy, again and again.
  Tally flip(const Files& files, const std::string& which, int trials, std::uint32_t seed,
             Revision least = 0) {
    std::mt19937 random(seed);
    Tally tally;
    for (int i = 0; i < trials && !HasFailure(); ++i) {
      Files copy = files;
      std::string& content = copy[which];
      // One byte mostly, and now and then a few in a row.
      const std::size_t count = i % 5 == 0 ? 1 + random() % 16 : 1;
      const std::size_t at = random() % content.size();
      const auto mask = static_cast<char>(1 + random() % 255);
      SCOPED_TRACE(fmt::format("trial {} of seed {}: {} bytes at {} of strake.db{}", i, seed, count,
                               at, which));
      for (std::size_t j = at; j < std::min(at + count, content.size()); ++j)
        content[j] = static_cast<char>(content[j] ^ mask);
      (trial(copy, least).empty() ? tally.right : tally.refused)++;
    }
    return tally;
  }

  static int trials(int usual) {
    const char* factor = std::getenv("STRAKE_DAMAGE_FACTOR");
    return factor != nullptr ? usual * std::atoi(factor) : usual;
  }

  async::Loops loops_{1};
  TestFolder folder_;
  const std::string path_ = folder_ / "strake.db";
  std::unique_ptr<SqliteStore> store_;
  std::map<std::string, Revision> revisions_;
  int serial_ = 0;
  std::string right_;
  Files running_;
  Files closed_;
};

TEST_F(Damage, IsNotSeenWhereThereIsNone) {
  EXPECT_EQ(trial(running_), "");
  EXPECT_EQ(trial(closed_), "");
}

TEST_F(Damage, OfTheFileIsRefusedOrHarmless) {
  const Tally tally = flip(closed_, "", trials(250), 1);
  EXPECT_GT(tally.refused, tally.right) << "most of the file is data";
}

TEST_F(Damage, OfTheFileUnderALogIsRefusedOrHarmless) { flip(running_, "", trials(100), 2); }

TEST_F(Damage, OfTheLogIsRefusedOrHarmless) {
  const Tally tally = flip(running_, "-wal", trials(200), 3);
  EXPECT_GT(tally.refused, tally.right);
}

TEST_F(Damage, OfTheMarkIsHarmless) {
  const Tally tally = flip(running_, ".mark", trials(40), 4);
  EXPECT_EQ(tally.refused, 0);
}

// After a power cut the mark may be old. Then the end of the log alone is in doubt.
TEST_F(Damage, OfTheLogGoesBackByNoMoreThanItsEndWithoutAMark) {
  Files files = running_;
  files.erase(".mark");
  const Revision newest = MarkFile::read(path_)->revision;
  const Tally tally = flip(files, "-wal", trials(150), 5, newest - 2);
  EXPECT_GT(tally.refused, tally.right);
}

TEST_F(Damage, OfTheHeadOfTheLogIsRefusedEvenWithoutAMark) {
  for (std::size_t at = 0; at < 32; ++at) {
    SCOPED_TRACE(at);
    Files files = running_;
    files.erase(".mark");
    files["-wal"][at] ^= 0x10;
    EXPECT_THAT(trial(files), HasSubstr("the head of its write-ahead log"));
  }
}

TEST_F(Damage, IsWhatALostLogIs) {
  Files files = running_;
  files["-wal"] = "";
  EXPECT_THAT(trial(files), HasSubstr(" was acknowledged, and the newest that can be read is "));
  files = running_;
  files[""] = "";
  EXPECT_NE(trial(files), "") << "an emptied file is not an empty store";
}

TEST_F(Damage, IsNotWhatACrashLeavesAtTheEndOfTheLog) {
  put_files(folder_, running_);
  open();
  const Revision acknowledged = store_->revision();
  put("/a", 100);
  const Files before = files_in(folder_);
  put("/b", 100);
  Files torn = files_in(folder_);
  torn[".mark"] = before.at(".mark");
  for (const std::size_t cut : {1, 100, 5'000}) {
    Files files = torn;
    files["-wal"].resize(files["-wal"].size() - cut);
    const TestFolder folder;
    put_files(folder, files);
    const auto opened = SqliteStore::open({.path = folder / "strake.db"});
    ASSERT_TRUE(opened) << opened.error().to_string();
    EXPECT_EQ((*opened)->revision(), acknowledged + 1);
  }
}

TEST_F(Damage, IsNamedByKeyAndRevision) {
  Files files = closed_;
  // A value that stands, in the middle of its page.
  const std::size_t at = files[""].find("/second/7:");
  ASSERT_NE(at, std::string::npos);
  files[""][at + 40] ^= 1;
  const std::string refusal = trial(files);
  EXPECT_THAT(refusal, AllOf(HasSubstr("of \"/second/7\" does not match its checksum"),
                             HasSubstr("strake store salvage"),
                             HasSubstr(fmt::format("revision {} ", revisions_["/second/7"]))));
}

TEST_F(Damage, LeavesTheRestToBeSalvaged) {
  const TestFolder folder;
  Files files = closed_;
  files[""][files[""].find("/second/7:") + 40] ^= 1;
  put_files(folder, files);
  const std::string path = folder / "strake.db";
  const std::string rest = folder / "rest.db";
  ASSERT_FALSE(check(path));
  const auto salvaged = salvage(path, rest, false);
  ASSERT_TRUE(salvaged) << salvaged.error().to_string();
  EXPECT_THAT(salvaged->lost_keys, ElementsAre("/second/7"));
  EXPECT_FALSE(salvaged->keys_unknown);
  EXPECT_FALSE(salvaged->leases_lost);
  EXPECT_EQ(salvage(path, rest, false).error().code(), Code::kAlreadyExists);
  ASSERT_TRUE(restore(rest, path, true));
  const auto opened = SqliteStore::open({.path = path});
  ASSERT_TRUE(opened) << opened.error().to_string();
  const auto page = async::run_blocking(loops_.at(0), (*opened)->range({.prefix = "/"}));
  ASSERT_TRUE(page);
  std::size_t standing = 0;
  for (const auto& [key, revision] : revisions_) standing += revision > 0 ? 1 : 0;
  EXPECT_EQ(page->entries.size(), standing - 1);
  for (const Entry& entry : page->entries) {
    EXPECT_THAT(*entry.value, StartsWith(entry.key + ":"));
    EXPECT_EQ(entry.mod_revision, revisions_[entry.key]);
  }
  EXPECT_GE((*opened)->revision(), MarkFile::read(path)->revision);
}

TEST_F(Damage, OfARowFarFromTheFirstRevisionHidesNothingBehindIt) {
  const TestFolder folder;
  put_files(folder, closed_);
  const std::string path = folder / "strake.db";
  const LogRow good{
      .revision = 1'000'001, .key = "/kept", .create_revision = 1'000'001, .value = "text"};
  {
    auto database = Database::open(path, Access::kWrite, {});
    ASSERT_TRUE(database);
    // Without the table of keys the log is followed; its first row is damaged.
    ASSERT_TRUE(database->execute(
        fmt::format("DELETE FROM live; DELETE FROM log;"
                    "INSERT INTO log VALUES(1000000, CAST('/lost' AS BLOB), 1000000, 0, "
                    "0, CAST('text' AS BLOB), 1);"
                    "INSERT INTO log VALUES(1000001, CAST('/kept' AS "
                    "BLOB), 1000001, 0, 0, CAST('text' AS BLOB), {});",
                    row_sum(good))
            .c_str()));
  }
  const auto salvaged = salvage(path, folder / "rest.db", false);
  ASSERT_TRUE(salvaged) << salvaged.error().to_string();
  EXPECT_TRUE(salvaged->keys_unknown);
  EXPECT_EQ(salvaged->file.keys, 1u);
  EXPECT_EQ(salvaged->newest, 1'000'001);
}

TEST_F(Damage, NeverGetsIntoWhatIsSalvaged) {
  std::mt19937 random(6);
  int whole = 0;
  for (int i = 0; i < trials(60); ++i) {
    SCOPED_TRACE(i);
    const TestFolder folder;
    Files files = closed_;
    std::string& content = files[""];
    for (int j = 0; j < 20; ++j) content[4096 + random() % (content.size() - 4096)] ^= 0x55;
    put_files(folder, files);
    const auto salvaged = salvage(folder / "strake.db", folder / "rest.db", false);
    if (!salvaged) {
      EXPECT_EQ(salvaged.error().code(), Code::kIo) << salvaged.error().to_string();
      continue;
    }
    if (salvaged->keys_unknown) continue;  // says so itself
    ++whole;
    const auto opened = SqliteStore::open({.path = folder / "rest.db"});
    ASSERT_TRUE(opened) << opened.error().to_string();
    const auto page = async::run_blocking(loops_.at(0), (*opened)->range({.prefix = "/"}));
    ASSERT_TRUE(page);
    for (const Entry& entry : page->entries) {
      const std::string line = fmt::format("{} {} {} {}\n", entry.key, entry.create_revision,
                                           entry.mod_revision, *entry.value);
      EXPECT_TRUE(right_.contains(line)) << entry.key;
    }
  }
  EXPECT_GT(whole, 0);
}

TEST_F(Damage, IsSoughtInAStoreFromBeforeThereWereChecksumsFromThenOn) {
  const TestFolder folder;
  put_files(folder, closed_);
  const std::string path = folder / "strake.db";
  {
    auto database = Database::open(path, Access::kWrite, {});
    ASSERT_TRUE(database);
    ASSERT_TRUE(
        database->execute("ALTER TABLE log DROP COLUMN sum;"
                          "ALTER TABLE state DROP COLUMN sum;"
                          "ALTER TABLE state DROP COLUMN chain;"
                          "ALTER TABLE state DROP COLUMN swept_chain;"
                          "ALTER TABLE state DROP COLUMN live_sum;"
                          "ALTER TABLE state DROP COLUMN past_sum;"
                          "ALTER TABLE state DROP COLUMN lease_sum;"
                          "PRAGMA user_version = 1"));
  }
  std::filesystem::remove(path + ".mark");
  EXPECT_TRUE(check(path)) << check(path).error().to_string();
  ASSERT_TRUE(salvage(path, folder / "rest.db", false));
  Result<> outcome;
  {
    const auto opened = SqliteStore::open({.path = path});
    ASSERT_TRUE(opened) << opened.error().to_string();
    EXPECT_TRUE(all_of(**opened, loops_.at(0), outcome) == right_);
  }
  EXPECT_EQ(check(path)->schema_version, schema_version());
  Files files = files_in(folder);
  files[""][files[""].find("/second/7:") + 40] ^= 1;
  EXPECT_THAT(trial(files), HasSubstr("does not match its checksum"));
}

TEST_F(Damage, IsNotWhatAReadOnlyFileSystemIs) {
  const TestFolder folder;
  const std::string place = folder / "mounted";
  std::filesystem::create_directory(place);
  if (::mount("tmpfs", place.c_str(), "tmpfs", 0, "size=32m") != 0)
    GTEST_SKIP() << "mounting a file system needs root";
  folder.write("mounted/strake.db", closed_[""]);
  folder.write("mounted/strake.db.mark", closed_[".mark"]);
  ASSERT_EQ(::mount(nullptr, place.c_str(), nullptr, MS_REMOUNT | MS_RDONLY, nullptr), 0);
  const auto whole = check(place + "/strake.db");
  EXPECT_TRUE(whole) << whole.error().to_string();
  const auto opened = SqliteStore::open({.path = place + "/strake.db"});
  ASSERT_FALSE(opened);
  EXPECT_THAT(opened.error().to_string(),
              AllOf(HasSubstr("Read-only file system"), Not(HasSubstr("damaged"))));
  ASSERT_EQ(::mount(nullptr, place.c_str(), nullptr, MS_REMOUNT, "size=32m"), 0);
  folder.write("mounted/strake.db", running_[""]);
  folder.write("mounted/strake.db-wal", running_["-wal"]);
  ASSERT_EQ(::mount(nullptr, place.c_str(), nullptr, MS_REMOUNT | MS_RDONLY, nullptr), 0);
  const auto with_log = check(place + "/strake.db");
  ASSERT_FALSE(with_log);
  EXPECT_THAT(with_log.error().to_string(),
              AllOf(HasSubstr("read-only"), Not(HasSubstr("damaged"))));
  ::umount(place.c_str());
}

}  // namespace
}  // namespace strake::store::sqlite
