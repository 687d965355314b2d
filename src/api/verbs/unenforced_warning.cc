#include "api/verbs/unenforced_warning.h"

namespace strake::api {

Eventual<> UnenforcedWarning::admit(Call& call, const AdmissionRequest& request) const {
  const auto& unenforced = call.resource().unenforced;
  if (unenforced && request.phase == AdmissionRequest::Phase::kValidating &&
      request.object != nullptr && request.subresource.empty() &&
      unenforced->concerns(request.object->root())) {
    call.warnings.push_back(unenforced->warning);
  }
  return Answer<>();
}

}  // namespace strake::api
