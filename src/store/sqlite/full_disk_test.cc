// A disk with no space left, for real: a small file system in memory. Needs root to mount it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mount.h>

#include <fstream>

#include "base/log.h"
#include "store/conformance.h"
#include "store/sqlite/maintenance.h"
#include "store/sqlite/sqlite_store.h"
#include "store/sqlite/test_folder.h"

namespace strake::store::sqlite {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class FullDisk : public testing::Test {
 protected:
  void SetUp() override {
    log::configure({.level = log::Level::kOff});
    std::filesystem::create_directory(place_);
    mounted_ = ::mount("tmpfs", place_.c_str(), "tmpfs", 0, "size=40m") == 0;
    if (!mounted_) GTEST_SKIP() << "mounting a file system needs root";
    open();
  }
  void TearDown() override {
    store_.reset();
    if (mounted_) ::umount2(place_.c_str(), MNT_DETACH);
    log::configure({});
  }
  void open() {
    auto opened = SqliteStore::open({.path = place_ + "/strake.db"});
    ASSERT_TRUE(opened) << opened.error().to_string();
    store_ = *std::move(opened);
  }
  Result<Written> put(const std::string& key, const Bytes& value, Revision expected = 0) {
    return async::run_blocking(loops_.at(0),
                               store_->write({.key = key, .value = value, .expected = expected}));
  }
  // Someone else takes all that is left.
  void fill() const {
    std::ofstream junk(place_ + "/junk", std::ios::binary | std::ios::app);
    const std::string block(4096, 'j');
    while (junk.write(block.data(), static_cast<std::streamsize>(block.size())).flush()) {
    }
  }
  // Objects until there is no room for more.
  void write_until_full() {
    fill_up_to_ = 0;
    while (true) {
      const auto written =
          put(fmt::format("/object/{}", fill_up_to_), bytes(std::string(50'000, 'v')));
      if (!written) {
        refusal_ = written.error();
        return;
      }
      revisions_.push_back(written->revision);
      ++fill_up_to_;
    }
  }
  bool remove(int object) {
    const auto gone = put(fmt::format("/object/{}", object), nullptr,
                          revisions_[static_cast<std::size_t>(object)]);
    EXPECT_TRUE(gone) << object << ": " << gone.error().to_string();
    return gone && gone->applied;
  }

  async::Loops loops_{1};
  TestFolder folder_;
  const std::string place_ = folder_ / "mounted";
  bool mounted_ = false;
  std::unique_ptr<SqliteStore> store_;
  std::vector<Revision> revisions_;
  int fill_up_to_ = 0;
  Error refusal_{Code::kInternal, ""};
};

TEST_F(FullDisk, RefusesWritesAndTakesDeletions) {
  write_until_full();
  ASSERT_GT(fill_up_to_, 60);
  fill();
  EXPECT_EQ(refusal_.code(), Code::kIo);
  const auto more = put("/more", bytes(std::string(50'000, 'v')));
  ASSERT_FALSE(more);
  EXPECT_THAT(more.error().message(),
              AllOf(HasSubstr("only deletions are accepted"), Not(HasSubstr(place_))));
  EXPECT_THAT(refusal_.message(), Not(HasSubstr(place_)));
  EXPECT_FALSE(store_->health());
  for (int i = 0; i < 40; ++i) ASSERT_TRUE(remove(i));
}

TEST_F(FullDisk, DoesNotStopARestart) {
  write_until_full();
  fill();
  for (int i = 0; i < 3; ++i) {
    store_.reset();
    fill();
    open();
    if (HasFatalFailure()) return;
    ASSERT_TRUE(remove(i));
  }
  const auto page = async::run_blocking(loops_.at(0), store_->range({.prefix = "/"}));
  ASSERT_TRUE(page);
  EXPECT_EQ(page->entries.size(), static_cast<std::size_t>(fill_up_to_ - 3));
}

TEST_F(FullDisk, IsForgottenWhenThereIsRoomAgain) {
  write_until_full();
  fill();
  ASSERT_FALSE(put("/more", bytes("v")));
  std::filesystem::remove(place_ + "/junk");
  for (int i = 0; i < 40; ++i) ASSERT_TRUE(remove(i));
  ASSERT_TRUE(async::run_blocking(loops_.at(0), store_->compact(store_->revision())));
  const auto written = put("/more", bytes("v"));
  EXPECT_TRUE(written) << written.error().to_string();
  store_.reset();
  EXPECT_TRUE(check(place_ + "/strake.db"));
}

// What was deleted and compacted leaves room inside the file, which others cannot take.
TEST_F(FullDisk, LeavesRoomInsideTheFileToWriteTo) {
  write_until_full();
  fill();
  for (int i = 0; i < 40; ++i) ASSERT_TRUE(remove(i));
  ASSERT_TRUE(async::run_blocking(loops_.at(0), store_->compact(store_->revision())));
  fill();
  const auto written = put("/more", bytes("v"));
  EXPECT_TRUE(written) << written.error().to_string();
}

}  // namespace
}  // namespace strake::store::sqlite
