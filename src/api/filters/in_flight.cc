#include "api/filters/in_flight.h"

#include "api/filters/too_many.h"

namespace strake::api {

Passage InFlightStage::enter(Call& call) {
  if (is_long_running(call.info)) return {};
  const bool write = counts_as_write(call.request.method);
  const std::size_t most = write ? limits_.writes : limits_.reads;
  call.in_flight = InFlightPass(write ? counts_.writes : counts_.reads);
  if (most == kNoLimit || call.in_flight.count() <= most) return {};
  if (call.user->in_group("system:masters")) return {};
  return too_many_requests(call, registry_, 1);
}

void InFlightStage::leave(Call& call, http::Response&) { call.in_flight = {}; }

}  // namespace strake::api
