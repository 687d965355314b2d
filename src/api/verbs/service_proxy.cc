#include "api/verbs/service_proxy.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "api/request/client_headers.h"
#include "api/request/forwarding.h"
#include "http/tls.h"
#include "meta/names.h"

namespace strake::api {
namespace {

using http::Headers;
using meta::Status;

// To the head of the answer; the body may take as long as it likes.
constexpr std::chrono::seconds kWaitForHead{60};
// How many addresses are tried that nobody answers at.
constexpr std::size_t kMostAddresses = 3;

Headers request_headers(const Call& call, const std::string& uri, const UserHeaders& of_users) {
  Headers out;
  for (const http::Header& one : without_user(call.request.headers, of_users).all()) {
    const std::string lower = meta::to_lower_ascii(one.name);
    if (lower != "x-forwarded-uri" && lower != "x-forwarded-for") out.add(one.name, one.value);
  }
  // The endpoint is named as the client does it.
  if (const std::string_view host = call.request.headers.get("Host"); !host.empty())
    out.add("Host", host);
  out.add("X-Forwarded-Uri", uri);
  if (std::string chain = forwarded_for(call.request); !chain.empty())
    out.add("X-Forwarded-For", chain);
  return out;
}

// A path as it is sent: what may stand in one is kept.
std::string encode_path(std::string_view path) {
  std::string out;
  for (const char c : path) {
    constexpr std::string_view kKept = "-._~/$&+,:;=@!'()*";
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (plain || kKept.contains(c)) {
      out += c;
    } else {
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return out;
}

// Where the service sends the client, as the client can reach it: a path of the service begins with
// that of the proxy.
std::string relocated(std::string_view location, std::string_view prefix, std::string_view host,
                      std::string_view own_host) {
  std::string_view path = location;
  std::string_view origin;
  if (const std::size_t scheme = location.find("://"); scheme != std::string_view::npos) {
    const std::size_t end = std::min(location.find_first_of("/?#", scheme + 3), location.size());
    const std::string_view named = location.substr(scheme + 3, end - scheme - 3);
    if (named != host && named != own_host) return std::string(location);
    if (named == own_host) origin = location.substr(0, end);
    path = location.substr(end);
  } else if (location.starts_with("//")) {
    return std::string(location);
  }
  if (!path.starts_with('/')) return std::string(location);
  const std::string_view added = path.starts_with(prefix) ? std::string_view() : prefix;
  return fmt::format("{}{}{}", origin, added, path);
}

std::string joined(const std::string& path, const std::string& query) {
  return query.empty() ? path : fmt::format("{}?{}", path, query);
}

// kube-apiserver 1.36 sends those who read the root of a service to a path with a slash, so that
// relative links work.
http::Response redirect(const Call& call) {
  http::Response out;
  out.status = 301;
  out.headers.add("Location", joined(encode_path(call.info.path) + "/", call.request.query));
  return out;
}

std::string host_of(const http::Address& address) {
  return address.ip.contains(':') ? fmt::format("[{}]:{}", address.ip, address.port)
                                  : fmt::format("{}:{}", address.ip, address.port);
}

}  // namespace

bool may_be_proxied(const http::Request& head) {
  // /api/v1/namespaces/NS/services/NAME/proxy/...
  if (!head.path.contains("/proxy")) return false;
  const auto info = read_request_info(head.method, head.path, {});
  return info && info->is_resource && info->group.empty() && info->resource == "services" &&
         info->subresource == "proxy";
}

ServiceProxy::ServiceProxy(Hub& hub, Detour detour)
    : backends_(hub),
      detour_(std::move(detour)),
      client_(std::make_shared<http::Client>(hub.loops(), http::ClientOptions())) {}

ServiceProxy::~ServiceProxy() = default;

// Endpoints are addresses, which certificates seldom name: as in kube-apiserver 1.36 none is asked
// for. Made once, so that connections are kept.
Result<std::shared_ptr<const http::TlsContext>> ServiceProxy::any_certificate() {
  const std::lock_guard lock(mu_);
  if (!tls_) {
    STRAKE_TRY(tls_, http::TlsContext::make(
                         http::ClientTlsOptions{.trust = http::ClientTlsOptions::Trust::kNobody}));
  }
  return tls_;
}

AnswerTask<http::Response> ServiceProxy::forward(Call& call, std::string path) {
  // What is behind "proxy" is the endpoint's business.
  for (const std::string& segment : {call.info.namespace_name, call.info.name}) {
    if (segment == "." || segment == ".." || segment.contains('/'))
      co_return refuse(ambiguous_path());
  }
  STRAKE_CO_TRY(const ServiceName asked, parse_service_name(call.info.name));
  STRAKE_CO_TRY(std::vector<http::Address> addresses,
                backends_.find(call.info.namespace_name, call.info.name, asked));
  const std::string& method = call.request.method;
  const bool upgrades = !call.request.upgrade.empty();
  if (path.empty() && !upgrades && (method == "GET" || method == "HEAD")) co_return redirect(call);
  if (addresses.size() > kMostAddresses) addresses.resize(kMostAddresses);
  const std::string host = host_of(addresses.front());
  if (detour_) std::ranges::transform(addresses, addresses.begin(), detour_);

  const std::string own_path = encode_path(call.info.path);
  const std::string target = path.empty() ? "/" : encode_path(path);
  const std::string_view prefix =
      std::string_view(own_path).substr(0, own_path.size() - (path.empty() ? 0 : target.size()));
  http::ClientRequest request;
  request.to = {.tls = asked.tls,
                .host = addresses.front().ip,
                .port = addresses.front().port,
                .addresses = addresses};
  if (asked.tls) {
    STRAKE_CO_TRY(request.to.tls_context, answer(any_certificate()));
  }
  // Both versions would do; an upgrade needs the first, and nobody is surprised by it.
  request.to.protocol = http::Upstream::Protocol::kHttp1;
  request.method = method;
  request.target = joined(target, call.request.query);
  const auto of_users = std::make_shared<const UserHeaders>();
  request.headers = request_headers(call, fmt::format("{}{}", prefix, target), *of_users);
  request.upgrade = call.request.upgrade;
  if (call.request.stream && has_body(call.request)) {
    request.stream = without_user(pass_on(call.request.stream, true), of_users);
    request.stream_length = length_of(call.request.headers);
  } else {
    request.body = std::move(call.request.body);
  }
  request.try_timeout = kWaitForHead;
  const WaitCancel cancel(call);
  request.cancel = cancel.token();
  const std::shared_ptr<http::Client> client = client_.load();
  if (!client) co_return refuse(Status::service_unavailable("the server is shutting down"));
  http::Outcome<http::ClientResponse> response = co_await client->send(std::move(request));
  if (!response) {
    co_return refuse(Status::service_unavailable(
        fmt::format("error trying to reach service: {}", response.error().message)));
  }

  http::Response out;
  out.status = response->status;
  const HopHeaders hop(response->headers);
  for (const http::Header& one : response->headers.all()) {
    const std::string lower = meta::to_lower_ascii(one.name);
    if (hop.has(lower) || is_cors_header(lower)) continue;
    if (lower == "location") {
      out.headers.add(one.name,
                      relocated(one.value, prefix, host, call.request.headers.get("Host")));
    } else {
      out.headers.add(one.name, one.value);
    }
  }
  if (response->upgraded) {
    out.headers.add("Upgrade", response->headers.get("Upgrade"));
    out.upgrade = join_with(std::move(response->upgraded));
  } else if (response->body) {
    out.stream = pass_on(std::move(response->body), false);
  }
  co_return out;
}

}  // namespace strake::api
