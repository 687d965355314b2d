#pragma once
// Which headers of a client may pass to another server. Whoever believes this server believes what
// it says of users, so nothing that a client sends may look like it, in any spelling: not in the
// headers of a request, and not in the trailers of its body.
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "http/message.h"

namespace strake::api {

// Headers by which front proxies tell this server of users, beside X-Remote-*: other servers may
// have been told to believe the same ones.
class UserHeaders {
 public:
  UserHeaders() = default;
  UserHeaders(const std::vector<std::string>& names, const std::vector<std::string>& prefixes);
  // `name` in lower case, with hyphens in place of underscores: servers that hand headers on as
  // variables cannot tell the two apart.
  bool has(std::string_view name) const;

 private:
  std::vector<std::string> names_;
  std::vector<std::string> prefixes_;
};

// Without what ends at this connection, credentials, impersonation and users. Cookies pass, as in
// kube-apiserver 1.36. X-Forwarded-* that say where the client is are the caller's business.
http::Headers without_user(const http::Headers& of_client, const UserHeaders& also);
// The body with such trailers alone.
std::unique_ptr<http::BodyStream> without_user(std::unique_ptr<http::BodyStream> body,
                                               std::shared_ptr<const UserHeaders> also);

}  // namespace strake::api
