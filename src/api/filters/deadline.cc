#include "api/filters/deadline.h"

namespace strake::api {

Passage DeadlineStage::enter(Call& call) {
  if (is_long_running(call.info)) return {};
  const std::string_view verb = call.info.verb;
  const bool single_write =
      verb == "create" || verb == "update" || verb == "patch" || verb == "delete";
  const Answer<TimeLimit> limit = time_limit(call.query, most_, single_write);
  if (!limit) return refuse(limit.error());
  call.time = std::make_unique<RequestTime>(
      *limit, deadlines_, Deadline::after(limit->time, clock_), call.request.cancel);
  call.request.cancel = call.time->expiry.token();
  return {};
}

void DeadlineStage::reword(Call& call, meta::Status& refusal) {
  if (call.time && call.time->entry->has_expired()) refusal = call.time->limit.exceeded();
}

// A stream that goes on has no deadline, but still ends with its client.
void DeadlineStage::leave(Call& call, http::Response&) {
  if (call.time) call.time->entry.reset();
}

}  // namespace strake::api
