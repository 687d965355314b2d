#include "api/verbs/forward.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "api/request/client_headers.h"
#include "api/request/forwarding.h"
#include "meta/names.h"

namespace strake::api {
namespace {

using meta::Status;
using value::Document;
using value::Value;

// To the head of the answer; the body may take as long as it likes.
constexpr std::chrono::seconds kWaitForHead{60};

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

// Where the other side sends the client, as the client can reach it: a path of its own begins with
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

// What is behind the subresource, as clients of a path with nothing behind it also have it.
std::string path_of(const RequestInfo& info) {
  std::string out;
  for (const std::string& segment : info.rest) out += "/" + segment;
  if (info.path.ends_with('/')) out += '/';
  return out;
}

}  // namespace

http::Headers forwarded_headers(const Call& call) {
  http::Headers out;
  for (const http::Header& one : without_user(call.request.headers, UserHeaders()).all()) {
    const std::string lower = meta::to_lower_ascii(one.name);
    if (lower != "x-forwarded-uri" && lower != "x-forwarded-for") out.add(one.name, one.value);
  }
  // The other side is named as the client does it.
  if (const std::string_view host = call.request.headers.get("Host"); !host.empty())
    out.add("Host", host);
  if (std::string chain = forwarded_for(call.request); !chain.empty())
    out.add("X-Forwarded-For", chain);
  return out;
}

http::Response passed_on(http::ClientResponse answer) {
  http::Response out;
  out.status = answer.status;
  const HopHeaders hop(answer.headers);
  for (const http::Header& one : answer.headers.all()) {
    const std::string lower = meta::to_lower_ascii(one.name);
    if (!hop.has(lower) && !is_cors_header(lower)) out.headers.add(one.name, one.value);
  }
  if (answer.upgraded) {
    out.headers.add("Upgrade", answer.headers.get("Upgrade"));
    out.upgrade = join_with(std::move(answer.upgraded));
  } else if (answer.body) {
    out.stream = pass_on(std::move(answer.body), false);
  }
  return out;
}

Document proxy_options(const Call& call) {
  const meta::GroupVersionKind& kind = call.version->subresource(call.info.subresource)->kind;
  Document out;
  Arena& arena = out.arena();
  const auto text = [&](std::string_view from) { return Value::string(arena.copy(from)); };
  out.root() = Value::object({});
  out.root().set("apiVersion", text(meta::GroupVersion{kind.group, kind.version}.to_string()),
                 arena);
  out.root().set("kind", text(kind.kind), arena);
  if (const std::string path = path_of(call.info); !path.empty())
    out.root().set("path", text(path), arena);
  return out;
}

Answer<> check_segments(const Call& call) {
  for (const std::string& segment : {call.info.namespace_name, call.info.name}) {
    if (segment == "." || segment == ".." || segment.contains('/')) return refuse(ambiguous_path());
  }
  return {};
}

bool may_be_proxied(const http::Request& head) {
  // /api/v1/namespaces/NS/services/NAME/proxy/...
  if (!head.path.contains("/proxy")) return false;
  const auto info = read_request_info(head.method, head.path, {});
  constexpr std::string_view kResources[] = {"nodes", "pods", "services"};
  return info && info->is_resource && info->group.empty() && info->subresource == "proxy" &&
         std::ranges::find(kResources, info->resource) != std::end(kResources);
}

AnswerTask<http::Response> forward(Call& call, std::shared_ptr<http::Client> client,
                                   Destination destination, ExplainFailure explain) {
  const std::string& method = call.request.method;
  const std::string& path = destination.path;
  const bool upgrades = !call.request.upgrade.empty();
  if (path.empty() && !upgrades && (method == "GET" || method == "HEAD")) co_return redirect(call);
  if (!client) co_return refuse(Status::service_unavailable("the server is shutting down"));

  const std::string own_path = encode_path(call.info.path);
  const std::string target = path.empty() ? "/" : encode_path(path);
  const std::string_view prefix =
      std::string_view(own_path).substr(0, own_path.size() - (path.empty() ? 0 : target.size()));
  http::ClientRequest request;
  request.to = std::move(destination.to);
  // Both versions would do; an upgrade needs the first, and nobody is surprised by it.
  request.to.protocol = http::Upstream::Protocol::kHttp1;
  request.method = method;
  request.target = joined(target, call.request.query);
  request.headers = forwarded_headers(call);
  request.headers.add("X-Forwarded-Uri", fmt::format("{}{}", prefix, target));
  request.upgrade = call.request.upgrade;
  if (call.request.stream && has_body(call.request)) {
    request.stream =
        without_user(pass_on(call.request.stream, true), std::make_shared<const UserHeaders>());
    request.stream_length = length_of(call.request.headers);
  } else {
    request.body = std::move(call.request.body);
  }
  request.try_timeout = kWaitForHead;
  const WaitCancel cancel(call);
  request.cancel = cancel.token();
  http::Outcome<http::ClientResponse> response = co_await client->send(std::move(request));
  if (!response) {
    co_return refuse(Status::service_unavailable(
        fmt::format("error trying to reach service: {}", explain(response.error()))));
  }
  http::Response out = passed_on(*std::move(response));
  if (const std::string_view location = out.headers.get("Location"); !location.empty()) {
    out.headers.set("Location", relocated(location, prefix, destination.host,
                                          call.request.headers.get("Host")));
  }
  co_return out;
}

}  // namespace strake::api
