#include "admission/webhook/caller.h"

#include <fmt/format.h>

#include "admission/webhook/go_errors.h"
#include "admission/webhook/review.h"
#include "api/request/media.h"
#include "base/quote.h"
#include "base/trim.h"
#include "kube/review_answer.h"

namespace strake::admission {
namespace {

// An object of 3 MiB as a patch, in base64, with room for the rest.
constexpr std::size_t kMostAnswered = 16U << 20;
// Of a body that is shown to people, as client-go cuts it.
constexpr std::size_t kMostShown = 2048;

std::unexpected<Caller::Failed> failed_call(std::string_view why) {
  return std::unexpected(Caller::Failed{std::string(why)});
}

// Whole seconds, rounded up, as kube-apiserver tells its webhooks.
std::string timeout_query(std::chrono::nanoseconds time) {
  return fmt::format("timeout={}s", std::chrono::ceil<std::chrono::seconds>(time).count());
}

// What client-go makes of an answer that is no success.
std::string status_error(int code, const http::Headers& headers, std::string_view body) {
  if (auto message = kube::failure_message(body)) return *std::move(message);
  const std::string_view given = headers.get("Content-Type");
  const bool is_text = given.empty() || api::media_type(given).starts_with("text/");
  return go_status_error(code, is_text ? trim(body.substr(0, kMostShown)) : "unknown");
}

}  // namespace

Caller::Caller(const async::Loops& loops, const Clock& clock)
    : clock_(clock), client_(std::make_shared<http::Client>(loops, http::ClientOptions())) {}

boost::asio::awaitable<std::expected<std::string, Caller::Failed>> Caller::call(
    HookPtr hook, std::string review, std::chrono::nanoseconds time, CancelToken cancel) const {
  if (!hook->target.fault.empty()) co_return std::unexpected(Failed{hook->target.fault});
  auto answer = co_await post(hook->target, std::move(review), time, std::move(cancel));
  if (!answer)
    co_return std::unexpected(
        Failed{fmt::format("failed to call webhook: {}", answer.error().message)});
  co_return answer;
}

boost::asio::awaitable<std::expected<std::string, Caller::Failed>> Caller::post(
    const Target& target, std::string review, std::chrono::nanoseconds time,
    CancelToken cancel) const {
  if (!target.fault.empty()) co_return failed_call(target.fault);
  const std::shared_ptr<http::Client> client = client_.load();
  if (!client) co_return failed_call("context canceled");
  const std::string query = timeout_query(time);
  http::ClientRequest request;
  request.to = target.upstream;
  request.method = "POST";
  request.target = target.path + "?" + query;
  request.headers.add("Accept", "application/json, */*");
  request.headers.add("Content-Type", "application/json");
  request.headers.add("User-Agent", "kube-apiserver-admission");
  request.body = std::move(review);
  request.deadline = Deadline::after(time);
  request.try_timeout = std::chrono::ceil<std::chrono::milliseconds>(time);
  request.max_body = kMostAnswered;
  request.cancel = std::move(cancel);
  const auto broken = [&](const http::Failure& failure) {
    return failed_call(fmt::format("Post {}: {}", quote(target.url + "?" + query),
                                   go_transport_error(failure, target, clock_.now())));
  };
  http::Outcome<http::ClientResponse> response = co_await client->send(std::move(request));
  if (!response) co_return broken(response.error());
  http::Outcome<std::string> body = co_await http::read_all(*response->body, kMostAnswered);
  if (!body) {
    // The head has come: client-go words it another way.
    const http::Failure& why = body.error();
    if (why.fault == http::Fault::kTooLarge) co_return failed_call(why.message);
    co_return failed_call(fmt::format(
        "unexpected error when reading response body. Please retry. Original error: {}",
        why.fault == http::Fault::kClosed ? "unexpected EOF"
                                          : go_transport_error(why, target, clock_.now())));
  }
  if (response->status < 200 || response->status > 206)
    co_return failed_call(status_error(response->status, response->headers, *body));
  if (body->empty()) {
    const std::string_view type = response->headers.get("Content-Type");
    co_return failed_call(fmt::format("0-length response with status code: {} and content type: {}",
                                      response->status, type.empty() ? "application/json" : type));
  }
  co_return *std::move(body);
}

}  // namespace strake::admission
