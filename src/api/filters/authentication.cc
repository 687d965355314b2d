#include "api/filters/authentication.h"

namespace strake::api {

using meta::Status;

Passage AuthenticationStage::enter(Call& call) {
  static const UserPtr kAnonymous = std::make_shared<const User>(User{
      .name = "system:anonymous", .uid = {}, .groups = {"system:unauthenticated"}, .extra = {}});
  Result<UserPtr> user = authenticator_.authenticate(call.request);
  if (!user || (!*user && !anonymous_)) return refuse(Status::unauthorized());
  call.asking = *user ? *std::move(user) : kAnonymous;
  call.user = call.asking;
  return {};
}

void AuthenticationStage::leave(Call& call, http::Response& response) {
  response.to_authenticated = call.user && call.user->in_group("system:authenticated");
}

bool has_good_credentials(const Authenticator& authenticator, const http::Request& head) {
  const Result<UserPtr> user = authenticator.authenticate(head);
  return user && *user != nullptr;
}

}  // namespace strake::api
