#include "kubelet/connections.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include "api/request/forbidden.h"
#include "api/request/forwarding.h"
#include "api/request/proxy_name.h"
#include "api/request/registry.h"
#include "api/verbs/forward.h"
#include "base/time.h"
#include "base/trim.h"
#include "http/client_proxy.h"
#include "http/tls.h"
#include "kinds/fields.h"
#include "kube/go_errors.h"
#include "kube/stream/websocket.h"
#include "kubelet/options.h"
#include "meta/names.h"
#include "value/fields.h"
#include "value/json_reader.h"

namespace strake::kubelet {
namespace {

using api::Answer;
using api::AnswerTask;
using api::Call;
using api::refuse;
using http::Response;
using meta::Status;
using value::Document;
using value::Value;

// To the head of an answer: a kubelet may have nothing to say until the program does.
constexpr std::chrono::hours kWaitForHead{1};
// Of an answer that says what went wrong.
constexpr std::size_t kMostRefusal = 50'000;
constexpr std::string_view kLogOptions = "PodLogOptions";

// Streams have a connection each. The numbers are for a loop.
http::ClientOptions client_options(std::chrono::milliseconds connect_timeout) {
  http::ClientOptions out;
  out.max_connections = 8192;
  out.max_connections_per_host = 2048;
  out.connect_timeout = connect_timeout;
  return out;
}

// As Go's transport says it of a server at `host`.
std::string explain(const http::Failure& failure, const std::string& host) {
  return kube::go_transport_error(failure, host, "", system_clock().now());
}

std::string with_query(std::string path, const std::string& query) {
  return query.empty() ? path : fmt::format("{}?{}", path, query);
}

const kinds::Subresource& subresource_of(const Call& call) {
  return *call.version->subresource(call.info.subresource);
}

bool has_protocol(const http::Request& request, const std::function<bool(const std::string&)>& is) {
  return http::equals_ignoring_case(request.upgrade, "websocket") &&
         std::ranges::any_of(kube::websocket_protocols(request.headers), is);
}

bool is_tunnel(const std::string& protocol) {
  return protocol.starts_with(kTunnelPrefix) && protocol.ends_with(".k8s.io");
}

// What a kubelet has to say about a request that it refuses, in few words.
AnswerTask<std::string> refusal_text(http::ClientResponse answer) {
  if (!answer.body) co_return "";
  const auto text = co_await http::read_all(*answer.body, kMostRefusal);
  if (!text) co_return refuse(Status::internal_error(text.error().message));
  co_return *text;
}

// A refusal of logs, as kube-apiserver 1.36 passes it on.
Status log_refusal(int code, const std::string& text, const std::string& pod) {
  if (code == 500) return Status::internal_error(text);
  if (code == 400) return Status::bad_request(text);
  static constexpr std::pair<int, std::string_view> kReasons[] = {
      {401, "Unauthorized"},         {403, "Forbidden"},     {404, "NotFound"},
      {405, "MethodNotAllowed"},     {406, "NotAcceptable"}, {409, "Conflict"},
      {415, "UnsupportedMediaType"}, {422, "Invalid"},       {429, "TooManyRequests"},
      {503, "ServiceUnavailable"},   {504, "Timeout"}};
  Status out;
  out.code = code;
  const auto known = std::ranges::find(kReasons, code, &std::pair<int, std::string_view>::first);
  if (known != std::end(kReasons)) {
    out.reason = known->second;
  } else if (code >= 500) {
    out.reason = "InternalError";
  }
  out.message = fmt::format("{} ( pods/log {})", kube::go_status_error(code, text), pod);
  out.details.kind = "pods/log";
  out.details.name = pod;
  return out;
}

// What a refused upgrade says: the message of a Status, or the text.
std::string upgrade_error(const std::string& text) {
  if (const auto read = value::read_json(text)) {
    for (const std::string_view member : {"message", "error"}) {
      const std::string_view said = trim(value::text_of(read->root(), member));
      if (!said.empty()) return std::string(said);
    }
  }
  const std::string_view said = trim(text);
  return said.empty() ? "empty server response" : std::string(said);
}

// Addresses of a name, all of which may be proxied to: what is looked up later could be another
// one.
AnswerTask<std::vector<http::Address>> resolve(std::string host, std::uint16_t port) {
  std::vector<http::Address> out;
  if (const auto address = parse_ip_address_sloppily(host)) {
    STRAKE_CO_CHECK(check_may_be_proxied(address));
    out.push_back({.ip = address->unmapped().to_string(), .port = port});
    co_return out;
  }
  boost::asio::ip::tcp::resolver resolver(co_await boost::asio::this_coro::executor);
  boost::system::error_code error;
  const auto found = co_await resolver.async_resolve(
      host, "", boost::asio::redirect_error(boost::asio::use_awaitable, error));
  if (error || found.empty())
    co_return refuse(Status::bad_request(fmt::format("lookup {}: no such host", host)));
  for (const auto& one : found) {
    const std::string ip = one.endpoint().address().to_string();
    STRAKE_CO_CHECK(check_may_be_proxied(parse_ip_address_sloppily(ip)));
    out.push_back({.ip = ip, .port = port});
  }
  co_return out;
}

// Pages in browsers cannot read an answer bit by bit, but messages.
Answer<Response> log_in_messages(const Call& call, std::unique_ptr<http::BodyReader> log,
                                 std::shared_ptr<CancelSource> gone) {
  constexpr std::string_view kProtocols[] = {"binary.k8s.io", kTextLogProtocol};
  const std::vector<std::string> offered = kube::websocket_protocols(call.request.headers);
  const auto chosen = std::ranges::find_if(offered, [&](const std::string& one) {
    return std::ranges::find(kProtocols, one) != std::end(kProtocols);
  });
  if (chosen == offered.end() && !offered.empty()) {
    return refuse(Status::bad_request(
        fmt::format("none of the protocols of WebSocket that are asked for is one of logs: {}",
                    fmt::join(kProtocols, ", "))));
  }
  const std::string protocol = offered.empty() ? std::string() : *chosen;
  auto out = kube::accept_websocket(call.request, protocol);
  if (!out) return refuse(Status::bad_request(std::string(out.error().message())));
  out->upgrade = log_session(std::move(log), protocol == kTextLogProtocol, std::move(gone));
  return *std::move(out);
}

}  // namespace

std::string KubeletConnections::Place::url() const {
  return fmt::format("https://{}{}", http::host_and_port(node.host, node.port), target);
}

KubeletConnections::KubeletConnections(const async::Loops& loops, Options options)
    : options_(std::move(options)),
      client_(std::make_shared<http::Client>(loops, client_options(options_.connect_timeout))) {}

KubeletConnections::~KubeletConnections() = default;

Result<> KubeletConnections::set_certificates(const Certificates& certificates) {
  using Trust = http::ClientTlsOptions::Trust;
  http::ClientTlsOptions options{.trust = Trust::kNobody};
  STRAKE_TRY(Context anonymous, http::TlsContext::make(options));
  options.certificate_pem = certificates.certificate_pem;
  options.key_pem = certificates.key_pem;
  STRAKE_TRY(Context unverified, http::TlsContext::make(options));
  Context verified = unverified;
  if (!certificates.authorities_pem.empty()) {
    options.trust = Trust::kGiven;
    options.ca_pem = certificates.authorities_pem;
    STRAKE_TRY(verified, http::TlsContext::make(options));
  }
  const std::lock_guard lock(mu_);
  maker_ = nullptr;
  verified_ = std::move(verified);
  unverified_ = std::move(unverified);
  anonymous_ = std::move(anonymous);
  return {};
}

void KubeletConnections::set_certificates_when_needed(std::function<Result<Certificates>()> make) {
  const std::lock_guard lock(mu_);
  maker_ = std::move(make);
}

AnswerTask<> KubeletConnections::have_certificates() {
  {
    const std::lock_guard lock(mu_);
    if (!maker_) co_return Answer<>();
  }
  const Result<> made = co_await core_.load()->workers.run([this] { return make_certificates(); });
  if (!made) co_return refuse(Status::raw_error(made.error().message()));
  co_return Answer<>();
}

Result<> KubeletConnections::make_certificates() {
  const std::lock_guard making(making_);
  std::function<Result<Certificates>()> make;
  {
    const std::lock_guard lock(mu_);
    make = maker_;
  }
  if (!make) return {};  // another request had them made meanwhile
  STRAKE_TRY(const Certificates made, make());
  return set_certificates(made);
}

Answer<Document> KubeletConnections::options_of(const Call& call) const {
  const kinds::Subresource& sub = subresource_of(call);
  using Connection = kinds::Subresource::Connection;
  if (sub.connection == Connection::kProxy) return api::proxy_options(call);
  return read_options(sub.connection == Connection::kReads ? kLogOptions : sub.kind.kind,
                      call.query);
}

AnswerTask<Response> KubeletConnections::connect(Call& call, const Document& options) {
  using Connection = kinds::Subresource::Connection;
  STRAKE_CO_CHECK(co_await have_certificates());
  switch (subresource_of(call).connection) {
    case Connection::kReads: co_return co_await read_log(call, options.root());
    case Connection::kStream: co_return co_await open_stream(call, options.root());
    default: break;
  }
  co_return co_await proxy(call, std::string(value::text_of(options.root(), "path")));
}

Answer<KubeletConnections::Found> KubeletConnections::find(std::string_view resource,
                                                           std::string_view namespace_name,
                                                           std::string_view name) const {
  const meta::GroupResource named{"", std::string(resource)};
  const api::EndpointPtr endpoint = core_.load()->registry.find("", named.resource, "v1");
  if (!endpoint) return refuse(Status::not_found(named, name));
  Found out{.object = endpoint->cache().get(endpoint->key(namespace_name, name))};
  if (!out.object) return refuse(Status::not_found(named, name));
  STRAKE_TRY(out.document, api::answer(api::parse_stored(*out.object->bytes())));
  return out;
}

Answer<NodePlace> KubeletConnections::find_node(std::string_view name) const {
  STRAKE_TRY(const Found node, find("nodes", "", name));
  return place_of_node(node.root(), options_.address_types);
}

http::ClientRequest KubeletConnections::upgrade_request(const Place& place, std::string_view method,
                                                        std::string_view protocol) {
  http::ClientRequest out;
  out.to = kubelet_at(place.node, true);
  out.to.protocol = http::Upstream::Protocol::kHttp1;
  out.method = method;
  out.target = place.target;
  out.upgrade = protocol;
  out.try_timeout = kWaitForHead;
  return out;
}

http::Upstream KubeletConnections::kubelet_at(const NodePlace& node, bool verified) {
  http::Upstream out{.tls = true, .host = node.host, .port = node.port};
  if (options_.detour) out.addresses = {options_.detour({.ip = node.host, .port = node.port})};
  const std::lock_guard lock(mu_);
  out.tls_context = verified ? verified_ : unverified_;
  return out;
}

AnswerTask<Response> KubeletConnections::read_log(Call& call, const Value& options) {
  STRAKE_CO_CHECK(check_log_options(options, call.info.name));
  STRAKE_CO_TRY(const Found pod, find("pods", call.info.namespace_name, call.info.name));
  STRAKE_CO_TRY(const std::string container,
                choose_container(pod.root(), value::text_of(options, "container")));
  const std::string_view node_name = kinds::text_of(pod.root(), {"spec", "nodeName"});
  Response out;
  if (node_name.empty()) {
    // Nobody has written anything.
    out.status = 204;
    co_return out;
  }
  STRAKE_CO_TRY(NodePlace node, find_node(node_name));
  const Place place{
      .node = std::move(node),
      .target = with_query(fmt::format("/containerLogs/{}/{}/{}", call.info.namespace_name,
                                       call.info.name, container),
                           log_query(options))};
  const std::shared_ptr<http::Client> client = client_.load();
  if (!client) co_return refuse(Status::service_unavailable("the server is shutting down"));
  http::ClientRequest request;
  request.to = kubelet_at(place.node, !value::flag_of(options, "insecureSkipTLSVerifyBackend"));
  request.target = place.target;
  request.try_timeout = kWaitForHead;
  const api::WaitCancel cancel(call);
  const auto gone = std::make_shared<CancelSource>(cancel.token());
  request.cancel = gone->token();
  http::Outcome<http::ClientResponse> answer = co_await client->send(std::move(request));
  if (!answer) {
    co_return refuse(Status::raw_error(
        fmt::format("Get \"{}\": {}", place.url(), explain(answer.error(), place.node.host))));
  }
  const int code = answer->status;
  if (code >= 300 && code <= 399 && answer->headers.has("Location")) {
    co_return refuse(
        Status::raw_error(fmt::format("Get \"{}\": redirects forbidden", place.url())));
  }
  if (code < 200 || code > 206) {
    STRAKE_CO_TRY(const std::string text, co_await refusal_text(*std::move(answer)));
    co_return refuse(log_refusal(code, text, call.info.name));
  }
  if (http::equals_ignoring_case(call.request.upgrade, "websocket") && answer->body)
    co_return log_in_messages(call, std::move(answer->body), gone);
  out.headers.add("Content-Type", "text/plain");
  // One that is followed has no end of its own.
  if (answer->body)
    out.stream = api::pass_on(std::move(answer->body), !value::flag_of(options, "follow"));
  co_return out;
}

// Who may only read pods must not run anything in them, though WebSocket asks with GET.
AnswerTask<> KubeletConnections::check_may_create(const Call& call) const {
  if (call.info.verb == "create") co_return Answer<>();
  api::RequestInfo asked = call.info;
  asked.verb = "create";
  const api::Authorizer& authorizer = core_.load()->authorizer;
  api::Authorizer::Decision decision = authorizer.authorize(*call.user, asked);
  if (decision.open) {
    const api::WaitCancel cancel(call);
    decision = co_await authorizer.ask(*call.user, asked, cancel.token());
  }
  if (decision.allowed) co_return Answer<>();
  if (!decision.error.empty()) co_return refuse(Status::raw_error(decision.error));
  co_return refuse(Status::forbidden(call.group_resource(), call.info.name, decision.reason));
}

AnswerTask<Response> KubeletConnections::open_stream(Call& call, const Value& options) {
  STRAKE_CO_CHECK(co_await check_may_create(call));
  STRAKE_CO_TRY(const Found pod, find("pods", call.info.namespace_name, call.info.name));
  std::string path =
      call.info.subresource == "portforward" ? "/portForward" : "/" + call.info.subresource;
  path += fmt::format("/{}/{}", call.info.namespace_name, call.info.name);
  const bool of_container = call.info.subresource != "portforward";
  if (of_container) {
    STRAKE_CO_TRY(const std::string container,
                  choose_container(pod.root(), value::text_of(options, "container")));
    path += "/" + container;
  }
  const std::string_view node_name = kinds::text_of(pod.root(), {"spec", "nodeName"});
  if (node_name.empty()) {
    co_return refuse(
        Status::bad_request(fmt::format("pod {} does not have a host assigned", call.info.name)));
  }
  STRAKE_CO_TRY(NodePlace node, find_node(node_name));
  const Place place{.node = std::move(node),
                    .target = with_query(std::move(path), stream_query(options))};
  if (call.request.upgrade.empty())
    co_return refuse(Status::bad_request("Upgrade request required"));
  if (!place.node.takes_websockets) {
    const auto is_exec = [](const std::string& one) { return one == kExecProtocol; };
    if (of_container && has_protocol(call.request, is_exec))
      co_return translate(call, place, options);
    if (!of_container && has_protocol(call.request, is_tunnel))
      co_return co_await open_tunnel(call, place);
  }
  co_return co_await pass_stream(call, place);
}

AnswerTask<Response> KubeletConnections::pass_stream(Call& call, const Place& place) {
  const std::shared_ptr<http::Client> client = client_.load();
  if (!client) co_return refuse(Status::service_unavailable("the server is shutting down"));
  http::ClientRequest request = upgrade_request(place, call.request.method, call.request.upgrade);
  request.headers = api::forwarded_headers(call);
  const api::WaitCancel cancel(call);
  request.cancel = cancel.token();
  http::Outcome<http::ClientResponse> answer = co_await client->send(std::move(request));
  if (!answer) {
    co_return refuse(Status::raw_error(
        fmt::format("error dialing backend: {}", explain(answer.error(), place.node.host))));
  }
  if (!answer->upgraded && answer->status < 400) {
    co_return refuse(
        Status::raw_error(fmt::format("invalid upgrade response: status code {}", answer->status)));
  }
  co_return api::passed_on(*std::move(answer));
}

AnswerTask<Response> KubeletConnections::open_tunnel(Call& call, const Place& place) {
  const std::shared_ptr<http::Client> client = client_.load();
  if (!client) co_return refuse(Status::service_unavailable("the server is shutting down"));
  http::ClientRequest request = upgrade_request(place, "POST", kSpdy);
  for (const http::Header& one : api::forwarded_headers(call).all()) {
    const std::string lower = meta::to_lower_ascii(one.name);
    if (!lower.starts_with("sec-websocket-") && lower != "x-stream-protocol-version")
      request.headers.add(one.name, one.value);
  }
  for (const std::string& protocol : kube::websocket_protocols(call.request.headers)) {
    if (is_tunnel(protocol))
      request.headers.add("X-Stream-Protocol-Version", protocol.substr(kTunnelPrefix.size()));
  }
  const api::WaitCancel cancel(call);
  request.cancel = cancel.token();
  http::Outcome<http::ClientResponse> answer = co_await client->send(std::move(request));
  if (!answer) {
    co_return refuse(Status::raw_error(
        fmt::format("error dialing backend: {}", explain(answer.error(), place.node.host))));
  }
  if (!answer->upgraded) {
    if (answer->status >= 400) co_return api::passed_on(*std::move(answer));
    co_return refuse(
        Status::raw_error(fmt::format("invalid upgrade response: status code {}", answer->status)));
  }
  const std::string_view chosen = trim(answer->headers.get("X-Stream-Protocol-Version"));
  auto out = kube::accept_websocket(
      call.request, chosen.empty() ? std::string() : fmt::format("{}{}", kTunnelPrefix, chosen));
  if (!out) co_return refuse(Status::bad_request(std::string(out.error().message())));
  out->upgrade = tunnel_session(std::move(answer->upgraded));
  co_return *std::move(out);
}

boost::asio::awaitable<std::expected<Dialled, std::string>> KubeletConnections::dial_spdy(
    Place place, CancelToken cancel) {
  const std::shared_ptr<http::Client> client = client_.load();
  if (!client) co_return std::unexpected("the server is shutting down");
  http::ClientRequest request = upgrade_request(place, "POST", kSpdy);
  for (const std::string& protocol : exec_protocols())
    request.headers.add("X-Stream-Protocol-Version", protocol);
  request.cancel = std::move(cancel);
  http::Outcome<http::ClientResponse> answer = co_await client->send(std::move(request));
  const std::string failed = fmt::format("error sending request: Post \"{}\": ", place.url());
  if (!answer) co_return std::unexpected(failed + explain(answer.error(), place.node.host));
  if (answer->upgraded) {
    std::string protocol(trim(answer->headers.get("X-Stream-Protocol-Version")));
    co_return Dialled{.stream = std::move(answer->upgraded), .protocol = std::move(protocol)};
  }
  if (answer->status >= 300 && answer->status <= 399)
    co_return std::unexpected(failed + "redirect not allowed");
  const auto text = co_await refusal_text(*std::move(answer));
  co_return std::unexpected(
      "unable to upgrade connection: " +
      (text ? upgrade_error(*text) : "unable to read error from server response"));
}

Answer<Response> KubeletConnections::translate(const Call& call, const Place& place,
                                               const Value& options) {
  auto out = kube::accept_websocket(call.request, kExecProtocol);
  if (!out) return refuse(Status::bad_request(std::string(out.error().message())));
  out->upgrade = exec_session(
      {.input = value::flag_of(options, "stdin"),
       .output = value::flag_of(options, "stdout"),
       .error = value::flag_of(options, "stderr"),
       .tty = value::flag_of(options, "tty")},
      [this, place](CancelToken cancel) { return dial_spdy(place, std::move(cancel)); });
  return *std::move(out);
}

AnswerTask<Response> KubeletConnections::proxy(Call& call, std::string path) {
  const bool to_node = call.info.namespace_name.empty();
  STRAKE_CO_TRY(const api::ProxyName asked,
                api::parse_proxy_name(call.info.name, to_node ? "node" : "pod"));
  api::Destination destination{.to = {}, .host = {}, .path = std::move(path)};
  http::Upstream& to = destination.to;
  to.tls = asked.scheme == "https";
  if (to_node) {
    STRAKE_CO_TRY(const NodePlace node, find_node(asked.name));
    const std::optional<std::uint16_t> port =
        asked.port.empty() ? node.port : parse_port(asked.port);
    if (!port)
      co_return refuse(
          Status::bad_request(fmt::format("invalid node request \"{}\"", call.info.name)));
    if (*port == node.port) {
      to = kubelet_at(node, true);
    } else {
      to.host = node.host;
      to.port = *port;
    }
    STRAKE_CO_TRY(to.addresses, co_await resolve(node.host, *port));
  } else {
    STRAKE_CO_TRY(const Found pod, find("pods", call.info.namespace_name, asked.name));
    STRAKE_CO_TRY(PodPlace place, place_of_pod(pod.root(), asked.port));
    to.host = std::move(place.ip);
    to.port = place.port != 0 ? place.port : to.tls ? 443 : 80;
    to.addresses = {{.ip = to.host, .port = to.port}};
  }
  const std::string host = to.host;
  destination.host = http::host_and_port(host, to.port);
  if (options_.detour) std::ranges::transform(to.addresses, to.addresses.begin(), options_.detour);
  if (to.tls && !to.tls_context) {
    const std::lock_guard lock(mu_);
    to.tls_context = anonymous_;
  }
  co_return co_await api::forward(
      call, client_.load(), std::move(destination),
      [host](const http::Failure& failure) { return explain(failure, host); });
}

}  // namespace strake::kubelet
