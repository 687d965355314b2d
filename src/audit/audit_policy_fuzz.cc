// Any text as an audit policy: it is read, or refused with a message and a place. What was read
// decides about any request.
#include <cstdint>
#include <string_view>

#include "audit/policy.h"
#include "base/assert.h"

using namespace strake;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto policy = audit::Policy::read(text, "policy.yaml");
  if (!policy) {
    STRAKE_ASSERT(!policy.error().message().empty());
    return 0;
  }
  api::RequestInfo request;
  request.is_resource = true;
  request.verb = "get";
  request.resource = "pods";
  request.subresource = text.substr(0, text.size() % 7);
  const api::User user{
      .name = std::string(text.substr(0, 3)), .uid = {}, .groups = {"g"}, .extra = {}};
  (void)policy->decide(user, request);
  request.is_resource = false;
  request.path = text.substr(0, 20);
  (void)policy->decide(user, request);
  return 0;
}
