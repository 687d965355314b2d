#pragma once
// The outermost stage: gives each call its audit ID, and counts and logs the response, whichever
// stage or route it comes from.
#include "api/filters/request_log.h"
#include "api/filters/stage.h"

namespace strake::api {

class AuditStage final : public Stage {
 public:
  // The settings must outlive it.
  explicit AuditStage(const RequestLogSettings& settings) : log_(settings) {}
  Passage enter(Call& call) override;
  void leave(Call& call, http::Response& response) override;

 private:
  RequestLog log_;
};

}  // namespace strake::api
