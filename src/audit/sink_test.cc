#include "audit/sink.h"

#include <gtest/gtest.h>

#include <mutex>

#include "async/loops.h"
#include "async/run.h"

namespace strake::audit {
namespace {

// Answers when it is told to.
struct Held final : Sink {
  void write(std::string line, Done done) override {
    lines += line;
    if (done) waiting.push_back(std::move(done));
  }
  void answer(bool stored) {
    for (Done& one : std::exchange(waiting, {})) one(stored);
  }
  std::string lines;
  std::vector<Done> waiting;
};

class AuditSinks : public ::testing::Test {
 protected:
  // What a wait for one line comes to; `then` is done once the line was written.
  bool store(const Sinks& sinks, std::function<void()> then, CancelToken cancel = {}) {
    const auto run = [](const Sinks& to, std::function<void()> next,
                        CancelToken until) -> async::Task<bool> {
      const async::Executor executor = co_await boost::asio::this_coro::executor;
      boost::asio::post(executor, std::move(next));
      co_return co_await to.store({"x"}, std::move(until));
    };
    return async::run_blocking(loops_.at(0), run(sinks, std::move(then), std::move(cancel)))
        .value();
  }
  async::Loops loops_{1};
  Held one_;
  Held two_;
};

TEST_F(AuditSinks, AreWaitedForOnlyWhereTheyBlock) {
  Sinks sinks;
  sinks.add(one_, Mode::kBatch);
  EXPECT_FALSE(sinks.is_blocking());
  EXPECT_TRUE(store(sinks, [] {}));
  sinks.add(two_, Mode::kBlocking);
  EXPECT_TRUE(sinks.is_blocking());
  EXPECT_TRUE(store(sinks, [this] { two_.answer(true); }));
  EXPECT_EQ(one_.lines, "xx");
  EXPECT_EQ(two_.lines, "x");
  EXPECT_TRUE(one_.waiting.empty());
}

TEST_F(AuditSinks, MayLoseWhatNoStrictOneMissed) {
  Sinks sinks;
  sinks.add(one_, Mode::kBlocking);
  sinks.add(two_, Mode::kBlockingStrict);
  EXPECT_TRUE(store(sinks, [this] {
    one_.answer(false);
    two_.answer(true);
  }));
  EXPECT_FALSE(store(sinks, [this] {
    one_.answer(true);
    two_.answer(false);
  }));
}

TEST_F(AuditSinks, AreNotWaitedForWhenNobodyWaitsAnyLonger) {
  CancelSource source;
  Sinks sinks;
  sinks.add(one_, Mode::kBlocking);
  EXPECT_TRUE(store(sinks, [&] { source.cancel(); }, source.token()));
  one_.answer(true);
  sinks.add(two_, Mode::kBlockingStrict);
  CancelSource other;
  EXPECT_FALSE(store(sinks, [&] { other.cancel(); }, other.token()));
}

}  // namespace
}  // namespace strake::audit
