#pragma once
// Refuses the credentials of revoked users from the moment their record says so: the next request
// is unauthorized, also on a connection that is open, and the user's watches end.
#include <atomic>
#include <memory>
#include <string_view>

#include "api/cache/informer.h"
#include "api/controllers/controller.h"
#include "api/request/tokens.h"
#include "async/gate.h"
#include "auth/users/user_record.h"

namespace strake::auth {

class Revocations {
 public:
  // The hub must outlive it.
  explicit Revocations(api::Hub& hub);

  // Whether a credential of the user is refused. The certificate is the client's own; empty when it
  // showed none. From any thread.
  bool refuses(std::string_view user, std::string_view certificate_sha256) const;

  // The core must outlive it.
  async::Task<> start(api::Core& core);
  async::Task<> stop();

 private:
  class WatchEnder;
  boost::asio::awaitable<void> run();

  mutable api::Informer<UserRecord> records_;
  // Up to this change nobody was revoked: the common case costs no lock.
  mutable std::atomic<api::Revision> nobody_until_{0};
  std::shared_ptr<WatchEnder> ender_;
  async::Gate running_;
};

// Asks another authenticator, and refuses whom it finds when that user is revoked.
class RevokingAuthenticator final : public api::Authenticator, public api::TokenReviewer {
 public:
  // All must outlive it.
  RevokingAuthenticator(const api::Authenticator& authenticator, const api::TokenReviewer& reviewer,
                        const Revocations& revocations)
      : authenticator_(authenticator), reviewer_(reviewer), revocations_(revocations) {}
  Result<api::UserPtr> authenticate(const http::Request& request) const override;
  std::optional<async::Task<api::UserPtr>> look_up(const http::Request& request) const override;
  bool still_accepts(const api::User& user, const http::Request& request) const override;
  bool allows_anonymous(std::string_view path) const override {
    return authenticator_.allows_anonymous(path);
  }
  boost::asio::awaitable<Review> review(Secret token, std::vector<std::string> audiences,
                                        CancelToken cancel) const override;

 private:
  Result<api::UserPtr> unless_revoked(Result<api::UserPtr> user,
                                      const http::Request& request) const;
  async::Task<api::UserPtr> check_later(async::Task<api::UserPtr> known,
                                        const http::Request& request) const;
  const api::Authenticator& authenticator_;
  const api::TokenReviewer& reviewer_;
  const Revocations& revocations_;
};

}  // namespace strake::auth
