#pragma once
// Who may do what, until roles decide it: members of system:masters may do all, others may find out
// what there is, and everyone may ask whether the server is well.
#include "api/request/roles.h"

namespace strake::auth {

class GroupAuthorizer final : public api::Authorizer {
 public:
  Decision authorize(const api::User& user, const api::RequestInfo& request) const override;
};

}  // namespace strake::auth
