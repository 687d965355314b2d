// What a failing disk does to the store: a write that could not be made durable is refused, is
// nowhere to be seen, and the next one works when the disk does.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "base/log.h"
#include "store/conformance.h"
#include "store/sqlite/fault_vfs.h"
#include "store/sqlite/sqlite_store.h"
#include "store/sqlite/test_folder.h"

namespace strake::store::sqlite {
namespace {

class Quiet {
 public:
  Quiet() { log::configure({.level = log::Level::kOff}); }
  ~Quiet() { log::configure({}); }
};

// A store on a disk that fails, and what was promised about it.
class Trial {
 public:
  Trial() : store_(open(FaultVfs::name())) {
    auto subscription = async::run_blocking(loops_.at(0), store_->subscribe("/", 1, observer_));
    EXPECT_TRUE(subscription);
    subscription_ = *std::move(subscription);
  }
  ~Trial() {
    FaultVfs::disarm();
    subscription_.reset();
  }
  Trial(const Trial&) = delete;
  Trial& operator=(const Trial&) = delete;

  // Small and large values, new and old keys, deletions and compaction: enough for the log to be
  // folded into the file.
  void work() {
    for (int i = 0; i < 4; ++i) write(fmt::format("/small/{}", i), 100);
    for (int i = 0; i < 3; ++i) write(fmt::format("/large/{}", i), 1'400'000);
    for (int i = 0; i < 2; ++i) write(fmt::format("/small/{}", i), 5000);
    erase("/small/3");
    erase("/large/0");
    const auto compacted = async::run_blocking(loops_.at(0), store_->compact(store_->revision()));
    if (!compacted) EXPECT_EQ(compacted.error().code(), Code::kIo);
    write("/large/1", 200);
    write("/last", 10);
  }

  void write(const std::string& key, std::size_t bytes_wanted) {
    ++serial_;
    std::string value = fmt::format("{}:", serial_);
    value.resize(bytes_wanted, 'v');
    settle(key, bytes(value));
  }
  void erase(const std::string& key) {
    if (promised_.contains(key)) settle(key, nullptr);
  }

  void expect_kept(std::string_view when) {
    SCOPED_TRACE(when);
    const auto page = async::run_blocking(loops_.at(0), store_->range({.prefix = "/"}));
    ASSERT_TRUE(page) << page.error().to_string();
    EXPECT_EQ(page->revision, revision_);
    std::map<std::string, std::pair<Revision, std::string>> found;
    for (const Entry& entry : page->entries) found[entry.key] = {entry.mod_revision, *entry.value};
    EXPECT_TRUE(found == promised_) << "what stands is not what was promised";
  }
  void expect_observed() {
    std::vector<Revision> seen;
    for (const Event& event : observer_.events()) seen.push_back(event.revision);
    EXPECT_EQ(seen, applied_);
  }
  void reopen() {
    subscription_.reset();
    store_.reset();
    store_ = open("");
  }
  std::size_t refused() const { return refused_; }
  Store& store() { return *store_; }
  async::Executor executor() { return loops_.at(0); }

 private:
  std::unique_ptr<SqliteStore> open(const std::string& vfs) {
    auto store = SqliteStore::open({.path = folder_ / "strake.db", .vfs = vfs});
    EXPECT_TRUE(store) << store.error().to_string();
    return *std::move(store);
  }
  void settle(const std::string& key, const Bytes& value) {
    const auto stands = promised_.find(key);
    const Revision expected = stands == promised_.end() ? 0 : stands->second.first;
    const auto written = async::run_blocking(
        loops_.at(0), store_->write({.key = key, .value = value, .expected = expected}));
    if (!written) {
      EXPECT_EQ(written.error().code(), Code::kIo) << written.error().to_string();
      ++refused_;
      return;
    }
    ASSERT_TRUE(written->applied) << key;
    EXPECT_EQ(written->revision, revision_ + 1);
    revision_ = written->revision;
    applied_.push_back(revision_);
    if (value) {
      promised_[key] = {revision_, *value};
    } else {
      promised_.erase(key);
    }
  }

  async::Loops loops_{1};
  TestFolder folder_;
  std::unique_ptr<SqliteStore> store_;
  RecordingObserver observer_;
  std::unique_ptr<Subscription> subscription_;
  std::map<std::string, std::pair<Revision, std::string>> promised_;
  std::vector<Revision> applied_;
  Revision revision_ = 1;
  int serial_ = 0;
  std::size_t refused_ = 0;
};

// Runs one trial; false when the disk was not touched often enough to fail.
bool try_fault(Fault fault, std::int64_t nth, bool once) {
  SCOPED_TRACE(fmt::format("fault {} at {}, {}", static_cast<int>(fault), nth,
                           once ? "once" : "from then on"));
  Trial trial;
  FaultVfs::arm(fault, nth, once);
  trial.work();
  const bool tripped = FaultVfs::tripped();
  FaultVfs::disarm();
  trial.write("/after", 10);
  EXPECT_TRUE(trial.store().health());
  trial.expect_kept("when the disk works again");
  trial.expect_observed();
  trial.reopen();
  trial.expect_kept("when opened again");
  trial.write("/after", 20);
  trial.expect_kept("when written again");
  return tripped;
}

class FaultsAnywhere : public testing::TestWithParam<std::tuple<Fault, bool>> {};

TEST_P(FaultsAnywhere, LoseNothingWhereverTheyStrike) {
  const Quiet quiet;
  const auto [fault, once] = GetParam();
  std::int64_t nth = 1;
  // Every touch at first; later ones are pages of large values, of which some stand for all.
  while (try_fault(fault, nth, once) && !HasFailure()) nth += nth < 24 ? 1 : 1 + nth / 4;
  EXPECT_GT(nth, 5);
}

INSTANTIATE_TEST_SUITE_P(AtEveryPoint, FaultsAnywhere,
                         testing::Combine(testing::Values(Fault::kFull, Fault::kTornWrite,
                                                          Fault::kSync),
                                          testing::Bool()));

TEST(Faults, OfReadingFailTheCallAndNothingElse) {
  const Quiet quiet;
  for (std::int64_t nth = 1; nth <= 12; ++nth) {
    Trial trial;
    trial.write("/a", 3'000);
    FaultVfs::arm(Fault::kRead, nth, false);
    trial.write("/b", 3'000);
    const auto page = async::run_blocking(trial.executor(), trial.store().range({.prefix = "/"}));
    if (!page) EXPECT_EQ(page.error().code(), Code::kIo);
    FaultVfs::disarm();
    trial.write("/c", 3'000);
    trial.expect_kept("when the disk works again");
    trial.expect_observed();
  }
}

TEST(Faults, ShowInTheHealthUntilTheyAreGone) {
  const Quiet quiet;
  Trial trial;
  FaultVfs::arm(Fault::kFull, 1, false);
  trial.write("/a", 10);
  EXPECT_EQ(trial.refused(), 1u);
  const auto health = trial.store().health();
  ASSERT_FALSE(health);
  EXPECT_EQ(health.error().code(), Code::kIo);
  EXPECT_THAT(health.error().message(), testing::HasSubstr("database or disk is full"));
  FaultVfs::disarm();
  // Nobody writes: the store finds out by itself.
  while (!trial.store().health()) std::this_thread::yield();
  trial.write("/a", 10);
  EXPECT_EQ(trial.refused(), 1u);
}

}  // namespace
}  // namespace strake::store::sqlite
