#include "auth/authorizer.h"

namespace strake::auth {
namespace {

bool is_or_under(std::string_view path, std::string_view root) {
  return path.starts_with(root) && (path.size() == root.size() || path[root.size()] == '/');
}

bool is_public(const api::RequestInfo& request) {
  if (request.is_resource || request.verb != "get") return false;
  for (const std::string_view root : {"/healthz", "/livez", "/readyz", "/version"}) {
    if (is_or_under(request.path, root)) return true;
  }
  return false;
}

bool is_discovery(const api::RequestInfo& request) {
  if (request.is_resource || request.verb != "get") return false;
  for (const std::string_view root : {"/api", "/apis", "/openapi"}) {
    if (is_or_under(request.path, root)) return true;
  }
  return false;
}

bool is_about_oneself(const api::RequestInfo& request) {
  if (!request.is_resource || request.verb != "create" || !request.subresource.empty())
    return false;
  if (request.group == "authorization.k8s.io") {
    return request.resource == "selfsubjectaccessreviews" ||
           request.resource == "selfsubjectrulesreviews";
  }
  return request.group == "authentication.k8s.io" && request.resource == "selfsubjectreviews";
}

}  // namespace

api::Authorizer::Decision GroupAuthorizer::authorize(const api::User& user,
                                                     const api::RequestInfo& request) const {
  if (user.in_group("system:masters") || is_public(request)) return {.allowed = true, .reason = ""};
  const bool known = user.in_group("system:authenticated");
  return {.allowed = known && (is_discovery(request) || is_about_oneself(request)), .reason = ""};
}

}  // namespace strake::auth
