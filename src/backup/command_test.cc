#include "backup/command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "backup/test_folder.h"

namespace strake::backup {
namespace {

using std::chrono::seconds;

class BackupCommand : public testing::Test {
 protected:
  Result<> run_shell(const std::string& script, seconds timeout = seconds(60),
                     const CancelToken& cancel = {}) const {
    return run(
        {.arguments = {"/bin/sh", "-c", script, folder_.path(), "{name}"}, .timeout = timeout},
        {.file = input_, .name = "strake-1.db", .environment = {"STRAKE_BACKUP_BYTES=7"}}, cancel);
  }

  TestFolder folder_;
  const std::string input_ = folder_.write("input", "content");
};

TEST_F(BackupCommand, ReadsTheBackupFromItsInput) {
  const Result<> outcome = run_shell(
      "cat > \"$0/got\"; echo \"$1 $STRAKE_BACKUP_NAME $STRAKE_BACKUP_BYTES\" > "
      "\"$0/said\"; echo this goes nowhere");
  ASSERT_TRUE(outcome) << outcome.error().message();
  EXPECT_EQ(folder_.read("got"), "content");
  EXPECT_EQ(folder_.read("said"), "strake-1.db strake-1.db 7\n");
}

TEST_F(BackupCommand, IsRunWithoutAShell) {
  const std::string out = folder_ / "$(touch x)";
  ASSERT_TRUE(run({.arguments = {"cp", "/dev/stdin", out}}, {.file = input_, .name = "n"}, {}));
  EXPECT_EQ(folder_.read("$(touch x)"), "content");
}

TEST_F(BackupCommand, MustSucceed) {
  EXPECT_EQ(run_shell("exit 3").error().message(), "/bin/sh ended with exit code 3");
  EXPECT_EQ(run_shell("kill -9 $$").error().message(), "/bin/sh was ended by signal 9");
  const Result<> none =
      run({.arguments = {"no-such-program", "--password=x"}}, {.file = input_, .name = "n"}, {});
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code(), Code::kNotFound);
  EXPECT_EQ(none.error().message(), "cannot run no-such-program: No such file or directory");
}

// The one that waits leaves a word about the one that it has started.
constexpr const char* kTwo =
    "(trap '' TERM; sleep 600) & echo $! > \"$0/inner\"; : > \"$0/begun\"; wait";

TEST_F(BackupCommand, EndsWithAllThatItStartedWhenItTakesTooLong) {
  const Result<> outcome = run_shell(kTwo, seconds(1));
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code(), Code::kTimeout);
  EXPECT_EQ(outcome.error().message(), "/bin/sh took longer than 1s");
  EXPECT_TRUE(folder_.is_gone(std::stoi(folder_.read("inner"))));
}

TEST_F(BackupCommand, EndsWhenItIsStopped) {
  CancelSource stop;
  std::thread stopper([&] {
    while (!std::filesystem::exists(folder_ / "begun")) std::this_thread::yield();
    stop.cancel();
  });
  const Result<> outcome = run_shell(kTwo, seconds(600), stop.token());
  stopper.join();
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code(), Code::kCancelled);
  EXPECT_TRUE(folder_.is_gone(std::stoi(folder_.read("inner"))));
  EXPECT_EQ(run_shell("exit 0", seconds(600), stop.token()).error().code(), Code::kCancelled);
}

TEST_F(BackupCommand, DoesNotInheritBlockedSignalsOrTheSocketOfSystemd) {
  sigset_t blocked;
  sigset_t before;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &blocked, &before);
  ::setenv("NOTIFY_SOCKET", "/run/x", 1);
  const Result<> outcome = run_shell("[ -z \"$NOTIFY_SOCKET\" ] || exit 7; kill -TERM $$; exit 8");
  ::unsetenv("NOTIFY_SOCKET");
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  EXPECT_EQ(outcome.error().message(), "/bin/sh was ended by signal 15");
}

}  // namespace
}  // namespace strake::backup
