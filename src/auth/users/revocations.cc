#include "auth/users/revocations.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include "api/verbs/write.h"

namespace strake::auth {
namespace {

constexpr std::string_view kRecords = "/registry/configmaps/kube-system/strake-user-";
// Users by name, and all of them under one value.
constexpr std::string_view kByName = "revoked";
constexpr std::string_view kAny = "any revoked";
constexpr std::chrono::milliseconds kSettled{0};
constexpr std::string_view kRevoked = "the user's credentials are revoked";

Result<UserRecord> read_record(const api::Object& object) {
  STRAKE_TRY(const value::Document document, api::parse_stored(*object.bytes()));
  return read_user_record(document.root());
}

std::vector<std::string> names_revoked(const UserRecord& record) {
  if (record.revoked_at.empty()) return {};
  return {record.name};
}

std::vector<std::string> any_revoked(const UserRecord& record) {
  if (record.revoked_at.empty()) return {};
  return {std::string()};
}

}  // namespace

// A watch is authenticated once, when it begins.
class Revocations::WatchEnder final : public api::Controller {
 public:
  WatchEnder(api::Core& core, api::InformerBase& records, const async::Executor& executor)
      : Controller(core, records, executor) {}

 private:
  boost::asio::awaitable<std::chrono::milliseconds> sync(std::string,
                                                         api::ObjectPtr object) override {
    if (!object) co_return kSettled;
    const Result<UserRecord> record = read_record(*object);
    // Watches with a newer certificate end too: their clients begin them anew.
    if (record && !record->revoked_at.empty()) core().streams.end_watches_of(record->name);
    co_return kSettled;
  }
};

Revocations::Revocations(api::Hub& hub)
    : records_(hub, {.prefixes = {"/registry/configmaps/"},
                     .read = read_record,
                     .indexes = {{.name = std::string(kByName), .values = names_revoked},
                                 {.name = std::string(kAny), .values = any_revoked}},
                     .wants = [](const api::Object& object) {
                       return object.key().starts_with(kRecords);
                     }}) {}

bool Revocations::refuses(std::string_view user, std::string_view certificate_sha256) const {
  const api::Revision changed = records_.changed();
  if (changed == nobody_until_.load(std::memory_order_relaxed)) return false;
  const auto view = records_.view();
  if (!view.has(kAny, "")) {
    nobody_until_.store(changed, std::memory_order_relaxed);
    return false;
  }
  bool out = false;
  view.for_each(kByName, user,
                [&](const auto& record) { out = out || record->refuses(certificate_sha256); });
  return out;
}

async::Task<> Revocations::start(api::Core& core) {
  const async::Executor executor = co_await boost::asio::this_coro::executor;
  ender_ = std::make_shared<WatchEnder>(core, records_, executor);
  boost::asio::co_spawn(executor, run(), boost::asio::detached);
  co_return Result<>();
}

boost::asio::awaitable<void> Revocations::run() {
  const async::Gate::Pass pass = running_.enter();
  if (pass) co_await ender_->run();
}

async::Task<> Revocations::stop() {
  if (ender_) ender_->stop();
  co_return co_await running_.close();
}

Result<api::UserPtr> RevokingAuthenticator::unless_revoked(Result<api::UserPtr> user,
                                                           const http::Request& request) const {
  if (user && *user && !still_accepts(**user, request))
    return fail(Code::kUnauthorized, "{}", kRevoked);
  return user;
}

bool RevokingAuthenticator::still_accepts(const api::User& user,
                                          const http::Request& request) const {
  return !revocations_.refuses(user.name, request.peer ? request.peer->sha256 : std::string_view());
}

Result<api::UserPtr> RevokingAuthenticator::authenticate(const http::Request& request) const {
  return unless_revoked(authenticator_.authenticate(request), request);
}

std::optional<async::Task<api::UserPtr>> RevokingAuthenticator::look_up(
    const http::Request& request) const {
  std::optional<async::Task<api::UserPtr>> known = authenticator_.look_up(request);
  if (!known) return std::nullopt;
  return check_later(*std::move(known), request);
}

async::Task<api::UserPtr> RevokingAuthenticator::check_later(async::Task<api::UserPtr> known,
                                                             const http::Request& request) const {
  co_return unless_revoked(co_await std::move(known), request);
}

boost::asio::awaitable<RevokingAuthenticator::Review> RevokingAuthenticator::review(
    Secret token, std::vector<std::string> audiences, CancelToken cancel) const {
  Review out = co_await reviewer_.review(std::move(token), std::move(audiences), std::move(cancel));
  if (out.user && revocations_.refuses(out.user->name, ""))
    out = {.user = {}, .audiences = {}, .error = std::string(kRevoked)};
  co_return out;
}

}  // namespace strake::auth
