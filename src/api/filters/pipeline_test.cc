#include "api/filters/pipeline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/filters/test_stages.h"
#include "api/verbs/respond.h"
#include "async/loops.h"
#include "async/run.h"
#include "async/signal.h"
#include "base/arena.h"

namespace strake::api {
namespace {

using ::testing::ElementsAre;
using Trace = std::vector<std::string>;

class Traced final : public Stage {
 public:
  using Enter = std::function<Passage(Call&)>;
  Traced(Trace& trace, std::string name, Enter enter)
      : trace_(trace), name_(std::move(name)), enter_(std::move(enter)) {}
  Passage enter(Call& call) override {
    trace_.push_back("+" + name_);
    return enter_(call);
  }
  void leave(Call&, http::Response& response) override {
    trace_.push_back("-" + name_ + std::to_string(response.status));
  }

 private:
  Trace& trace_;
  std::string name_;
  Enter enter_;
};

class FakeRoute final : public Route {
 public:
  FakeRoute(std::string path, std::function<http::Response()> respond)
      : path_(std::move(path)), respond_(std::move(respond)) {}
  bool takes(const Call& call) const override { return call.request.path == path_; }
  AnswerTask<http::Response> answer(std::shared_ptr<Call>) override { co_return respond_(); }

 private:
  std::string path_;
  std::function<http::Response()> respond_;
};

Passage go_on(Call&) { return {}; }

class PipelineTest : public ::testing::Test {
 protected:
  // Stages a, b, c with `middle` for b; routes /one and /full.
  http::Response run(Traced::Enter middle, std::string_view path = "/one") {
    std::vector<std::unique_ptr<Stage>> stages;
    stages.push_back(std::make_unique<Traced>(trace_, "a", go_on));
    stages.push_back(std::make_unique<Traced>(trace_, "b", std::move(middle)));
    stages.push_back(std::make_unique<Traced>(trace_, "c", go_on));
    std::vector<std::unique_ptr<Route>> routes;
    routes.push_back(std::make_unique<FakeRoute>("/one", [] { return text_response(200, "one"); }));
    routes.push_back(
        std::make_unique<FakeRoute>("/full", []() -> http::Response { throw ArenaFull(); }));
    const Pipeline pipeline(std::move(stages), std::move(routes));
    const auto task = [](const Pipeline& through, CallPtr call) -> async::Task<http::Response> {
      co_return co_await through.run(std::move(call));
    };
    return async::run_blocking(loops_.at(0), task(pipeline, testing::call_for("GET", path)))
        .value();
  }

  async::Loops loops_{1};
  Trace trace_;
};

TEST_F(PipelineTest, ACallEntersInOrderAndItsResponseLeavesInReverse) {
  EXPECT_EQ(run(go_on).status, 200);
  EXPECT_THAT(trace_, ElementsAre("+a", "+b", "+c", "-c200", "-b200", "-a200"));
}

TEST_F(PipelineTest, ARefusalEndsTheWayAndLeavesTheStagesBefore) {
  EXPECT_EQ(run([](Call&) -> Passage { return refuse(meta::Status::unauthorized()); }).status, 401);
  EXPECT_THAT(trace_, ElementsAre("+a", "+b", "-b401", "-a401"));
}

TEST_F(PipelineTest, AStageMayAnswerByItself) {
  EXPECT_EQ(run([](Call&) -> Passage { return text_response(429, "later"); }).status, 429);
  EXPECT_THAT(trace_, ElementsAre("+a", "+b", "-b429", "-a429"));
}

TEST_F(PipelineTest, AStageMayWaitBeforeItDecides) {
  const auto wait = [](int code) {
    return [code](Call&) -> Passage {
      return [](int wanted) -> boost::asio::awaitable<Passage::Outcome> {
        static_cast<void>(co_await async::sleep_for(std::chrono::microseconds(10)));
        if (wanted == 403) co_return refuse(meta::Status::forbidden({}, "", "no"));
        if (wanted == 202) co_return text_response(202, "done");
        co_return std::nullopt;
      }(code);
    };
  };
  EXPECT_EQ(run(wait(0)).status, 200);
  EXPECT_EQ(run(wait(403)).status, 403);
  EXPECT_EQ(run(wait(202)).status, 202);
  EXPECT_THAT(trace_, ElementsAre("+a", "+b", "+c", "-c200", "-b200", "-a200",  //
                                  "+a", "+b", "-b403", "-a403",                 //
                                  "+a", "+b", "-b202", "-a202"));
}

TEST_F(PipelineTest, WhatNoRouteTakesIsNotFound) { EXPECT_EQ(run(go_on, "/two").status, 404); }

TEST_F(PipelineTest, ACallThatReachesItsMemoryLimitIsAnswered) {
  EXPECT_EQ(run(go_on, "/full").status, 413);
  EXPECT_EQ(trace_.back(), "-a413");
}

}  // namespace
}  // namespace strake::api
