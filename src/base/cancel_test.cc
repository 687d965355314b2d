#include "base/cancel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "base/cancel_scope.h"

namespace strake {
namespace {

using namespace std::chrono_literals;

TEST(CancelToken, IsNeverCancelledWithoutASource) {
  int called = 0;
  const CancelToken token;
  const CancelRegistration kept = token.on_cancel([&] { ++called; });
  EXPECT_FALSE(token.cancelled());
  EXPECT_EQ(called, 0);
}

TEST(CancelSource, ReachesEveryCopyOfItsToken) {
  CancelSource source;
  const CancelToken token = source.token(), copy = token;
  EXPECT_FALSE(copy.cancelled());
  EXPECT_TRUE(source.cancel());
  EXPECT_FALSE(source.cancel());
  EXPECT_TRUE(token.cancelled());
  EXPECT_TRUE(copy.cancelled());
  EXPECT_TRUE(source.token().cancelled());
}

TEST(CancelSource, LeavesItsTokensUncancelledWhenItGoes) {
  CancelToken token;
  {
    CancelSource source;
    token = source.token();
  }
  EXPECT_FALSE(token.cancelled());
}

TEST(CancelSource, PassesOnToChildrenOnly) {
  CancelSource parent;
  CancelSource child(parent.token());
  CancelSource grandchild(child.token());
  CancelSource sibling(parent.token());
  child.cancel();
  EXPECT_TRUE(grandchild.cancelled());
  EXPECT_FALSE(parent.cancelled());
  EXPECT_FALSE(sibling.cancelled());
  parent.cancel();
  EXPECT_TRUE(sibling.cancelled());
  CancelSource late(parent.token());
  EXPECT_TRUE(late.cancelled());
}

TEST(CancelSource, StaysLinkedWhenMoved) {
  CancelSource parent;
  CancelSource child(parent.token());
  const CancelToken token = child.token();
  CancelSource moved = std::move(child);
  parent.cancel();
  EXPECT_TRUE(moved.cancelled());
  EXPECT_TRUE(token.cancelled());
}

TEST(CancelToken, CallsBackOnceAtOnceOrNeverAfterLettingGo) {
  CancelSource source;
  int first = 0, gone = 0, late = 0;
  const CancelRegistration kept = source.token().on_cancel([&] { ++first; });
  {
    const CancelRegistration dropped = source.token().on_cancel([&] { ++gone; });
  }
  source.cancel();
  source.cancel();
  const CancelRegistration after = source.token().on_cancel([&] { ++late; });
  EXPECT_EQ(first, 1);
  EXPECT_EQ(gone, 0);
  EXPECT_EQ(late, 1);
}

TEST(CancelToken, IsHeardByOtherThreads) {
  CancelSource source;
  std::atomic<int> stopped = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&stopped, token = source.token()] {
      while (!token.cancelled()) std::this_thread::yield();
      ++stopped;
    });
  }
  source.cancel();
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(stopped, 4);
}

TEST(Check, TellsCancelledFromTimedOut) {
  FakeClock clock;
  CancelSource source;
  const Deadline deadline = Deadline::after(1s, clock);
  EXPECT_TRUE(check(source.token(), deadline, clock));
  clock.advance(1s);
  EXPECT_EQ(check(source.token(), deadline, clock).error().code(), Code::kTimeout);
  EXPECT_TRUE(check(source.token()));
  source.cancel();
  EXPECT_EQ(check(source.token(), deadline, clock).error().code(), Code::kCancelled);
  EXPECT_EQ(check(source.token()).error().code(), Code::kCancelled);
}

TEST(CancelScope, TellsLoopsDeepInsideThatNobodyWaits) {
  CancelSource client;
  CancelSource server;
  EXPECT_FALSE(CancelScope::is_cancelled());
  {
    const CancelScope scope(client.token(), server.token());
    EXPECT_FALSE(CancelScope::is_cancelled());
    server.cancel();
    EXPECT_TRUE(CancelScope::is_cancelled());
    std::thread([] { EXPECT_FALSE(CancelScope::is_cancelled()) << "on another thread"; }).join();
    {
      const CancelScope inner{CancelToken()};
      EXPECT_TRUE(CancelScope::is_cancelled()) << "what is inside is done for the same client";
    }
  }
  EXPECT_FALSE(CancelScope::is_cancelled());
}

}  // namespace
}  // namespace strake
