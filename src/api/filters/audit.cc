#include "api/filters/audit.h"

#include "api/request/request_metrics.h"
#include "api/verbs/write.h"

namespace strake::api {
namespace {

constexpr std::size_t kLongestAuditId = 128;

}  // namespace

Passage AuditStage::enter(Call& call) {
  call.begun = std::chrono::steady_clock::now();
  call.audit_id = call.request.headers.get("Audit-ID");
  if (call.audit_id.empty() || call.audit_id.size() > kLongestAuditId) call.audit_id = new_uid();
  return {};
}

void AuditStage::leave(Call& call, http::Response& response) {
  response.headers.add("Audit-Id", call.audit_id);
  const auto now = std::chrono::steady_clock::now();
  const auto time = now - call.begun;
  count_request(call, response, time);
  log_.note(call, {.status = response.status, .time = time, .audit_id = call.audit_id}, now);
}

}  // namespace strake::api
