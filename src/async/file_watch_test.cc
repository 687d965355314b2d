#include "async/file_watch.h"

#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <cstdio>
#include <filesystem>
#include <future>

#include "async/loops.h"
#include "async/run.h"

namespace strake::async {
namespace {

constexpr std::chrono::milliseconds kQuiet{1};

class WatchedFile : public ::testing::Test {
 protected:
  WatchedFile() {
    std::filesystem::create_directories(folder_);
    write(path_);
    watch_ = FileWatch::open(loops_.at(0), {path_}).value();
  }
  ~WatchedFile() override {
    run_blocking(loops_.at(0), end()).value();
    loops_.stop();
    std::filesystem::remove_all(folder_);
  }
  static void write(const std::string& path) {
    FILE* out = std::fopen(path.c_str(), "w");
    std::fputs("a", out);
    std::fclose(out);
  }
  Result<> wait() { return run_blocking(loops_.at(0), watch_->wait(kQuiet)); }
  Task<> end() {
    watch_.reset();
    co_return Result<>();
  }

  const std::string folder_ = ::testing::TempDir() + "/watched";
  const std::string path_ = folder_ + "/file";
  Loops loops_{1};
  std::unique_ptr<FileWatch> watch_;
};

TEST_F(WatchedFile, IsSeenWhenItIsWritten) {
  write(path_);
  EXPECT_TRUE(wait());
}

TEST_F(WatchedFile, IsSeenWhenALinkOnTheWayToItChanges) {
  write(folder_ + "/other");
  std::filesystem::rename(folder_ + "/other", path_);
  EXPECT_TRUE(wait());
  write(folder_ + "/..data");
  EXPECT_TRUE(wait());
}

TEST_F(WatchedFile, IsWaitedForUntilTheWatchIsClosed) {
  std::promise<Result<>> ended;
  boost::asio::co_spawn(
      loops_.at(0),
      [&]() -> boost::asio::awaitable<void> { ended.set_value(co_await watch_->wait(kQuiet)); },
      boost::asio::detached);
  boost::asio::post(loops_.at(0), [&] { watch_->close(); });
  const Result<> outcome = ended.get_future().get();
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code(), Code::kCancelled);
  EXPECT_FALSE(wait()) << "it stays closed";
}

TEST(FileWatchOfCoroutines, SaysWhatItCannotWatch) {
  Loops loops(1);
  EXPECT_FALSE(FileWatch::open(loops.at(0), {"/no/such/folder/file"}));
  loops.stop();
}

}  // namespace
}  // namespace strake::async
