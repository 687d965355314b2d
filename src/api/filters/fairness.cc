#include "api/filters/fairness.h"

#include "api/filters/too_many.h"

namespace strake::api {

Passage FairnessStage::enter(Call& call) {
  if (call.info.verb != "watch" && is_long_running(call.info)) return {};
  switch (flow_.enter(call)) {
    case FlowControl::Entry::kGoesOn: count(call); return {};
    case FlowControl::Entry::kWaits: return wait(call);
    case FlowControl::Entry::kRefused: break;
  }
  return turn_away(call);
}

boost::asio::awaitable<Passage::Outcome> FairnessStage::wait(Call& call) {
  if (co_await flow_.wait(call)) {
    count(call);
    co_return std::nullopt;
  }
  // Whoever is gone, or had its time, is told so and not to come again.
  if (call.is_cancelled()) co_return refuse(Call::cancelled());
  co_return turn_away(call);
}

void FairnessStage::count(Call& call) {
  if (call.info.verb == "watch") return;
  call.in_flight =
      InFlightPass(counts_as_write(call.request.method) ? counts_.writes : counts_.reads);
}

http::Response FairnessStage::turn_away(Call& call) {
  return too_many_requests(call, registry_, FlowControl::retry_after(call));
}

// Not the names, by which people sort out who matters: they are not everybody's business.
void FairnessStage::leave(Call& call, http::Response& response) {
  if (!call.seat) return;
  call.in_flight = {};
  FlowControl::leave(call);
  const FlowControl::Told told = FlowControl::told(call);
  response.headers.set("X-Kubernetes-PF-FlowSchema-UID", told.schema_uid);
  response.headers.set("X-Kubernetes-PF-PriorityLevel-UID", told.level_uid);
}

}  // namespace strake::api
