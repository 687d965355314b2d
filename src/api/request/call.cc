#include "api/request/call.h"

#include "base/rfc3339.h"

namespace strake::api {

meta::Status Call::cancelled() {
  return meta::Status::service_unavailable("the request was cancelled before it was done");
}

std::string Call::now_text() const { return format_rfc3339(Instant::from(now)); }

void note_login(Call& call, const LoginNotes& notes) {
  call.warnings.insert(call.warnings.end(), notes.warnings.begin(), notes.warnings.end());
  call.audit_annotations.insert(call.audit_annotations.end(), notes.annotations.begin(),
                                notes.annotations.end());
}

}  // namespace strake::api
