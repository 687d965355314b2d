#include <gtest/gtest.h>

#include <atomic>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <thread>

#include "async/gate.h"
#include "async/loops.h"
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

Task<int> on_workers(Workers& workers) {
  co_return co_await workers.run([]() -> Result<int> { return 42; });
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

}  // namespace
}  // namespace strake::async
