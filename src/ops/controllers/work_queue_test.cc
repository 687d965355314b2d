#include "ops/controllers/work_queue.h"

#include <gtest/gtest.h>

#include <atomic>
#include <random>
#include <thread>
#include <vector>

namespace strake::ops {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

ObjectKey disk(std::string name) {
  return {.kind = OperatedKind::kDisk, .namespace_name = "default", .name = std::move(name)};
}

struct Queued {
  FakeClock clock;
  WorkQueue queue{clock, {.first = seconds(1), .most = seconds(8), .factor = 2, .jitter = 0}};
};

TEST(WorkQueue, GivesAnObjectOnceHoweverOftenItIsTold) {
  Queued q;
  q.queue.add(disk("a"));
  q.queue.add(disk("a"));
  EXPECT_EQ(q.queue.try_take(), disk("a"));
  EXPECT_EQ(q.queue.try_take(), std::nullopt);
  q.queue.done(disk("a"), std::nullopt);
  EXPECT_EQ(q.queue.try_take(), std::nullopt);
  EXPECT_EQ(q.queue.size(), 0U);
}

TEST(WorkQueue, GivesWhatChangedMeanwhileOnceMoreAfterwards) {
  Queued q;
  q.queue.add(disk("a"));
  ASSERT_TRUE(q.queue.try_take());
  q.queue.add(disk("a"));
  q.queue.add(disk("a"));
  EXPECT_EQ(q.queue.try_take(), std::nullopt) << "one worker at a time";
  q.queue.done(disk("a"), std::nullopt);
  EXPECT_EQ(q.queue.try_take(), disk("a"));
  q.queue.done(disk("a"), std::nullopt);
  EXPECT_EQ(q.queue.try_take(), std::nullopt);
}

TEST(WorkQueue, WaitsLongerAfterEachFailure) {
  Queued q;
  q.queue.add(disk("a"));
  for (const int wait : {1, 2, 4, 8, 8}) {
    ASSERT_EQ(q.queue.try_take(), disk("a"));
    EXPECT_EQ(q.queue.failed(disk("a")), seconds(wait));
    q.clock.advance(seconds(wait) - milliseconds(1));
    EXPECT_EQ(q.queue.try_take(), std::nullopt);
    q.clock.advance(milliseconds(1));
  }
  ASSERT_EQ(q.queue.try_take(), disk("a"));
  q.queue.done(disk("a"), std::nullopt);
  q.queue.add(disk("a"));
  ASSERT_EQ(q.queue.try_take(), disk("a"));
  EXPECT_EQ(q.queue.failed(disk("a")), seconds(1)) << "a success forgets failures";
}

TEST(WorkQueue, DoesNotLetAChangeWait) {
  Queued q;
  q.queue.add(disk("a"));
  ASSERT_TRUE(q.queue.try_take());
  q.queue.failed(disk("a"));
  q.queue.add(disk("a"));
  EXPECT_EQ(q.queue.try_take(), disk("a"));
  q.queue.add(disk("a"));
  EXPECT_EQ(q.queue.failed(disk("a")), seconds(0)) << "it changed while it failed";
  EXPECT_EQ(q.queue.try_take(), disk("a"));
  q.queue.done(disk("a"), std::chrono::hours(1));
  q.queue.add(disk("a"));
  EXPECT_EQ(q.queue.try_take(), disk("a"));
}

TEST(WorkQueue, GivesItAgainAfterTheTimeThatWasAskedFor) {
  Queued q;
  q.queue.add(disk("a"));
  ASSERT_TRUE(q.queue.try_take());
  q.queue.done(disk("a"), seconds(5));
  EXPECT_EQ(q.queue.next_due(), q.clock.steady_now() + seconds(5));
  EXPECT_EQ(q.queue.try_take(), std::nullopt);
  q.clock.advance(seconds(5));
  EXPECT_EQ(q.queue.try_take(), disk("a"));
}

TEST(WorkQueue, IsLeftWhenCancelled) {
  WorkQueue queue(system_clock(), {});
  CancelSource ending;
  std::thread waiter([&] { EXPECT_EQ(queue.take(ending.token()), std::nullopt); });
  ending.cancel();
  waiter.join();
}

TEST(WorkQueue, NeverGivesAnObjectToTwoWorkersAndLosesNoChange) {
  WorkQueue queue(system_clock(), {.first = milliseconds(1), .most = milliseconds(2)});
  constexpr int kObjects = 5;
  constexpr int kChanges = 2000;
  std::array<std::atomic<int>, kObjects> inside{};
  std::array<std::atomic<int>, kObjects> wanted{};
  std::array<std::atomic<int>, kObjects> seen{};
  CancelSource ending;
  std::atomic<bool> two_at_once = false;
  std::vector<std::thread> workers;
  for (unsigned w = 0; w < 4; ++w) {
    workers.emplace_back([&, w] {
      std::mt19937 random(w);
      while (const auto key = queue.take(ending.token())) {
        const auto i = static_cast<std::size_t>(key->name[0] - '0');
        if (inside[i].fetch_add(1) != 0) two_at_once = true;
        const int now = wanted[i];
        inside[i].fetch_sub(1);
        if (random() % 3 == 0) {
          queue.failed(*key);
        } else {
          seen[i] = now;
          queue.done(*key, std::nullopt);
        }
      }
    });
  }
  std::mt19937 random(7);
  for (int c = 0; c < kChanges; ++c) {
    const std::size_t i = random() % kObjects;
    ++wanted[i];
    queue.add(disk(std::to_string(i)));
  }
  while (queue.size() > 0) std::this_thread::yield();
  ending.cancel();
  for (std::thread& one : workers) one.join();
  EXPECT_FALSE(two_at_once);
  for (std::size_t i = 0; i < kObjects; ++i) EXPECT_EQ(seen[i], wanted[i]);
}

}  // namespace
}  // namespace strake::ops
