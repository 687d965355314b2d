#include "auth/authenticator.h"

#include <fmt/format.h>

#include <span>
#include <unordered_map>

#include "meta/names.h"
#include "policy/evaluation.h"

namespace strake::auth {
namespace {

using api::User;
using api::UserPtr;

constexpr std::string_view kAuthenticated = "system:authenticated";

UserPtr authenticated(User user) {
  if (!user.in_group(kAuthenticated)) user.groups.emplace_back(kAuthenticated);
  return std::make_shared<const User>(std::move(user));
}

// A connection may outlive the certificate that it began with.
bool has_expired(const http::PeerCertificate& certificate) {
  const auto now =
      std::chrono::duration_cast<std::chrono::seconds>(system_clock().now().time_since_epoch());
  return certificate.not_after != 0 && now.count() > certificate.not_after;
}

UserPtr user_of(const http::PeerCertificate& certificate) {
  User user;
  user.name = certificate.common_name;
  user.uid = certificate.uid;
  user.groups = certificate.organizations;
  user.extra["authentication.kubernetes.io/credential-id"] = {"X509SHA256=" + certificate.sha256};
  return authenticated(std::move(user));
}

// A connection shows the same certificate with every request: the user made from it is kept, a few
// hundred a thread.
UserPtr remembered_user(const std::shared_ptr<const http::PeerCertificate>& certificate) {
  struct Entry {
    std::weak_ptr<const http::PeerCertificate> certificate;
    UserPtr user;
  };
  thread_local std::unordered_map<const http::PeerCertificate*, Entry> users;
  Entry& entry = users[certificate.get()];
  if (entry.user && entry.certificate.lock() == certificate) return entry.user;
  if (users.size() > 512) {
    std::erase_if(users, [&](const auto& one) {
      return one.first != certificate.get() && one.second.certificate.expired();
    });
  }
  Entry& fresh = users[certificate.get()];
  fresh = {.certificate = certificate, .user = user_of(*certificate)};
  return fresh.user;
}

std::string_view bearer_token(std::string_view header) {
  const std::size_t space = header.find(' ');
  if (space == std::string_view::npos ||
      !http::equals_ignoring_case(header.substr(0, space), "bearer"))
    return {};
  header.remove_prefix(space);
  while (header.starts_with(' ')) header.remove_prefix(1);
  return header;
}

std::unexpected<Error> no_good(std::span<const std::string> errors) {
  if (errors.empty()) return fail(Code::kUnauthorized, "the bearer token is not known");
  return fail(Code::kUnauthorized, "{}", policy::join_errors(errors));
}

// One field of a line of comma-separated values; the rest stays in `line`.
std::optional<std::string> take_field(std::string_view& line) {
  std::string out;
  if (!line.starts_with('"')) {
    const std::size_t end = line.find(',');
    out = line.substr(0, end);
    line = end == std::string_view::npos ? std::string_view() : line.substr(end + 1);
    return out;
  }
  line.remove_prefix(1);
  while (!line.empty()) {
    if (line.front() == '"') {
      if (!line.starts_with("\"\"")) {
        line.remove_prefix(1);
        if (line.empty()) return out;
        if (line.front() != ',') return std::nullopt;
        line.remove_prefix(1);
        return out;
      }
      line.remove_prefix(1);
    }
    out += line.front();
    line.remove_prefix(1);
  }
  return std::nullopt;
}

std::vector<std::string> split_groups(std::string_view text) {
  std::vector<std::string> out;
  while (!text.empty()) {
    const std::size_t end = text.find(',');
    std::string_view one = text.substr(0, end);
    while (one.starts_with(' ')) one.remove_prefix(1);
    if (!one.empty()) out.emplace_back(one);
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  }
  return out;
}

}  // namespace

Result<std::vector<StaticToken>> read_token_file(std::string_view text) {
  std::vector<StaticToken> out;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty() || line.starts_with('#')) continue;
    std::vector<std::string> fields;
    while (!line.empty()) {
      auto field = take_field(line);
      if (!field) return fail(Code::kParse, "line {}: a quoted field does not end", number);
      fields.push_back(*std::move(field));
    }
    if (fields.size() < 3)
      return fail(Code::kParse, "line {}: want token,user,uid[,\"groups\"]", number);
    if (fields[0].empty()) return fail(Code::kParse, "line {}: the token is empty", number);
    StaticToken token{.token = Secret(std::move(fields[0])), .user = {}};
    token.user.name = std::move(fields[1]);
    token.user.uid = std::move(fields[2]);
    if (fields.size() > 3) token.user.groups = split_groups(fields[3]);
    out.push_back(std::move(token));
  }
  return out;
}

RequestAuthenticator::RequestAuthenticator(std::vector<StaticToken> tokens,
                                           const ServiceAccountTokens* accounts)
    : accounts_(accounts) {
  set_tokens(std::move(tokens));
}

void RequestAuthenticator::set_tokens(std::vector<StaticToken> tokens) {
  auto known = std::make_shared<std::vector<Known>>();
  for (StaticToken& one : tokens) {
    known->push_back({.token = std::move(one.token), .user = authenticated(std::move(one.user))});
  }
  const std::lock_guard lock(mu_);
  tokens_ = std::move(known);
}

RequestAuthenticator::Tokens RequestAuthenticator::tokens() const {
  const std::lock_guard lock(mu_);
  return tokens_;
}

void RequestAuthenticator::set_authorities(Authorities authorities) {
  auto fresh = std::make_shared<const Authorities>(std::move(authorities));
  const std::lock_guard lock(mu_);
  authorities_ = std::move(fresh);
}

std::shared_ptr<const RequestAuthenticator::Authorities> RequestAuthenticator::authorities() const {
  const std::lock_guard lock(mu_);
  return authorities_;
}

Result<UserPtr> RequestAuthenticator::authenticate(const http::Request& request) const {
  // Of what certificates bring, only a refusal is remembered: a token may still be good.
  std::string refusal = request.peer_refusal ? *request.peer_refusal : std::string();
  if (request.peer && has_expired(*request.peer)) {
    refusal = "the certificate has expired";
  } else if (request.peer) {
    const std::shared_ptr<const Authorities> known = authorities();
    if (known && known->proxy) {
      if (const auto user = known->proxy->user_of(request, refusal))
        return authenticated(std::move(*user));
    }
    if (known && !known->clients.contains(request.peer->authority_sha256)) {
      if (refusal.empty()) refusal = "the certificate is of no client authority";
    } else if (!request.peer->common_name.empty()) {
      return remembered_user(request.peer);
    }
  }
  const std::string_view token = bearer_token(request.headers.get("Authorization"));
  if (token.empty()) {
    if (!refusal.empty()) return fail(Code::kUnauthorized, "{}", refusal);
    return UserPtr();
  }
  const Judged judged = judge(token, own_audiences());
  if (judged.review.user) return judged.review.user;
  return no_good(judged.errors);
}

std::optional<async::Task<UserPtr>> RequestAuthenticator::look_up(
    const http::Request& request) const {
  const std::string_view token = bearer_token(request.headers.get("Authorization"));
  if (token.empty() || !judge(token, own_audiences()).undecided()) return std::nullopt;
  return [](const RequestAuthenticator& self, Secret text,
            CancelToken cancel) -> async::Task<UserPtr> {
    const Judged judged =
        co_await self.judge_by_all(std::move(text), self.own_audiences(), std::move(cancel));
    if (judged.review.user) co_return judged.review.user;
    co_return no_good(judged.errors);
  }(*this, Secret(std::string(token)), request.cancel);
}

bool RequestAuthenticator::allows_anonymous(std::string_view path) const {
  const std::lock_guard lock(mu_);
  return anonymous_.allows(path);
}

void RequestAuthenticator::set_anonymous(AnonymousConfig anonymous) {
  const std::lock_guard lock(mu_);
  anonymous_ = std::move(anonymous);
}

const std::vector<std::string>& RequestAuthenticator::own_audiences() const {
  static const std::vector<std::string> kNone;
  return accounts_ != nullptr ? accounts_->audiences() : kNone;
}

// Such tokens say nothing of whom they are meant for: it is the server itself.
RequestAuthenticator::Review RequestAuthenticator::for_server(
    UserPtr user, const std::vector<std::string>& audiences) const {
  Review out{.user = std::move(user), .audiences = common_audiences(own_audiences(), audiences)};
  return out.audiences.empty() && !audiences.empty() ? Review() : out;
}

RequestAuthenticator::Judged RequestAuthenticator::judge(
    std::string_view token, const std::vector<std::string>& audiences) const {
  // All are compared, each in constant time: how long it takes tells nothing.
  UserPtr found;
  const Tokens known = tokens();
  for (const Known& one : *known) {
    if (one.token.equals(token)) found = one.user;
  }
  Judged out;
  if (found) {
    out.review = for_server(std::move(found), audiences);
    if (out.review.user) return out;
  }
  if (accounts_ != nullptr) {
    Result<std::optional<ServiceAccountTokens::Known>> account =
        accounts_->authenticate(token, audiences);
    if (account && *account) {
      out.review = {.user = (*account)->user, .audiences = std::move((*account)->audiences)};
      return out;
    }
    if (!account) out.errors.push_back(account.error().message());
  }
  if (issuers_ != nullptr) {
    JwtVerdict verdict = issuers_->judge(token);
    if (verdict.user) {
      out.review = for_server(std::move(verdict.user), audiences);
    } else if (!verdict.error.empty()) {
      out.errors.push_back(std::move(verdict.error));
      out.wants_issuer = verdict.wants_keys || verdict.wants_claims;
    }
    if (out.review.user) return out;
  }
  if (webhook_ != nullptr) {
    auto verdict = webhook_->recall(token, audiences);
    if (verdict && verdict->user)
      out.review = {.user = std::move(verdict->user), .audiences = std::move(verdict->audiences)};
    out.wants_webhook = !verdict;
  }
  return out;
}

boost::asio::awaitable<RequestAuthenticator::Judged> RequestAuthenticator::judge_by_all(
    Secret token, std::vector<std::string> audiences, CancelToken cancel) const {
  Judged out = judge(token.reveal(), audiences);
  if (out.review.user) co_return out;
  if (out.wants_issuer) {
    JwtVerdict verdict = co_await issuers_->judge_anew(token, cancel);
    if (verdict.user) {
      out.review = for_server(std::move(verdict.user), audiences);
      if (out.review.user) co_return out;
    } else if (!verdict.error.empty()) {
      out.errors.back() = std::move(verdict.error);
    }
  }
  if (out.wants_webhook) {
    WebhookVerdict verdict = co_await webhook_->ask(token, audiences, cancel);
    if (verdict.user)
      out.review = {.user = std::move(verdict.user), .audiences = std::move(verdict.audiences)};
    if (!verdict.error.empty()) out.errors.push_back(std::move(verdict.error));
  }
  co_return out;
}

boost::asio::awaitable<RequestAuthenticator::Review> RequestAuthenticator::review(
    Secret token, std::vector<std::string> audiences, CancelToken cancel) const {
  if (audiences.empty()) audiences = own_audiences();
  Judged judged = co_await judge_by_all(std::move(token), std::move(audiences), std::move(cancel));
  if (!judged.review.user) {
    // kube-apiserver 1.36 asks for its own loopback token first, which this one is not.
    judged.errors.insert(judged.errors.begin(), "invalid bearer token");
    judged.review.error = policy::join_errors(judged.errors);
  }
  co_return std::move(judged.review);
}

}  // namespace strake::auth
