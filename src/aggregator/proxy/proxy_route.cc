#include "aggregator/proxy/proxy_route.h"

#include <fmt/format.h>

#include <chrono>
#include <optional>
#include <string>

#include "aggregator/proxy/user_end.h"
#include "api/request/forwarding.h"
#include "api/verbs/forward.h"
#include "api/verbs/respond.h"
#include "base/log.h"
#include "meta/names.h"
#include "meta/status.h"

namespace strake::aggregator {
namespace {

using api::Call;
using http::Headers;
using http::Response;

// As kube-apiserver 1.36 gives discovery. Others have the time of their request.
constexpr std::chrono::seconds kDiscoveryTime{5};
// An answer that is no longer goes to the client in one piece, with its length.
constexpr std::uint64_t kSmall = 64 * 1024;
// To the head of an answer that may take as long as its client waits.
constexpr std::chrono::hours kWaitForWatch{1};

// The next segment of a path that is not empty, decoded; nothing at the end, and for what cannot be
// decoded.
std::optional<std::string> next_segment(std::string_view& path) {
  while (path.starts_with('/')) path.remove_prefix(1);
  const std::string_view segment = path.substr(0, path.find('/'));
  path.remove_prefix(segment.size());
  if (segment.empty()) return std::nullopt;
  if (!segment.contains('%')) return std::string(segment);
  Result<std::string> decoded = http::percent_decode(segment);
  if (!decoded) return std::nullopt;
  return *std::move(decoded);
}

// /apis/GROUP/VERSION and nothing else.
bool is_discovery(std::string_view path) {
  for (int i = 0; i < 3; ++i) {
    if (!next_segment(path)) return false;
  }
  return !next_segment(path);
}

// Whether the server is to blame, or the way to it.
bool concerns_server(http::Fault fault) {
  return fault != http::Fault::kInvalid && fault != http::Fault::kCancelled &&
         fault != http::Fault::kSource;
}

Response unavailable() { return api::text_response(503, "service unavailable\n"); }

Response unreachable(std::string_view why) {
  return api::text_response(503, fmt::format("error trying to reach service: {}\n", why));
}

Headers request_headers(const Call& call) {
  Headers out;
  // What the client says of its connection is applied to its own headers alone: behind this, no
  // Connection header is left that could name those that are set below.
  const api::HopHeaders hop(call.request.headers);
  for (const http::Header& one : call.request.headers.all()) {
    const std::string lower = meta::to_lower_ascii(one.name);
    if (hop.has(lower) || lower.starts_with("x-forwarded-") || lower == "forwarded" ||
        lower == "audit-id") {
      continue;
    }
    out.add(one.name, one.value);
  }
  if (std::string chain = api::forwarded_for(call.request); !chain.empty())
    out.add("X-Forwarded-For", chain);
  if (const std::string_view host = call.request.headers.get("Host"); !host.empty())
    out.add("X-Forwarded-Host", host);
  out.add("X-Forwarded-Proto", call.request.tls ? "https" : "http");
  out.add("X-Forwarded-Uri", call.request.path);
  out.add("Audit-ID", call.audit_id);
  return out;
}

BackendRequest to_backend(Call& call, ApiServicePtr service) {
  BackendRequest out;
  out.service = std::move(service);
  out.user = call.user;
  out.method = call.request.method;
  out.target = call.request.query.empty()
                   ? call.request.path
                   : fmt::format("{}?{}", call.request.path, call.request.query);
  out.headers = request_headers(call);
  out.upgrade = call.request.upgrade;
  if (call.request.stream && api::has_body(call.request)) {
    out.stream = api::pass_on(call.request.stream, true);
    out.stream_length = api::length_of(call.request.headers);
  } else {
    out.body = std::move(call.request.body);
  }
  if (call.time) {
    const bool short_one = is_discovery(call.request.path);
    const std::chrono::nanoseconds time =
        short_one ? std::min<std::chrono::nanoseconds>(kDiscoveryTime, call.time->limit.time)
                  : call.time->limit.time;
    out.deadline = Deadline::after(time);
    out.head_timeout = std::chrono::duration_cast<std::chrono::milliseconds>(time);
  } else {
    out.head_timeout = kWaitForWatch;
  }
  return out;
}

// What the client gets of an answer. `end` where that may go on for as long as the client wants.
Response from_backend(http::ClientResponse answer, std::shared_ptr<UserEnd> end) {
  Response out;
  if (answer.status >= 300 && answer.status <= 399 && answer.headers.has("Location")) {
    // A client would follow it with the credentials that it has for this server.
    return api::text_response(
        502, "the backend attempted to redirect this request, which is not permitted");
  }
  out.status = answer.status;
  const api::HopHeaders hop(answer.headers);
  for (const http::Header& one : answer.headers.all()) {
    const std::string lower = meta::to_lower_ascii(one.name);
    // The audit ID is that of the request, which this server gives itself.
    if (hop.has(lower) || api::is_cors_header(lower) || lower == "audit-id") continue;
    out.headers.add(one.name, one.value);
  }
  if (answer.upgraded) {
    out.headers.add("Upgrade", answer.headers.get("Upgrade"));
    out.upgrade = end ? until(std::move(end), std::move(answer.upgraded))
                      : api::join_with(std::move(answer.upgraded));
  } else if (answer.body) {
    out.stream = api::pass_on(std::move(answer.body), end == nullptr);
    if (end) out.stream = until(std::move(end), std::move(out.stream));
  }
  return out;
}

}  // namespace

ApiServicePtr ProxyRoute::service_of(std::string_view path) const {
  // The usual server has none, and reads no path twice.
  if (!services_.any_remote()) return nullptr;
  const auto root = next_segment(path);
  if (root == "api") {
    // One APIService leads to all of it.
    return services_.find_remote("", "v1");
  }
  if (root != "apis") return nullptr;
  const auto group = next_segment(path);
  const auto version = group ? next_segment(path) : std::nullopt;
  // The group of APIServices is this server's own whatever they say.
  if (!version || *group == "apiregistration.k8s.io") return nullptr;
  return services_.find_remote(*group, *version);
}

bool ProxyRoute::takes(const Call& call) const {
  // A body that is still on its way was meant to be sent on; nobody else here takes it.
  return service_of(call.request.path) != nullptr ||
         (call.request.stream && !api::may_be_proxied(call.request));
}

bool ProxyRoute::wants_stream(const http::Request& head) const {
  return service_of(head.path) != nullptr;
}

api::AnswerTask<Response> ProxyRoute::answer(std::shared_ptr<Call> call) {
  // Authorization was asked about the segments as they are here. A server that decodes the whole
  // path first, or resolves it, would read another resource in it.
  if (!api::has_plain_segments(call->request.path)) co_return api::refuse(api::ambiguous_path());
  const ApiServicePtr service = service_of(call->request.path);
  if (!service || !service->is_available()) co_return unavailable();
  const bool finite = call->time != nullptr && call->request.upgrade.empty();
  BackendRequest request = to_backend(*call, service);
  const api::WaitCancel cancel(*call);
  request.cancel = cancel.token();
  std::shared_ptr<UserEnd> end;
  if (!finite) {
    api::Core& core = *core_.load();
    end = std::make_shared<UserEnd>(core.streams, call->asking->name, call->request.remote_address,
                                    co_await boost::asio::this_coro::executor, cancel.token());
    // From here on it ends with the rights of its user. If they ended before, nobody found it.
    if (!core.authenticator.still_accepts(*call->asking, call->request))
      co_return api::refuse(meta::Status::unauthorized());
    request.cancel = end->token();
  }
  auto answer = co_await backends_.send(std::move(request));
  if (answer) {
    http::ClientResponse& head = answer->response;
    const auto length = api::length_of(head.headers);
    std::string whole;
    if (finite && head.body && length && *length <= kSmall) {
      auto read = co_await http::read_all(*head.body, kSmall);
      if (!read && call->is_cancelled()) co_return api::refuse(Call::cancelled());
      if (!read) co_return unreachable("unexpected EOF");
      whole = *std::move(read);
      head.body.reset();
    }
    Response out = from_backend(std::move(head), std::move(end));
    if (!whole.empty()) out.body.emplace_back(std::move(whole));
    co_return out;
  }
  const BackendFailure& failure = answer.error();
  if (call->is_cancelled()) co_return api::refuse(Call::cancelled());
  log::get("aggregator")
      .debug("a request could not be sent on",
             {{"name", service->name}, {"host", failure.host}, {"error", failure.message}});
  if (concerns_server(failure.fault)) availability_.suspect(service->name);
  if (failure.unresolved) co_return unavailable();
  co_return unreachable(failure.message);
}

}  // namespace strake::aggregator
