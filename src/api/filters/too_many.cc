#include "api/filters/too_many.h"

#include <fmt/format.h>

#include "api/verbs/respond.h"

namespace strake::api {

http::Response too_many_requests(Call& call, const Registry& registry, std::int64_t after) {
  if (call.info.is_resource) call.endpoint = registry.find(call.info.group, call.info.resource);
  if (call.endpoint) call.version = call.resource().served_version(call.info.version);
  http::Response out = text_response(429, "Too many requests, please try again later.\n");
  out.headers.add("Retry-After", fmt::format("{}", after));
  return out;
}

bool counts_as_write(std::string_view method) {
  return method == "POST" || method == "PUT" || method == "PATCH" || method == "DELETE";
}

}  // namespace strake::api
