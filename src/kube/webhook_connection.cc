#include "kube/webhook_connection.h"

#include <fmt/format.h>

#include <random>

#include "async/signal.h"
#include "base/go_duration.h"
#include "base/quote.h"
#include "base/trim.h"
#include "kube/go_errors.h"
#include "value/fields.h"
#include "value/json_reader.h"

namespace strake::kube {
namespace {

using Failed = WebhookConnection::Failed;
using Reply = std::expected<std::string, Failed>;
using value::Value;

// Answers are small: a review, or nothing at all.
constexpr std::size_t kMostAnswered = 3U << 20;
// Of a body that is shown to people, as client-go cuts it.
constexpr std::size_t kMostTextShown = 2048;

// What client-go makes of an answer that is no success: the Status in it, or its code alone.
Failed status_failure(const http::ClientResponse& response, std::string_view body) {
  constexpr std::string_view kHealing[] = {"InternalError", "Timeout", "TooManyRequests",
                                           "ServerTimeout"};
  const int code = response.status;
  Failed out;
  out.may_heal = code == 429 || code == 504 || (code >= 500 && code != 503) ||
                 (code >= 500 && response.headers.has("Retry-After"));
  const Result<value::Document> read = value::read_json(body, value::ReadOptions::as_api_server());
  if (read && read->root().is_object() && value::text_of(read->root(), "kind") == "Status" &&
      value::text_of(read->root(), "status") == "Failure") {
    const std::string_view reason = value::text_of(read->root(), "reason");
    if (!reason.empty()) out.may_heal = std::ranges::find(kHealing, reason) != std::end(kHealing);
    out.message = value::text_of(read->root(), "message");
    return out;
  }
  const std::string_view type = response.headers.get("Content-Type");
  const bool is_text = type.empty() || type.starts_with("text/");
  out.message = go_status_error(code, is_text ? trim(body.substr(0, kMostTextShown)) : "unknown");
  return out;
}

std::chrono::nanoseconds with_jitter(std::chrono::nanoseconds time, double jitter) {
  static thread_local std::minstd_rand random(std::random_device{}());
  const double more = std::uniform_real_distribution<>(0, jitter)(random);
  return std::chrono::duration_cast<std::chrono::nanoseconds>(time * (1 + more));
}

}  // namespace

Result<std::shared_ptr<const WebhookConnection>> WebhookConnection::open(
    const std::string& kubeconfig) {
  STRAKE_TRY(const Access access,
             find_access({.kubeconfig = kubeconfig, .context = {}, .environment = {}}));
  auto made = make(access);
  if (!made) return std::unexpected(std::move(made).error().in(kubeconfig));
  return made;
}

Result<std::shared_ptr<const WebhookConnection>> WebhookConnection::make(const Access& access,
                                                                         std::string_view path) {
  std::shared_ptr<WebhookConnection> out(new WebhookConnection());
  STRAKE_TRY(out->caller_, Caller::make(access));
  out->caller_.append_path(path);
  return out;
}

http::ClientRequest WebhookConnection::request(std::string body, const PostOptions& options) const {
  http::ClientRequest out;
  out.to = caller_.upstream;
  out.method = "POST";
  out.target = fmt::format("{}?timeout={}", caller_.path, format_go_duration(options.timeout));
  out.headers = caller_.headers_now();
  out.headers.add("Accept", "application/json, */*");
  out.headers.add("Content-Type", "application/json");
  out.headers.add("User-Agent", "strake");
  out.body = std::move(body);
  out.deadline = Deadline::after(options.timeout);
  out.try_timeout = std::chrono::ceil<std::chrono::milliseconds>(options.timeout);
  out.max_body = kMostAnswered;
  out.cancel = options.cancel;
  return out;
}

boost::asio::awaitable<Reply> WebhookConnection::try_once(http::Client& client, std::string body,
                                                          PostOptions options) const {
  http::Outcome<http::ClientResponse> response = co_await client.send(request(body, options));
  // A kept connection that the service had closed: the questions here may be asked twice.
  if (!response && response.error().fault == http::Fault::kClosed && response.error().unanswered)
    response = co_await client.send(request(std::move(body), options));
  const auto broken = [&](const http::Failure& failure, std::string_view when) {
    std::string why = go_transport_error(failure, caller_.upstream.host, {}, system_clock().now());
    if (failure.fault == http::Fault::kTimeout) why += fmt::format(" (Client.Timeout {})", when);
    return Failed{fmt::format(
        "Post {}: {}",
        quote(fmt::format("{}?timeout={}", caller_.url, format_go_duration(options.timeout))),
        why)};
  };
  if (!response)
    co_return std::unexpected(broken(response.error(), "exceeded while awaiting headers"));
  http::Outcome<std::string> read = co_await http::read_all(*response->body, kMostAnswered);
  if (!read) {
    if (read.error().fault == http::Fault::kTooLarge)
      co_return std::unexpected(Failed{read.error().message});
    co_return std::unexpected(broken(read.error(), "or context cancellation while reading body"));
  }
  if (response->status < 200 || response->status > 206)
    co_return std::unexpected(status_failure(*response, *read));
  co_return *std::move(read);
}

boost::asio::awaitable<Reply> WebhookConnection::post(std::shared_ptr<http::Client> client,
                                                      std::string body, PostOptions options) const {
  if (!client) co_return std::unexpected(Failed{"context canceled"});
  std::chrono::nanoseconds pause = options.backoff.first;
  for (int tries = 1;; ++tries) {
    Reply reply = co_await try_once(*client, body, options);
    if (reply || tries >= options.backoff.tries || options.cancel.cancelled()) co_return reply;
    if (!options.retry_always && !reply.error().may_heal) co_return reply;
    const auto waited = Deadline::after(with_jitter(pause, options.backoff.jitter));
    if (!co_await async::sleep_until(waited, options.cancel)) co_return reply;
    pause = std::chrono::duration_cast<std::chrono::nanoseconds>(pause * options.backoff.factor);
  }
}

}  // namespace strake::kube
