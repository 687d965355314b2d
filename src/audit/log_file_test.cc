#include "audit/log_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <future>

#include "base/log.h"
#include "support/metrics.h"

namespace strake::audit {
namespace {

namespace fs = std::filesystem;
using strake::testing::metric;
using ::testing::ElementsAre;

class AuditLogFile : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "strake-audit-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::unique_ptr<LogFile> open(LogFile::Options options = {}) {
    options.path = path();
    options.clock = &clock_;
    auto out = LogFile::open(std::move(options));
    EXPECT_TRUE(out) << out.error().to_string();
    return *std::move(out);
  }
  std::string path() const { return folder_ / "audit.log"; }
  static std::string content(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  std::vector<std::string> files() const {
    std::vector<std::string> out;
    for (const auto& entry : fs::directory_iterator(folder_))
      out.push_back(entry.path().filename().string());
    std::ranges::sort(out);
    return out;
  }

  fs::path folder_;
  FakeClock clock_;
};

TEST_F(AuditLogFile, AppendsLinesForItsOwnerOnly) {
  {
    open()->write("one\n", {});
  }
  auto log = open();
  log->write("two\n", {});
  log->flush();
  EXPECT_EQ(content(path()), "one\ntwo\n");
  struct stat found = {};
  ASSERT_EQ(::stat(path().c_str(), &found), 0);
  EXPECT_EQ(found.st_mode & 0777, 0600u);
}

TEST_F(AuditLogFile, BeginsANewFileWhenOneIsLargeEnough) {
  auto log = open({.most_bytes = 10});
  for (const char* line : {"aaaa\n", "bbbb\n", "cccc\n"}) {
    log->write(line, {});
    log->flush();
  }
  EXPECT_EQ(content(path()), "cccc\n");
  EXPECT_THAT(files(), ElementsAre("audit-2024-01-01T00-00-00.000.log", "audit.log"));
  EXPECT_EQ(content(folder_ / "audit-2024-01-01T00-00-00.000.log"), "aaaa\nbbbb\n");
}

TEST_F(AuditLogFile, SplitsWhatCameTogetherAtTheEndOfALine) {
  auto log = open({.most_bytes = 12});
  log->write("aaaa\nbbbb\ncccccccccccccccccccc\ndddd\n", {});
  log->flush();
  EXPECT_EQ(content(path()), "dddd\n");
}

TEST_F(AuditLogFile, KeepsAsManyOldFilesAsItIsTold) {
  std::ofstream(folder_ / "audit-mine.log") << "not ours to remove";
  auto log = open({.most_bytes = 5, .most_backups = 2});
  for (int i = 0; i < 6; ++i) {
    log->write(fmt::format("{}{}{}{}\n", i, i, i, i), {});
    log->flush();
    clock_.advance(std::chrono::seconds(1));
  }
  EXPECT_THAT(files(),
              ElementsAre("audit-2024-01-01T00-00-04.000.log", "audit-2024-01-01T00-00-05.000.log",
                          "audit-mine.log", "audit.log"));
}

TEST_F(AuditLogFile, RemovesOldFilesThatAreTooOld) {
  auto log = open({.most_bytes = 5, .oldest = std::chrono::hours(24)});
  for (int day = 0; day < 4; ++day) {
    log->write("aaaa\n", {});
    log->flush();
    clock_.advance(std::chrono::hours(23));
  }
  EXPECT_EQ(files().size(), 3u);
}

TEST_F(AuditLogFile, GoesOnInANewFileWhenItIsOpenedAgain) {
  auto log = open();
  log->write("one\n", {});
  log->flush();
  fs::rename(path(), folder_ / "moved");
  ASSERT_TRUE(log->reopen());
  log->write("two\n", {});
  log->flush();
  EXPECT_EQ(content(path()), "two\n");
  EXPECT_EQ(content(folder_ / "moved"), "one\n");
}

TEST_F(AuditLogFile, LosesNothingWhenManyWriteAtOnce) {
  {
    auto log = open();
    std::vector<std::thread> writers;
    for (int i = 0; i < 4; ++i) {
      writers.emplace_back([&log] {
        for (int line = 0; line < 1000; ++line) log->write("0123456789\n", {});
      });
    }
    for (std::thread& one : writers) one.join();
  }
  EXPECT_EQ(content(path()).size(), 4 * 1000 * 11u);
}

TEST_F(AuditLogFile, LosesWhatTheDiskIsTooSlowForAndSaysSo) {
  const std::string counted = R"(apiserver_audit_error_total{plugin="log"})";
  const double before = metric(counted);
  auto log = open({.most_waiting = 1});
  std::atomic<std::uint64_t> refused = 0;
  for (int line = 0; line < 10'000; ++line)
    log->write("0123456789\n", [&](bool stored) { refused += stored ? 0 : 1; });
  log->flush();
  EXPECT_EQ(content(path()).size() / 11 + log->lost(), 10'000u);
  EXPECT_GT(log->lost(), 0u);
  EXPECT_EQ(refused, log->lost());
  EXPECT_EQ(metric(counted) - before, static_cast<double>(log->lost()));
}

TEST_F(AuditLogFile, TellsWhoWaitsThatALineIsInTheFile) {
  auto log = open();
  std::promise<std::string> told;
  log->write("one\n", [&](bool stored) { told.set_value(stored ? content(path()) : "lost"); });
  EXPECT_EQ(told.get_future().get(), "one\n");
}

TEST_F(AuditLogFile, TellsWhoWaitsThatALineCouldNotBeWritten) {
  auto log = LogFile::open({.path = "/dev/full"});
  ASSERT_TRUE(log) << log.error().to_string();
  std::promise<bool> told;
  (*log)->write("one\n", [&](bool stored) { told.set_value(stored); });
  EXPECT_FALSE(told.get_future().get());
}

TEST_F(AuditLogFile, LosesALineThatIsTooLargeAndLetsItsRequestPass) {
  auto log = open({.truncate = {.enabled = true, .most_event_bytes = 10}});
  bool passes = false;
  log->write("0123456789abc\n", [&](bool fine) { passes = fine; });
  EXPECT_TRUE(passes);
  EXPECT_EQ(log->lost(), 1u);
  log->flush();
  EXPECT_EQ(content(path()), "");
}

TEST_F(AuditLogFile, FollowsNoLink) {
  fs::create_symlink(folder_ / "elsewhere", path());
  EXPECT_FALSE(LogFile::open({.path = path()}));
}

}  // namespace
}  // namespace strake::audit
