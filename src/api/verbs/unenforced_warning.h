#pragma once
// Warns who writes an object that is kept but that nothing acts on yet (kinds::Unenforced).
#include "api/request/admission.h"

namespace strake::api {

class UnenforcedWarning final : public Admission {
 public:
  Eventual<> admit(Call& call, const AdmissionRequest& request) const override;
};

}  // namespace strake::api
