#include "cli/webhook/webhook_server.h"

#include <fmt/format.h>

#include <chrono>
#include <thread>

#include "base/log.h"
#include "cli/webhook/admission_review.h"
#include "cli/webhook/webhook_config.h"

namespace strake::cli {
namespace {

http::Response respond(int status, std::string_view type, std::string body) {
  http::Response out;
  out.status = status;
  out.headers.add("Content-Type", type);
  out.body.emplace_back(std::move(body));
  return out;
}
http::Response say_plainly(int status, std::string body) {
  return respond(status, "text/plain; charset=utf-8", std::move(body));
}

}  // namespace

WebhookHandler::WebhookHandler(std::shared_ptr<const WebhookJudge> judge)
    : judge_(std::move(judge)), workers_(std::max(1U, std::thread::hardware_concurrency())) {}

void WebhookHandler::use(std::shared_ptr<const WebhookJudge> judge) {
  judge_.store(std::move(judge));
}

void WebhookHandler::note_reload(bool good) { ++(good ? reloads_ : failed_reloads_); }

void WebhookHandler::note_certificate(WallTime good_until) {
  certificate_until_ =
      std::chrono::duration_cast<std::chrono::seconds>(good_until.time_since_epoch()).count();
}

boost::asio::awaitable<http::Response> WebhookHandler::handle(http::Request request) {
  const bool reads = request.method == "GET" || request.method == "HEAD";
  if (reads &&
      (request.path == "/healthz" || request.path == "/livez" || request.path == "/readyz"))
    co_return say_plainly(200, "ok");
  if (reads && request.path == "/metrics")
    co_return respond(200, "text/plain; version=0.0.4; charset=utf-8", metrics());
  if (request.path != kReviewPath && request.path != "/") co_return say_plainly(404, "not found\n");
  if (request.method != "POST") co_return say_plainly(405, "reviews are posted\n");
  if (request.body_too_large) {
    ++failed_;
    co_return say_plainly(413, "the review is too large\n");
  }
  const auto begun = std::chrono::steady_clock::now();
  http::Response out = co_await review(std::move(request));
  nanoseconds_ += static_cast<std::uint64_t>(
      std::chrono::nanoseconds(std::chrono::steady_clock::now() - begun).count());
  co_return out;
}

boost::asio::awaitable<http::Response> WebhookHandler::review(http::Request request) {
  std::string why;
  try {
    const Result<ReviewAnswer> answer =
        co_await workers_.run([judge = judge_.load(), body = std::move(request.body)] {
          return answer_review(body, *judge);
        });
    if (answer) {
      ++(answer->allowed ? allowed_ : denied_);
      co_return respond(200, "application/json", answer->json);
    }
    ++failed_;
    if (answer.error().code() == Code::kBadRequest)
      co_return say_plainly(400, fmt::format("{}\n", answer.error().message()));
    why = answer.error().message();
  } catch (const std::exception& error) {
    // An arena that is full: docs/adr/0003.
    ++failed_;
    why = error.what();
  }
  log::get("webhook").error("a review could not be answered", {{"error", why}});
  co_return say_plainly(500, "the review could not be judged\n");
}

std::string WebhookHandler::metrics() const {
  std::string out;
  const auto head = [&](std::string_view name, std::string_view type, std::string_view help) {
    out += fmt::format("# HELP {} {}\n# TYPE {} {}\n", name, help, name, type);
  };
  head("strake_webhook_reviews_total", "counter", "Reviews by what came of them.");
  out += fmt::format("strake_webhook_reviews_total{{result=\"allowed\"}} {}\n", allowed_.load());
  out += fmt::format("strake_webhook_reviews_total{{result=\"denied\"}} {}\n", denied_.load());
  out += fmt::format("strake_webhook_reviews_total{{result=\"failed\"}} {}\n", failed_.load());
  head("strake_webhook_review_seconds_total", "counter", "Time that reviews took together.");
  out += fmt::format("strake_webhook_review_seconds_total {:.6f}\n",
                     static_cast<double>(nanoseconds_.load()) / 1e9);
  head("strake_webhook_reloads_total", "counter", "Times that files were read anew.");
  out += fmt::format("strake_webhook_reloads_total{{result=\"good\"}} {}\n", reloads_.load());
  out +=
      fmt::format("strake_webhook_reloads_total{{result=\"failed\"}} {}\n", failed_reloads_.load());
  head("strake_webhook_kinds", "gauge", "Kinds and versions that there are schemas for.");
  out += fmt::format("strake_webhook_kinds {}\n", judge_.load()->kinds().size());
  head("strake_webhook_certificate_expiry_seconds", "gauge",
       "When the serving certificate runs out, in seconds since 1970.");
  out += fmt::format("strake_webhook_certificate_expiry_seconds {}\n", certificate_until_.load());
  return out;
}

}  // namespace strake::cli
