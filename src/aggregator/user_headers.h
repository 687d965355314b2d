#pragma once
// The user of a request that is sent on to another server, in headers as a front proxy says it.
// What the client itself sends of users is left out before (api/request/client_headers.h).
#include <string>
#include <string_view>

#include "api/request/roles.h"
#include "base/result.h"
#include "http/message.h"

namespace strake::aggregator {

// X-Remote-User, -Uid, -Group and -Extra-KEY. Fails with kInvalid for what would be read as
// somebody else: blanks at the ends of a value do not survive, and lines cannot be sent.
Result<> add_user(const api::User& user, http::Headers& out);

// What may not stand in the name of a header, and the percent sign, as %XX.
std::string escaped_key(std::string_view key);

}  // namespace strake::aggregator
