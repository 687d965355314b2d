#pragma once
// /testserver/clock, where tests move a TestClock:
//
//   GET                            {"time":"2026-01-01T00:00:00Z","speed":0}
//   PUT {"advance":"1h30m"}        moves it forward
//   PUT {"time":"2026-02-01T00:00:00Z"}, {"speed":60}
//
// It answers what is so by then: what has expired is gone when the answer comes. Who may is decided
// as for every other path.
#include <functional>

#include "api/routes/route.h"
#include "server/test_clock.h"

namespace strake::server {

class ClockRoute final : public api::Route {
 public:
  // `moved` is called after each move. All must outlive the route.
  ClockRoute(TestClock& clock, std::function<void()> moved)
      : clock_(clock), moved_(std::move(moved)) {}
  bool takes(const api::Call& call) const override;
  api::AnswerTask<http::Response> answer(std::shared_ptr<api::Call> call) override;

 private:
  api::Answer<http::Response> answer_now(const api::Call& call);
  Result<> move(std::string_view body);

  TestClock& clock_;
  const std::function<void()> moved_;
};

}  // namespace strake::server
