#pragma once
// Acting as another user, for those who may: the Impersonate-* headers.
#include "api/filters/impersonation_modes.h"
#include "api/filters/stage.h"
#include "api/request/pending_questions.h"
#include "api/request/roles.h"

namespace strake::api {

class ImpersonationStage final : public Stage {
 public:
  // The authorizer must outlive the stage.
  explicit ImpersonationStage(const Authorizer& authorizer) : authorizer_(authorizer) {}
  // Sets the user that the call acts as: the one who asks when no header says otherwise. 400 when
  // the headers make no sense, 403 when the user may not.
  Passage enter(Call& call) override;

 private:
  boost::asio::awaitable<Passage::Outcome> wait(Call& call, User wanted, RequestInfo asked,
                                                PendingQuestions pending);

  const Authorizer& authorizer_;
  ImpersonationModes modes_;
};

}  // namespace strake::api
