#include "api/request/call.h"

#include "base/rfc3339.h"

namespace strake::api {

meta::Status Call::cancelled() {
  return meta::Status::service_unavailable("the request was cancelled before it was done");
}

std::string Call::now_text() const { return format_rfc3339(Instant::from(now)); }

}  // namespace strake::api
