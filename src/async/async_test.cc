#include <gtest/gtest.h>

#include <atomic>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <future>
#include <numeric>
#include <thread>

#include "async/concurrently.h"
#include "async/gate.h"
#include "async/loops.h"
#include "async/one_shot.h"
#include "async/progress.h"
#include "async/run.h"
#include "async/signal.h"
#include "async/workers.h"

namespace strake::async {
namespace {

Task<int> wait_for(OneShot<int> shot) { co_return co_await shot.wait(); }

TEST(OneShot, HandsOverWhatWasSetBeforeTheWait) {
  Loops loops(1);
  OneShot<int> shot;
  shot.set(7);
  EXPECT_EQ(run_blocking(loops.at(0), wait_for(shot)).value(), 7);
}

TEST(OneShot, WakesTheWaitingCoroutineFromAnotherThread) {
  Loops loops(1);
  OneShot<int> shot;
  std::thread setter([shot]() mutable { shot.set(8); });
  EXPECT_EQ(run_blocking(loops.at(0), wait_for(shot)).value(), 8);
  setter.join();
}

TEST(OneShot, CarriesErrorsToo) {
  Loops loops(1);
  OneShot<int> shot;
  shot.set(fail(Code::kIo, "disk is full"));
  EXPECT_EQ(run_blocking(loops.at(0), wait_for(shot)).error().code(), Code::kIo);
}

Task<bool> notify_then_wait(Executor executor) {
  Signal signal(executor);
  signal.notify();
  signal.notify();
  const bool first = (co_await signal.wait(Deadline::never())).value();
  const bool second = (co_await signal.wait(Deadline::after(std::chrono::milliseconds(1)))).value();
  co_return first && !second;
}

TEST(Signal, KeepsOneNotificationUntilSomebodyWaits) {
  Loops loops(1);
  EXPECT_TRUE(run_blocking(loops.at(0), notify_then_wait(loops.at(0))).value());
}

Task<> wait_forever(Executor executor, OneShot<> ended) {
  Signal signal(executor);
  const Result<bool> outcome = co_await signal.wait(Deadline::never());
  ended.set(outcome ? Result<>() : std::unexpected(outcome.error()));
  co_return Result<>();
}

Task<> wait_for_void(OneShot<> shot) { co_return co_await shot.wait(); }

TEST(Signal, EndsItsWaitWhenTheCoroutineIsCancelled) {
  Loops loops(2);
  boost::asio::cancellation_signal cancel;
  OneShot<> ended;
  boost::asio::co_spawn(loops.at(0), wait_forever(loops.at(0), ended),
                        boost::asio::bind_cancellation_slot(cancel.slot(), boost::asio::detached));
  boost::asio::post(loops.at(0), [&] { cancel.emit(boost::asio::cancellation_type::terminal); });
  const Result<> outcome = run_blocking(loops.at(1), wait_for_void(ended));
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code(), Code::kCancelled);
}

// Waits on the loop, does something there once the wait has begun, and returns what the wait gave.
template <typename Then>
Result<bool> wait_while(Loops& loops, Progress& progress, std::int64_t number, Then then,
                        Deadline deadline = Deadline::never(), CancelToken cancel = {}) {
  OneShot<bool> done;
  boost::asio::co_spawn(
      loops.at(0),
      [](Progress& of, std::int64_t target, Deadline until, CancelToken token,
         OneShot<bool> out) -> boost::asio::awaitable<void> {
        out.set(co_await of.wait_for(target, until, token));
      }(progress, number, deadline, cancel, done),
      boost::asio::detached);
  boost::asio::post(loops.at(0), std::move(then));
  return run_blocking(
      loops.at(1), [](OneShot<bool> shot) -> Task<bool> { co_return co_await shot.wait(); }(done));
}

TEST(Progress, WakesThoseWhoseNumberIsReached) {
  Loops loops(2);
  Progress progress;
  EXPECT_TRUE(wait_while(loops, progress, 3, [&] { progress.reach(4); }).value());
  EXPECT_EQ(progress.reached(), 4);
  EXPECT_TRUE(wait_while(loops, progress, 4, [] {}).value()) << "what is reached is not waited for";
}

TEST(Progress, LetsOthersWaitOn) {
  Loops loops(2);
  Progress progress;
  const auto almost = [&] {
    progress.reach(2);
    boost::asio::post(loops.at(0), [&] { progress.reach(3); });
  };
  EXPECT_TRUE(wait_while(loops, progress, 3, almost).value());
  EXPECT_EQ(progress.reached(), 3);
}

TEST(Progress, NeverGoesBack) {
  Progress progress;
  progress.reach(5);
  progress.reach(2);
  EXPECT_EQ(progress.reached(), 5);
}

TEST(Progress, TellsThatANumberWillNotBeReached) {
  Loops loops(2);
  Progress progress;
  EXPECT_FALSE(wait_while(loops, progress, 3, [&] { progress.end(); }).value());
  EXPECT_FALSE(wait_while(loops, progress, 3, [] {}).value()) << "nor does anyone wait later";
}

TEST(Progress, IsWaitedForNoLongerThanTheDeadline) {
  Loops loops(2);
  Progress progress;
  const Deadline soon = Deadline::after(std::chrono::milliseconds(1));
  EXPECT_FALSE(wait_while(loops, progress, 3, [] {}, soon).value());
}

TEST(Progress, IsWaitedForUntilTheTokenIsCancelled) {
  Loops loops(2);
  Progress progress;
  CancelSource source;
  const Result<bool> outcome =
      wait_while(loops, progress, 3, [&] { source.cancel(); }, Deadline::never(), source.token());
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code(), Code::kCancelled);
}

Task<> close_gate(Gate& gate) { co_return co_await gate.close(); }

TEST(Gate, LetsNobodyInOnceClosed) {
  Loops loops(1);
  Gate gate;
  EXPECT_TRUE(gate.enter());
  EXPECT_TRUE(run_blocking(loops.at(0), close_gate(gate)));
  EXPECT_FALSE(gate.enter());
}

TEST(Gate, WaitsForThoseWhoAreInside) {
  Loops loops(1);
  Gate gate;
  std::atomic<bool> left = false;
  Gate::Pass pass = gate.enter();
  std::thread inside([&left, pass = std::move(pass)]() mutable {
    std::this_thread::yield();
    left = true;
    pass = {};
    const Gate::Pass gone = std::move(pass);
  });
  EXPECT_TRUE(run_blocking(loops.at(0), close_gate(gate)));
  EXPECT_TRUE(left);
  inside.join();
}

Task<> wait_for_turn(Loops& loops, OneShot<int> mine, std::vector<int>& seen, OneShot<> done) {
  STRAKE_CO_TRY(const int number, co_await mine.wait());
  seen.push_back(number * 10 + static_cast<int>(loops.current()));
  if (seen.size() == 3) done.set({});
  co_return Result<>();
}

TEST(Resumptions, GoOnTogetherInOrderOnTheirOwnLoops) {
  Loops loops(2);
  std::vector<int> seen[2];
  OneShot<> done[2];
  std::vector<OneShot<int>> waits(6);
  std::vector<std::future<void>> waiting;
  for (std::size_t i = 0; i < waits.size(); ++i) {
    const std::size_t loop = i % 2;
    boost::asio::co_spawn(loops.at(loop), wait_for_turn(loops, waits[i], seen[loop], done[loop]),
                          boost::asio::detached);
    // They wait when the loop has come so far.
    auto there = std::make_shared<std::promise<void>>();
    waiting.push_back(there->get_future());
    boost::asio::post(loops.at(loop), [there] { there->set_value(); });
  }
  for (std::future<void>& one : waiting) one.wait();
  {
    Resumptions together;
    for (std::size_t i = 0; i < waits.size(); ++i) waits[i].set(static_cast<int>(i), together);
    for (std::size_t loop = 0; loop < 2; ++loop) {
      std::promise<std::size_t> count;
      boost::asio::post(loops.at(loop), [&] { count.set_value(seen[loop].size()); });
      EXPECT_EQ(count.get_future().get(), 0U) << "nobody goes on before they are posted";
    }
  }
  for (std::size_t loop = 0; loop < 2; ++loop)
    ASSERT_TRUE(run_blocking(loops.at(loop), [](OneShot<> one) -> Task<> {
      co_return co_await one.wait();
    }(done[loop])));
  EXPECT_EQ(seen[0], (std::vector<int>{0, 20, 40}));
  EXPECT_EQ(seen[1], (std::vector<int>{11, 31, 51}));
}

TEST(Resumptions, LeaveAValueToWhoeverWaitsLater) {
  Loops loops(1);
  OneShot<int> early;
  {
    Resumptions together;
    early.set(7, together);
  }
  EXPECT_EQ(run_blocking(loops.at(0), wait_for(early)).value(), 7);
}

TEST(Signal, SleepsUntilTheTokenIsCancelled) {
  Loops loops(1);
  CancelSource source;
  std::thread canceller([&] { source.cancel(); });
  const Result<> slept = run_blocking(loops.at(0), sleep_until(Deadline::never(), source.token()));
  canceller.join();
  ASSERT_FALSE(slept);
  EXPECT_EQ(slept.error().code(), Code::kCancelled);
  EXPECT_TRUE(run_blocking(loops.at(0), sleep_until(Deadline::after(std::chrono::seconds(0)), {})));
}

Task<int> on_workers(Workers& workers) {
  co_return co_await workers.run([]() -> Result<int> { return 42; });
}

Task<int> throwing(Workers& workers) {
  try {
    co_return co_await workers.run([]() -> Result<int> { throw std::bad_alloc(); });
  } catch (const std::bad_alloc&) {
    co_return 7;
  }
}

TEST(Workers, ThrowWhatWasThrownToWhoeverWaits) {
  Loops loops(1);
  Workers workers(1);
  EXPECT_EQ(run_blocking(loops.at(0), throwing(workers)), 7);
}

TEST(Workers, GiveTheResultBackToTheLoop) {
  Loops loops(1);
  Workers workers(2);
  EXPECT_EQ(run_blocking(loops.at(0), on_workers(workers)).value(), 42);
}

TEST(Loops, KnowWhichOfThemIsCalling) {
  Loops loops(2);
  EXPECT_EQ(loops.current(), loops.size());
  std::promise<std::size_t> seen;
  boost::asio::post(loops.at(1), [&] { seen.set_value(loops.current()); });
  EXPECT_EQ(seen.get_future().get(), 1u);
}

struct Turns {
  std::size_t under_way = 0;
  std::size_t most = 0;
  std::vector<std::size_t> begun;
};

boost::asio::awaitable<void> take_turn(Turns& turns, std::size_t i) {
  turns.begun.push_back(i);
  turns.most = std::max(turns.most, ++turns.under_way);
  co_await boost::asio::post(boost::asio::use_awaitable);
  co_await boost::asio::post(boost::asio::use_awaitable);
  --turns.under_way;
}

Task<> take_all_turns(Turns& turns, std::size_t count, std::size_t width) {
  co_await for_each_concurrently(count, width,
                                 [&turns](std::size_t i) { return take_turn(turns, i); });
  co_return Result<>();
}

TEST(ForEachAtOnce, BeginsInOrderAndHoldsToItsWidth) {
  Loops loops(1);
  for (const std::size_t width : {1U, 3U, 100U}) {
    Turns turns;
    ASSERT_TRUE(run_blocking(loops.next(), take_all_turns(turns, 10, width)));
    std::vector<std::size_t> all(10);
    std::iota(all.begin(), all.end(), 0);
    EXPECT_EQ(turns.begun, all);
    EXPECT_EQ(turns.most, std::min<std::size_t>(width, 10));
    EXPECT_EQ(turns.under_way, 0U);
  }
  Turns none;
  ASSERT_TRUE(run_blocking(loops.next(), take_all_turns(none, 0, 4)));
  EXPECT_TRUE(none.begun.empty());
}

struct Others {
  std::size_t done = 0;
  std::size_t done_at_their_turn = 0;
};

// The first item wakes somebody else; none of them waits.
boost::asio::awaitable<void> count_item(Others& others) {
  if (++others.done > 1) co_return;
  boost::asio::post(co_await boost::asio::this_coro::executor,
                    [&others] { others.done_at_their_turn = others.done; });
}

Task<std::size_t> done_at_the_turn_of_others(std::size_t count, std::size_t width) {
  Others others;
  co_await for_each_concurrently(count, width, [&](std::size_t) { return count_item(others); });
  EXPECT_EQ(others.done, count);
  co_return others.done_at_their_turn;
}

TEST(ForEachAtOnce, LetsOthersHaveTheirTurnAlthoughNothingWaits) {
  Loops loops(1);
  EXPECT_LE(run_blocking(loops.next(), done_at_the_turn_of_others(1'000, 4)).value(), 8U);
}

}  // namespace
}  // namespace strake::async
