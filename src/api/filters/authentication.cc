#include "api/filters/authentication.h"

#include "base/metrics.h"

namespace strake::api {

using meta::Status;

namespace {

CounterFamily authentication_attempts("authentication_attempts",
                                      "[ALPHA] Counter of authenticated attempts.", {"result"});

// As kube-apiserver 1.36 counts them: credentials that are wrong are an error, none at all a
// failure where nobody may come without.
void count_attempt(bool wrong, bool allowed) {
  static Counter& errors = authentication_attempts.at({"error"});
  static Counter& failures = authentication_attempts.at({"failure"});
  static Counter& successes = authentication_attempts.at({"success"});
  (wrong ? errors : allowed ? successes : failures).add();
}

}  // namespace

Passage AuthenticationStage::enter(Call& call) {
  const Result<UserPtr> user = authenticator_.authenticate(call.request);
  if (!user) {
    if (auto known = authenticator_.look_up(call.request)) return wait(call, *std::move(known));
  }
  return know(call, user);
}

Passage AuthenticationStage::know(Call& call, const Result<UserPtr>& user) const {
  static const UserPtr kAnonymous = std::make_shared<const User>(User{
      .name = "system:anonymous", .uid = {}, .groups = {"system:unauthenticated"}, .extra = {}});
  const bool allowed =
      user && (*user || (anonymous_ && authenticator_.allows_anonymous(call.info.path)));
  count_attempt(!user, allowed);
  if (!allowed) return refuse(Status::unauthorized());
  call.asking = *user ? *user : kAnonymous;
  call.user = call.asking;
  if (call.asking->notes) note_login(call, *call.asking->notes);
  return {};
}

boost::asio::awaitable<Passage::Outcome> AuthenticationStage::wait(
    Call& call, async::Task<UserPtr> known) const {
  const Result<UserPtr> user = co_await std::move(known);
  if (auto end = know(call, user).take_end()) co_return refuse(std::move(end->error()));
  co_return std::optional<http::Response>();
}

void AuthenticationStage::leave(Call& call, http::Response& response) {
  response.to_authenticated = call.user && call.user->in_group("system:authenticated");
}

bool has_good_credentials(const Authenticator& authenticator, const http::Request& head) {
  const Result<UserPtr> user = authenticator.authenticate(head);
  return user && *user != nullptr;
}

}  // namespace strake::api
