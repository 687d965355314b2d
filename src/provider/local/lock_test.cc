#include "provider/local/lock.h"

#include <sys/wait.h>

#include <atomic>
#include <csignal>
#include <thread>

#include "provider/local/test_site.h"

namespace strake::provider::local {
namespace {

class NamedLocks : public ::testing::Test {
 protected:
  Outcome<NamedLock> take(const Call& call = {}) {
    return NamedLock::take(direct_calls(), call, site_.path("locks"), "one");
  }
  bool is_there() const { return std::filesystem::exists(site_.path("locks/one")); }

 private:
  TestSite site_;
};

TEST_F(NamedLocks, LeaveNothingBehind) {
  {
    const auto lock = take();
    ASSERT_TRUE(lock);
    EXPECT_TRUE(is_there());
  }
  EXPECT_FALSE(is_there());
}

TEST_F(NamedLocks, HaveOneHolderAtATime) {
  std::atomic<int> inside = 0;
  std::atomic<int> most = 0;
  std::atomic<int> done = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int n = 0; n < 50; ++n) {
        const auto lock = take();
        if (!lock) return;
        most = std::max(most.load(), ++inside);
        std::this_thread::yield();
        --inside;
        ++done;
      }
    });
  }
  for (std::thread& one : threads) one.join();
  EXPECT_EQ(most, 1);
  EXPECT_EQ(done, 200);
  EXPECT_FALSE(is_there());
}

TEST_F(NamedLocks, AreWaitedForUntilTheCallEnds) {
  const auto held = take();
  ASSERT_TRUE(held);
  CancelSource source;
  std::thread canceller([&] { source.cancel(); });
  EXPECT_EQ(take({.cancel = source.token()}).error().error_class(), FailureClass::kCanceled);
  canceller.join();
  EXPECT_EQ(take(Call{}.within(std::chrono::milliseconds(1))).error().error_class(),
            FailureClass::kTimeout);
}

TEST_F(NamedLocks, GoWithAHolderThatIsKilled) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const auto lock = take();
    [[maybe_unused]] const auto told = ::write(ends[1], "x", 1);
    ::pause();
    ::_exit(0);
  }
  char told = 0;
  ASSERT_EQ(::read(ends[0], &told, 1), 1);
  std::thread killer([&] { ::kill(child, SIGKILL); });
  EXPECT_TRUE(take());
  killer.join();
  ::waitpid(child, nullptr, 0);
  ::close(ends[0]);
  ::close(ends[1]);
}

}  // namespace
}  // namespace strake::provider::local
