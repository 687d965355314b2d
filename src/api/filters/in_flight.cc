#include "api/filters/in_flight.h"

#include "api/verbs/respond.h"

namespace strake::api {
namespace {

bool is_write(std::string_view method) {
  return method == "POST" || method == "PUT" || method == "PATCH" || method == "DELETE";
}

http::Response too_many() {
  http::Response out = text_response(429, "Too many requests, please try again later.\n");
  out.headers.add("Retry-After", "1");
  return out;
}

}  // namespace

Passage InFlightStage::enter(Call& call) {
  if (is_long_running(call.info)) return {};
  const bool write = is_write(call.request.method);
  call.in_flight = InFlightPass(write ? counts_.writes : counts_.reads);
  if (call.in_flight.count() <= (write ? limits_.writes : limits_.reads)) return {};
  if (call.user->in_group("system:masters")) return {};
  // Counted with the labels of what was asked for.
  if (call.info.is_resource) call.endpoint = registry_.find(call.info.group, call.info.resource);
  if (call.endpoint) call.version = call.resource().served_version(call.info.version);
  return too_many();
}

void InFlightStage::leave(Call& call, http::Response&) { call.in_flight = {}; }

}  // namespace strake::api
