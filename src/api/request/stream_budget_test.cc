#include "api/request/stream_budget.h"

#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <list>
#include <memory>

namespace strake::api {
namespace {

// Streams of one loop that runs when it is told to.
class StreamBudgets : public ::testing::Test {
 protected:
  struct Watch {
    Watch(StreamBudget& budget, std::string_view user, std::string_view connection,
          const async::Executor& executor)
        : signal(executor),
          claim(budget, user, connection, StreamBudget::Claim::Kind::kWatch, executor, signal) {}
    async::Signal signal;
    StreamBudget::Claim claim;
  };

  Watch& watch(std::string_view user, std::string_view connection) {
    return watches_.emplace_back(budget_, user, connection, loop_.get_executor());
  }

  // Whether the watch was notified since this was asked last.
  bool was_notified(Watch& of) {
    loop_.restart();
    loop_.poll();
    bool woken = false;
    boost::asio::co_spawn(
        loop_, of.signal.wait(Deadline::after(std::chrono::seconds(0))),
        [&](const std::exception_ptr&, Result<bool> value) { woken = value.value_or(false); });
    loop_.restart();
    loop_.run();
    return woken;
  }

  boost::asio::io_context loop_;
  StreamBudget budget_{{.user = 1000, .connection = 400}};
  std::list<Watch> watches_;
};

TEST_F(StreamBudgets, HaveRoomUntilAUserHoldsTooMuch) {
  Watch& first = watch("eve", "a");
  Watch& second = watch("eve", "b");
  Watch& third = watch("eve", "c");
  Watch& other = watch("adam", "d");
  first.claim.hold(350);
  second.claim.hold(350);
  EXPECT_TRUE(third.claim.has_room());
  third.claim.hold(350);
  EXPECT_FALSE(watch("eve", "e").claim.has_room());
  EXPECT_TRUE(other.claim.has_room());
  EXPECT_EQ(budget_.held_bytes(), 1050u);
}

TEST_F(StreamBudgets, HaveRoomUntilAConnectionHoldsTooMuch) {
  Watch& first = watch("eve", "a");
  first.claim.hold(400);
  EXPECT_FALSE(watch("eve", "a").claim.has_room());
  EXPECT_TRUE(watch("eve", "b").claim.has_room());
  first.claim.hold(0);
  EXPECT_TRUE(watch("eve", "a").claim.has_room());
}

TEST_F(StreamBudgets, AskTheOldestWatchThatHoldsSomethingToEnd) {
  Watch& idle = watch("eve", "a");
  Watch& oldest = watch("eve", "b");
  Watch& younger = watch("eve", "c");
  Watch& youngest = watch("eve", "d");
  for (Watch* one : {&oldest, &younger, &youngest}) one->claim.hold(390);
  Watch& newcomer = watch("eve", "e");
  for (int i = 0; i < 3; ++i) EXPECT_FALSE(newcomer.claim.has_room());
  EXPECT_TRUE(oldest.claim.is_asked_to_end());
  EXPECT_FALSE(oldest.claim.is_overdue());
  for (const Watch* one : {&idle, &younger, &youngest, &newcomer})
    EXPECT_FALSE(one->claim.is_asked_to_end()) << "more were asked than must go";
  youngest.claim.hold(390 + 400);
  EXPECT_FALSE(newcomer.claim.has_room());
  EXPECT_TRUE(younger.claim.is_asked_to_end());
}

TEST_F(StreamBudgets, WakeTheWatchThatIsAsked) {
  Watch& first = watch("eve", "a");
  first.claim.hold(5000);
  EXPECT_FALSE(watch("eve", "b").claim.has_room());
  loop_.run();
  bool woken = false;
  boost::asio::co_spawn(
      loop_, first.signal.wait(Deadline::never()),
      [&](const std::exception_ptr&, Result<bool> value) { woken = value.value_or(false); });
  loop_.restart();
  loop_.run_one();
  loop_.poll();
  EXPECT_TRUE(woken);
}

TEST_F(StreamBudgets, TellWhoFoundNoRoomWhenThereIsSome) {
  Watch& first = watch("eve", "a");
  Watch& second = watch("eve", "b");
  Watch& waits = watch("eve", "c");
  Watch& idle = watch("eve", "d");
  first.claim.hold(600);
  second.claim.hold(600);
  EXPECT_FALSE(waits.claim.has_room());
  first.claim.hold(500);  // 1,100 of 1,000
  EXPECT_FALSE(was_notified(waits));
  second.claim.hold(400);  // 900
  EXPECT_TRUE(was_notified(waits));
  EXPECT_FALSE(was_notified(idle)) << "it did not ask";
  EXPECT_TRUE(waits.claim.has_room());
  second.claim.hold(0);
  EXPECT_FALSE(was_notified(waits)) << "it has room already";
}

TEST_F(StreamBudgets, TellOfRoomThatAStreamLeavesAtItsEnd) {
  Watch& waits = watch("eve", "a");
  {
    Watch full(budget_, "eve", "a", loop_.get_executor());
    full.claim.hold(400);  // the connection's, not the user's
    EXPECT_FALSE(waits.claim.has_room());
  }
  EXPECT_TRUE(was_notified(waits));
}

TEST_F(StreamBudgets, AskTheNextWhenTheEndOfOneLeavesNoRoom) {
  auto oldest = std::make_unique<Watch>(budget_, "eve", "a", loop_.get_executor());
  Watch& younger = watch("eve", "b");
  Watch& waits = watch("eve", "c");
  oldest->claim.hold(700);
  younger.claim.hold(350);
  EXPECT_FALSE(waits.claim.has_room());
  EXPECT_TRUE(oldest->claim.is_asked_to_end());
  EXPECT_FALSE(younger.claim.is_asked_to_end());
  younger.claim.hold(1100);  // a part that it had begun before
  oldest.reset();
  EXPECT_TRUE(younger.claim.is_asked_to_end());
  EXPECT_FALSE(was_notified(waits)) << "there is no room yet";
}

TEST_F(StreamBudgets, TellNobodyWhoEndedWhileHeWaited) {
  Watch& full = watch("eve", "a");
  full.claim.hold(5000);
  {
    Watch gone(budget_, "eve", "b", loop_.get_executor());
    EXPECT_FALSE(gone.claim.has_room());
  }
  full.claim.hold(0);
  loop_.run();
}

TEST_F(StreamBudgets, AreAskedAboutStreamsThatEndedMeanwhile) {
  watch("eve", "a").claim.hold(5000);
  EXPECT_FALSE(watch("eve", "b").claim.has_room());
  watches_.clear();
  loop_.run();  // tells nobody
  EXPECT_EQ(budget_.held_bytes(), 0u);
  EXPECT_TRUE(watch("eve", "c").claim.has_room());
}

TEST_F(StreamBudgets, AskAllWatchesOfAUserToEndWhateverTheyHold) {
  Watch& first = watch("eve", "a");
  Watch& second = watch("eve", "b");
  Watch& other = watch("adam", "c");
  first.claim.hold(10);
  budget_.end_watches_of("eve");
  budget_.end_watches_of("nobody");
  EXPECT_TRUE(first.claim.is_asked_to_end());
  EXPECT_TRUE(second.claim.is_asked_to_end());
  EXPECT_FALSE(other.claim.is_asked_to_end());
}

TEST_F(StreamBudgets, DoNotAskListsToEnd) {
  async::Signal signal(loop_.get_executor());
  StreamBudget::Claim list(budget_, "eve", "a", StreamBudget::Claim::Kind::kList,
                           loop_.get_executor(), signal);
  list.hold(5000);
  EXPECT_FALSE(watch("eve", "b").claim.has_room());
  EXPECT_FALSE(list.is_asked_to_end());
}

}  // namespace
}  // namespace strake::api
