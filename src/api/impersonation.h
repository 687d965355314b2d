#pragma once
// Acting as another user, for those who may: the Impersonate-* headers.
#include "api/answer.h"
#include "api/roles.h"
#include "http/message.h"

namespace strake::api {

// The user that the request acts as: the one who asks when no header says otherwise. 400 when the
// headers make no sense, 403 when the user may not.
Answer<UserPtr> impersonated(const http::Request& request, const UserPtr& asking,
                             const Authorizer& authorizer);

}  // namespace strake::api
