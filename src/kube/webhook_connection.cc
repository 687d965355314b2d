#include "kube/webhook_connection.h"

#include <fmt/format.h>

#include <boost/asio/post.hpp>
#include <cstdlib>
#include <random>

#include "async/signal.h"
#include "base/base64.h"
#include "base/go_duration.h"
#include "base/quote.h"
#include "base/trim.h"
#include "http/proxy.h"
#include "http/tls.h"
#include "http/url.h"
#include "kube/go_errors.h"
#include "kube/small_file.h"
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

std::string from_process(const char* name) {
  const char* found = std::getenv(name);
  return found != nullptr ? found : "";
}

Result<std::shared_ptr<const http::TlsContext>> tls_of(const Access& access) {
  http::ClientTlsOptions options;
  options.trust = access.insecure         ? http::ClientTlsOptions::Trust::kNobody
                  : access.ca_pem.empty() ? http::ClientTlsOptions::Trust::kSystem
                                          : http::ClientTlsOptions::Trust::kGiven;
  options.ca_pem = access.ca_pem;
  options.certificate_pem = access.credentials.certificate_pem;
  options.key_pem = access.credentials.key_pem;
  return http::TlsContext::make(options);
}

http::Headers headers_of(const Access& access) {
  http::Headers out;
  const Credentials& as = access.credentials;
  if (!as.token.empty()) {
    out.add("Authorization", fmt::format("Bearer {}", as.token.reveal()));
  } else if (!as.user_name.empty()) {
    out.add("Authorization",
            fmt::format("Basic {}",
                        base64_encode(fmt::format("{}:{}", as.user_name, as.password.reveal()))));
  }
  if (access.as.user.empty()) return out;
  out.add("Impersonate-User", access.as.user);
  if (!access.as.uid.empty()) out.add("Impersonate-Uid", access.as.uid);
  for (const std::string& group : access.as.groups) out.add("Impersonate-Group", group);
  for (const auto& [key, values] : access.as.extra) {
    for (const std::string& one : values) out.add(fmt::format("Impersonate-Extra-{}", key), one);
  }
  return out;
}

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

// Whether the whole time passed before somebody gave up.
boost::asio::awaitable<bool> pause_for(std::chrono::nanoseconds time, CancelToken cancel) {
  const async::Executor executor = co_await boost::asio::this_coro::executor;
  const auto given_up = std::make_shared<async::Signal>(executor);
  const CancelRegistration registration = cancel.on_cancel(
      [given_up, executor] { boost::asio::post(executor, [given_up] { given_up->notify(); }); });
  const Result<bool> notified = co_await given_up->wait(Deadline::after(time));
  co_return notified && !*notified;
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
  if (access.exec)
    return fail(Code::kUnsupported, "{}: a plugin for credentials cannot be used for a webhook",
                kubeconfig);
  STRAKE_TRY(const http::Url url, http::Url::parse(access.server));
  std::shared_ptr<WebhookConnection> out(new WebhookConnection());
  out->upstream_.tls = url.tls;
  out->upstream_.host = url.host;
  out->upstream_.port = url.port;
  out->upstream_.server_name = access.tls_server_name;
  if (url.tls) {
    auto context = tls_of(access);
    if (!context) return std::unexpected(std::move(context).error().in(kubeconfig));
    out->upstream_.tls_context = *std::move(context);
  }
  if (!access.proxy_url.empty()) {
    STRAKE_TRY(out->upstream_.proxy, http::read_proxy(access.proxy_url));
  } else {
    STRAKE_TRY(out->upstream_.proxy, http::proxy_from_environment(url, from_process));
  }
  out->path_ = url.target.substr(0, url.target.find('?'));
  // The host as it was written: a port that was left out stays so.
  const std::size_t host = access.server.find("://") + 3;
  out->url_ = access.server.substr(0, access.server.find_first_of("/?#", host)) + out->path_;
  out->headers_ = headers_of(access);
  out->token_file_ = access.token_file;
  return out;
}

http::ClientRequest WebhookConnection::request(std::string body, const PostOptions& options) const {
  http::ClientRequest out;
  out.to = upstream_;
  out.method = "POST";
  out.target = fmt::format("{}?timeout={}", path_, format_go_duration(options.timeout));
  out.headers = headers_;
  if (!token_file_.empty()) {
    // Without the file, the service says what it thinks of a caller without a token.
    if (const auto token = read_small_file(token_file_)) {
      out.headers.remove("Authorization");
      out.headers.add("Authorization", fmt::format("Bearer {}", trim(*token)));
    }
  }
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
    std::string why = go_transport_error(failure, upstream_.host, {}, system_clock().now());
    if (failure.fault == http::Fault::kTimeout) why += fmt::format(" (Client.Timeout {})", when);
    return Failed{fmt::format(
        "Post {}: {}",
        quote(fmt::format("{}?timeout={}", url_, format_go_duration(options.timeout))), why)};
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
    if (!co_await pause_for(with_jitter(pause, options.backoff.jitter), options.cancel))
      co_return reply;
    pause = std::chrono::duration_cast<std::chrono::nanoseconds>(pause * options.backoff.factor);
  }
}

}  // namespace strake::kube
