#pragma once
// Gives every call but a watch a time by which it must be answered.
#include <chrono>

#include "api/filters/stage.h"
#include "api/request/deadlines.h"

namespace strake::api {

class DeadlineStage final : public Stage {
 public:
  // `most` is the server's own limit. Both others must outlive the stage and its calls.
  DeadlineStage(std::chrono::seconds most, Deadlines& deadlines, const Clock& clock)
      : most_(most), deadlines_(deadlines), clock_(clock) {}
  Passage enter(Call& call) override;  // 400 for a `timeout` that is no duration
  // A call that was given up because it was late says so.
  void reword(Call& call, meta::Status& refusal) override;
  void leave(Call& call, http::Response& response) override;

 private:
  std::chrono::seconds most_;
  Deadlines& deadlines_;
  const Clock& clock_;
};

}  // namespace strake::api
