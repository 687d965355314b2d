#pragma once
// The headers of a request that is sent on to another server: those of the client that may pass,
// and the user, as a front proxy says it. Whoever believes this server believes these headers, so
// nothing that a client sends may look like one of them.
#include <string>
#include <string_view>
#include <vector>

#include "api/request/roles.h"
#include "base/result.h"
#include "http/message.h"

namespace strake::aggregator {

// Headers by which front proxies tell this server of users, beside X-Remote-*: other servers may
// have been told to believe the same ones.
struct UserHeaders {
  std::vector<std::string> names;
  std::vector<std::string> prefixes;
};

// Without what ends at this connection, credentials, impersonation and users. Cookies pass, as in
// kube-apiserver 1.36. X-Forwarded-* that say where the client is are the caller's business.
http::Headers without_user(const http::Headers& of_client, const UserHeaders& also);
// X-Remote-User, -Uid, -Group and -Extra-KEY. Fails with kInvalid for what would be read as somebody
// else: blanks at the ends of a value do not survive, and lines cannot be sent.
Result<> add_user(const api::User& user, http::Headers& out);

// What may not stand in the name of a header, and the percent sign, as %XX.
std::string escaped_key(std::string_view key);

}  // namespace strake::aggregator
