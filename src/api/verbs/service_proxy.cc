#include "api/verbs/service_proxy.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <set>

#include "async/concurrently.h"
#include "base/trim.h"
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

constexpr std::string_view kHopHeaders[] = {"connection",
                                            "keep-alive",
                                            "proxy-authenticate",
                                            "proxy-authorization",
                                            "proxy-connection",
                                            "te",
                                            "trailer",
                                            "transfer-encoding",
                                            "upgrade"};
// What only a page of this server may allow.
constexpr std::string_view kCorsHeaders = "access-control-";

// Credentials, and what a front proxy or an impersonator says of the user.
bool is_secret(std::string_view lower) {
  return lower == "authorization" || lower.starts_with("impersonate-") ||
         lower.starts_with("x-remote-");
}

// The headers of one message that end at this connection, in lower case.
std::set<std::string, std::less<>> hop_headers(const Headers& headers) {
  std::set<std::string, std::less<>> out(std::begin(kHopHeaders), std::end(kHopHeaders));
  for (std::string_view rest : headers.get_all("Connection")) {
    while (!rest.empty()) {
      const std::size_t comma = std::min(rest.find(','), rest.size());
      out.insert(meta::to_lower_ascii(trim(rest.substr(0, comma))));
      rest.remove_prefix(std::min(comma + 1, rest.size()));
    }
  }
  return out;
}

Headers request_headers(const Call& call, const std::string& uri) {
  Headers out;
  const auto hop = hop_headers(call.request.headers);
  for (const http::Header& one : call.request.headers.all()) {
    const std::string lower = meta::to_lower_ascii(one.name);
    // Lengths follow from the body.
    if (is_secret(lower) || hop.contains(lower) || lower == "content-length" || lower == "expect" ||
        lower == "x-forwarded-uri" || lower == "x-forwarded-for") {
      continue;
    }
    out.add(one.name, one.value);
  }
  out.add("X-Forwarded-Uri", uri);
  const std::string& client = call.request.remote_address;
  std::string chain;
  for (const std::string_view one : call.request.headers.get_all("X-Forwarded-For"))
    chain += fmt::format("{}, ", one);
  if (const std::size_t colon = client.rfind(':'); colon != std::string::npos) {
    std::string_view ip = std::string_view(client).substr(0, colon);
    if (ip.starts_with('[') && ip.ends_with(']')) ip = ip.substr(1, ip.size() - 2);
    chain += ip;
  }
  if (!chain.empty()) out.add("X-Forwarded-For", chain);
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

// What one side sends, as the other takes it.
class Passed final : public http::BodyStream {
 public:
  explicit Passed(std::shared_ptr<http::BodyReader> body) : body_(std::move(body)) {}

  async::Task<std::vector<http::Piece>> next() override {
    http::Outcome<std::string> part = co_await body_->next();
    if (!part) co_return std::unexpected(part.error().to_error());
    std::vector<http::Piece> out;
    if (!part->empty()) out.emplace_back(*std::move(part));
    co_return out;
  }
  Headers trailers() const override { return body_->trailers(); }

 private:
  std::shared_ptr<http::BodyReader> body_;
};

// Until one side ends; then the other is told.
boost::asio::awaitable<void> pass_on(http::RawStream& from, http::RawStream& to) {
  while (true) {
    http::Outcome<std::string> part = co_await from.read();
    if (!part) {
      from.close();
      to.close();
      co_return;
    }
    if (part->empty()) {
      to.finish_writing();
      co_return;
    }
    if (const auto written = co_await to.write(*std::move(part)); !written) {
      from.close();
      to.close();
      co_return;
    }
  }
}

boost::asio::awaitable<void> join(std::shared_ptr<http::RawStream> service,
                                  std::unique_ptr<http::RawStream> client) {
  co_await async::for_each_concurrently(2, 2, [&](std::size_t i) {
    return i == 0 ? pass_on(*client, *service) : pass_on(*service, *client);
  });
}

std::optional<std::uint64_t> length_of(const Headers& headers) {
  const std::string_view text = headers.get("Content-Length");
  std::uint64_t out = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return out;
}

// Whether the client sends a body. In HTTP/2 only the end tells, so there those that read have
// none.
bool has_body(const http::Request& request) {
  if (!request.upgrade.empty()) return false;
  if (const auto length = length_of(request.headers)) return *length > 0;
  if (request.headers.has("Transfer-Encoding")) return true;
  const bool reads =
      request.method == "GET" || request.method == "HEAD" || request.method == "OPTIONS";
  return request.version == 20 && !reads;
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
  request.headers = request_headers(call, fmt::format("{}{}", prefix, target));
  request.upgrade = call.request.upgrade;
  if (call.request.stream && has_body(call.request)) {
    request.stream = std::make_unique<Passed>(call.request.stream);
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
  const auto hop = hop_headers(response->headers);
  for (const http::Header& one : response->headers.all()) {
    const std::string lower = meta::to_lower_ascii(one.name);
    if (hop.contains(lower) || lower.starts_with(kCorsHeaders)) continue;
    if (lower == "location") {
      out.headers.add(one.name,
                      relocated(one.value, prefix, host, call.request.headers.get("Host")));
    } else {
      out.headers.add(one.name, one.value);
    }
  }
  if (response->upgraded) {
    out.headers.add("Upgrade", response->headers.get("Upgrade"));
    out.upgrade = [service = std::shared_ptr<http::RawStream>(std::move(response->upgraded))](
                      std::unique_ptr<http::RawStream> client) {
      return join(service, std::move(client));
    };
  } else if (response->body) {
    out.stream = std::make_unique<Passed>(std::move(response->body));
  }
  co_return out;
}

}  // namespace strake::api
