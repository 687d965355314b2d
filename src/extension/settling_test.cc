#include "extension/settling.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <mutex>

#include "async/loops.h"
#include "async/run.h"

namespace strake::extension {
namespace {

using ::testing::ElementsAre;

// Settles nothing that is in `stuck`, and notes what it was asked.
class SettlingTest : public ::testing::Test {
 public:
  async::Task<bool> settle(std::string name) {
    const std::lock_guard lock(mu_);
    asked_.push_back(name);
    const auto found = stuck_.find(name);
    if (found == stuck_.end()) co_return true;
    if (found->second-- > 0) co_return fail(Code::kTimeout, "not yet");
    stuck_.erase(found);
    co_return true;
  }

  void run(boost::asio::awaitable<void> (*steps)(SettlingTest&)) {
    EXPECT_TRUE(async::run_blocking(loops_.at(0), to_end(*this, steps)));
  }
  static async::Task<> to_end(SettlingTest& test,
                              boost::asio::awaitable<void> (*steps)(SettlingTest&)) {
    co_await steps(test);
    co_return Result<>();
  }

  std::vector<std::string> asked() {
    const std::lock_guard lock(mu_);
    return asked_;
  }

  async::Loops loops_{1};
  std::mutex mu_;
  std::vector<std::string> asked_;    // guarded by mu_
  std::map<std::string, int> stuck_;  // how often each fails; guarded by mu_
  std::vector<std::string> told_;     // of the loop
  Settling settling_{
      {.settle = [this](std::string name) { return settle(std::move(name)); },
       .failed = [this](const std::string& name,
                        const Error& why) { told_.push_back(name + ": " + why.message()); },
       .backoff = {.first = std::chrono::nanoseconds(1), .most = std::chrono::nanoseconds(1)}}};
};

TEST_F(SettlingTest, AsksOnceForWhatIsMarkedTwice) {
  run([](SettlingTest& test) -> boost::asio::awaitable<void> {
    test.settling_.mark("b");
    test.settling_.mark("a");
    test.settling_.mark("b");
    co_await test.settling_.settle_all();
    co_await test.settling_.settle_all();
    EXPECT_TRUE(test.settling_.is_done());
  });
  EXPECT_THAT(asked(), ElementsAre("a", "b"));
}

TEST_F(SettlingTest, AsksAgainForWhatFailsAndTellsOfTheFirstFailureAlone) {
  stuck_["a"] = 3;
  run([](SettlingTest& test) -> boost::asio::awaitable<void> {
    test.settling_.mark("a");
    test.settling_.mark("b");
    co_await test.settling_.settle_all();
    EXPECT_FALSE(test.settling_.is_done());
    for (int i = 0; i < 3; ++i) co_await test.settling_.settle_all();
    EXPECT_TRUE(test.settling_.is_done());
  });
  EXPECT_THAT(asked(), ElementsAre("a", "b", "a", "a", "a"));
  EXPECT_THAT(told_, ElementsAre("a: not yet"));
}

TEST_F(SettlingTest, GoesOnByItselfUntilItIsStopped) {
  stuck_["a"] = 2;
  run([](SettlingTest& test) -> boost::asio::awaitable<void> {
    co_await test.settling_.start();
    test.settling_.mark("a");
    test.settling_.wake();
    while (test.asked().size() < 3) co_await async::sleep_for(std::chrono::milliseconds(1));
    EXPECT_TRUE(co_await test.settling_.stop());
    test.settling_.mark("b");
    test.settling_.wake();
  });
  EXPECT_THAT(asked(), ElementsAre("a", "a", "a"));
}

}  // namespace
}  // namespace strake::extension
