#pragma once
// Finds out whose call it is.
#include "api/filters/stage.h"
#include "api/request/roles.h"

namespace strake::api {

class AuthenticationStage final : public Stage {
 public:
  // With `anonymous`, calls without credentials are those of system:anonymous, where the
  // authenticator allows that. It must outlive the stage.
  AuthenticationStage(const Authenticator& authenticator, bool anonymous)
      : authenticator_(authenticator), anonymous_(anonymous) {}
  // 401 for bad credentials, and for none when nobody may be anonymous.
  Passage enter(Call& call) override;
  // Tells the connection whether a known user owns it.
  void leave(Call& call, http::Response& response) override;

 private:
  Passage know(Call& call, const Result<UserPtr>& user) const;
  boost::asio::awaitable<Passage::Outcome> wait(Call& call, async::Task<UserPtr> known) const;

  const Authenticator& authenticator_;
  bool anonymous_;
};

// Whether the head of a request, before its body is read, has good credentials.
bool has_good_credentials(const Authenticator& authenticator, const http::Request& head);

}  // namespace strake::api
