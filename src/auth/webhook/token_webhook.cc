#include "auth/webhook/token_webhook.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <cstring>
#include <random>

#include "async/cancellable.h"
#include "async/signal.h"
#include "auth/tokens/cache_metrics.h"
#include "auth/tokens/service_account_tokens.h"
#include "auth/webhook/token_review.h"
#include "base/base64.h"
#include "base/log.h"
#include "base/trim.h"
#include "http/byte_stream.h"
#include "kube/caller.h"
#include "kube/small_file.h"

namespace strake::auth {
namespace {

constexpr std::size_t kMostAnswer = 1 << 20;
constexpr std::size_t kMostKept = 32 * 1024;
constexpr int kMostTries = 5;
constexpr double kPauseGrowth = 1.5;
constexpr double kPauseJitter = 0.2;
constexpr std::chrono::seconds kBetweenComplaints{1};

}  // namespace

std::size_t TokenWebhook::Hash::operator()(const Sha256::Digest& digest) const {
  std::size_t out = 0;
  std::memcpy(&out, digest.data(), sizeof out);
  return out;
}

// What came of one try.
struct TokenWebhook::Reply {
  std::string body = {};
  std::string fault = {};  // empty when there is a body
  bool may_pass = false;   // the fault: it is tried again
};

Result<std::unique_ptr<TokenWebhook>> TokenWebhook::make(Options options, Means means) {
  if (options.version != "v1" && options.version != "v1beta1")
    return fail(Code::kInvalid,
                "unsupported authentication webhook version \"{}\", supported versions are \"v1\", "
                "\"v1beta1\"",
                options.version);
  STRAKE_TRY(kube::Caller caller, kube::Caller::make(options.access));
  caller.append_path(options.path);
  // client-go says how long it waits.
  std::string target =
      fmt::format("{}?timeout={}s", caller.path,
                  std::chrono::ceil<std::chrono::seconds>(options.timeout).count());
  return std::unique_ptr<TokenWebhook>(
      new TokenWebhook(std::move(options), means, std::move(caller.upstream), std::move(target)));
}

TokenWebhook::TokenWebhook(Options options, Means means, http::Upstream upstream,
                           std::string target)
    : options_(std::move(options)),
      means_(means),
      upstream_(std::move(upstream)),
      target_(std::move(target)),
      known_(kMostKept),
      client_(std::make_shared<http::Client>(means.loops, http::ClientOptions())) {}

async::Task<> TokenWebhook::stop() {
  ending_.cancel();
  co_await running_.close();
  const std::lock_guard lock(mu_);
  client_.reset();
  co_return Result<>();
}

std::optional<WebhookVerdict> TokenWebhook::recall(
    std::string_view token, const std::vector<std::string>& audiences) const {
  const auto known = known_.find(digests_.of(token, audiences));
  const bool good = known && means_.clock.steady_now() < known->until;
  count_token_look_up(good);
  if (!good) return std::nullopt;
  return known->verdict;
}

boost::asio::awaitable<WebhookVerdict> TokenWebhook::ask(Secret token,
                                                         std::vector<std::string> audiences,
                                                         CancelToken cancel) const {
  if (auto known = recall(token.reveal(), audiences)) co_return *std::move(known);
  const Sha256::Digest digest = digests_.of(token.reveal(), audiences);
  async::OneShot<WebhookVerdict> answer;
  bool first = false;
  {
    const std::lock_guard lock(mu_);
    Waiting& waiting = asking_[digest];
    first = waiting.empty();
    waiting.push_back(answer);
  }
  if (first) {
    // It goes on when whoever asked first is gone: others may wait for it too.
    const async::Executor loop = co_await boost::asio::this_coro::executor;
    boost::asio::co_spawn(loop,
                          look_up(std::move(token), std::move(audiences), digest, running_.enter()),
                          boost::asio::detached);
  }
  const CancelRegistration registration = async::end_wait_when(cancel, answer);
  Result<WebhookVerdict> verdict = co_await answer.wait();
  if (!verdict) co_return WebhookVerdict{.error = verdict.error().message()};
  co_return *std::move(verdict);
}

// What went wrong may go right the next time.
std::chrono::nanoseconds TokenWebhook::kept_for(const WebhookVerdict& verdict) const {
  if (!verdict.is_answer) return {};
  return verdict.error.empty() ? options_.kept : std::min(options_.kept, options_.errors_kept);
}

boost::asio::awaitable<void> TokenWebhook::look_up(Secret token, std::vector<std::string> audiences,
                                                   Sha256::Digest digest,
                                                   async::Gate::Pass pass) const {
  WebhookVerdict verdict{.error = "the server is stopping"};
  if (pass) verdict = co_await question(std::move(token), std::move(audiences));
  if (const auto kept = kept_for(verdict); kept.count() > 0) {
    known_.keep(digest, std::make_shared<const Known>(Known{
                            .verdict = verdict,
                            .until = means_.clock.steady_now() +
                                     std::chrono::duration_cast<SteadyTime::duration>(kept)}));
  }
  Waiting waiting;
  {
    const std::lock_guard lock(mu_);
    if (const auto found = asking_.find(digest); found != asking_.end()) {
      waiting = std::move(found->second);
      asking_.erase(found);
    }
  }
  for (async::OneShot<WebhookVerdict>& one : waiting) one.set(verdict);
}

boost::asio::awaitable<WebhookVerdict> TokenWebhook::question(
    Secret token, std::vector<std::string> audiences) const {
  const Secret body = write_review(options_.version, token, audiences);
  const Deadline deadline = Deadline::after(options_.timeout);
  auto pause = std::chrono::duration<double, std::milli>(options_.first_pause);
  Reply reply;
  for (int i = 0; i < kMostTries; ++i) {
    reply = co_await send(body, deadline);
    if (!reply.may_pass || i + 1 == kMostTries || ending_.cancelled()) break;
    thread_local std::minstd_rand random{std::random_device{}()};
    const double jitter = 1 + kPauseJitter * std::generate_canonical<double, 32>(random);
    const Deadline next =
        Deadline::after(std::chrono::duration_cast<std::chrono::nanoseconds>(pause * jitter));
    if (next > deadline) break;
    // Whoever ends the server does not wait for it.
    static_cast<void>(co_await async::sleep_until(next, ending_.token()));
    pause *= kPauseGrowth;
  }
  if (!reply.fault.empty()) {
    complain(reply.fault);
    co_return WebhookVerdict{.error = std::move(reply.fault)};
  }
  Result<ReviewAnswer> answer = read_review(reply.body);
  if (!answer) {
    complain(answer.error().message());
    co_return WebhookVerdict{.error = answer.error().message()};
  }
  WebhookVerdict out{.is_answer = true};
  if (!audiences.empty()) {
    out.audiences = common_audiences(
        answer->audiences.empty() ? options_.api_audiences : answer->audiences, audiences);
    if (out.audiences.empty()) co_return WebhookVerdict{.is_answer = true};
  }
  if (!answer->authenticated)
    co_return WebhookVerdict{.error = std::move(answer->error), .is_answer = true};
  if (!answer->user.in_group("system:authenticated"))
    answer->user.groups.emplace_back("system:authenticated");
  out.user = std::make_shared<const api::User>(std::move(answer->user));
  co_return out;
}

async::Task<http::Headers> TokenWebhook::headers() const {
  http::Headers out;
  out.add("Accept", "application/json, */*");
  out.add("Content-Type", "application/json");
  out.add("User-Agent", "strake");
  const kube::Credentials& as = options_.access.credentials;
  Secret token = as.token;
  if (!options_.access.token_file.empty()) {
    STRAKE_CO_TRY(std::string text,
                  co_await means_.workers.run(
                      [file = options_.access.token_file] { return kube::read_small_file(file); }));
    token = Secret(std::string(trim(text)));
  }
  if (!token.empty()) {
    out.add("Authorization", "Bearer " + token.reveal());
  } else if (!as.user_name.empty()) {
    out.add("Authorization",
            "Basic " + base64_encode(fmt::format("{}:{}", as.user_name, as.password.reveal())));
  }
  co_return out;
}

boost::asio::awaitable<TokenWebhook::Reply> TokenWebhook::send(Secret body,
                                                               Deadline deadline) const {
  std::shared_ptr<http::Client> client;
  {
    const std::lock_guard lock(mu_);
    client = client_;
  }
  if (!client) co_return Reply{.fault = "the server is stopping"};
  Result<http::Headers> sent = co_await headers();
  if (!sent) co_return Reply{.fault = sent.error().to_string()};
  http::ClientRequest request;
  request.to = upstream_;
  request.method = "POST";
  request.target = target_;
  request.headers = *std::move(sent);
  request.body = body.reveal();
  request.deadline = deadline;
  request.try_timeout = options_.timeout;
  request.max_body = kMostAnswer;
  request.cancel = ending_.token();
  // As client-go: a connection that breaks off may be a matter of a moment, one that cannot be made
  // is not.
  const auto broken = [](const http::Failure& why) {
    return Reply{.fault = why.message, .may_pass = why.fault == http::Fault::kClosed};
  };
  http::Outcome<http::ClientResponse> response = co_await client->send(std::move(request));
  if (!response) co_return broken(response.error());
  http::Outcome<std::string> text = co_await http::read_all(*response->body, kMostAnswer);
  if (!text) co_return broken(text.error());
  const int status = response->status;
  if (status >= 200 && status <= 206) co_return Reply{.body = *std::move(text)};
  const bool asks_patience =
      response->headers.has("Retry-After") && (status == 429 || status >= 500);
  co_return Reply{.fault = fmt::format("the webhook answered {}", status),
                  .may_pass = status == 429 || status == 500 || status == 504 || asks_patience};
}

// Not for every request of everyone.
void TokenWebhook::complain(const std::string& why) const {
  const SteadyTime now = means_.clock.steady_now();
  {
    const std::lock_guard lock(mu_);
    if (now < next_complaint_) return;
    next_complaint_ = now + kBetweenComplaints;
  }
  log::get("auth").error("the webhook for tokens could not be asked",
                         {{"server", options_.access.server}, {"error", why}});
}

}  // namespace strake::auth
