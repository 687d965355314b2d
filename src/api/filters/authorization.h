#pragma once
// Asks whether the user may do what the call is about.
#include "api/filters/stage.h"
#include "api/request/roles.h"

namespace strake::api {

class AuthorizationStage final : public Stage {
 public:
  // The authorizer must outlive the stage.
  explicit AuthorizationStage(const Authorizer& authorizer) : authorizer_(authorizer) {}
  Passage enter(Call& call) override;  // 403 in the words of kube-apiserver 1.36

 private:
  boost::asio::awaitable<Passage::Outcome> wait(Call& call, RequestInfo asked);
  static Passage judge(Call& call, const RequestInfo& asked, const Authorizer::Decision& decision);

  const Authorizer& authorizer_;
};

}  // namespace strake::api
