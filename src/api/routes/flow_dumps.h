#pragma once
// /debug/api_priority_and_fairness/: the state of fair use, for people.
#include "api/flow_control/flow_control.h"
#include "api/routes/route.h"

namespace strake::api {

class FlowDumpsRoute final : public Route {
 public:
  explicit FlowDumpsRoute(const FlowControl& flow) : flow_(flow) {}
  bool takes(const Call& call) const override;
  AnswerTask<http::Response> answer(std::shared_ptr<Call> call) override;

 private:
  const FlowControl& flow_;
};

}  // namespace strake::api
