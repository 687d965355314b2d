#pragma once
// The outermost stage: gives each call its audit ID, and counts and logs the response, whichever
// stage or route it comes from.
#include "api/filters/request_log.h"
#include "api/filters/stage.h"

namespace strake::api {

class AuditStage final : public Stage {
 public:
  // With `log_all`, every request is logged at info.
  explicit AuditStage(bool log_all) : log_(log_all) {}
  Passage enter(Call& call) override;
  void leave(Call& call, http::Response& response) override;

 private:
  RequestLog log_;
};

}  // namespace strake::api
