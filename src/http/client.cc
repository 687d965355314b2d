#include "http/client.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>

#include "http/body.h"
#include "http/client_pool.h"
#include "http/client_proxy.h"
#include "http/h1_text.h"

namespace strake::http {
namespace {

namespace asio = boost::asio;

// One first try and three retries. A proxy or server that closes every connection must not hold a
// request until its deadline.
constexpr int kMostTries = 4;

bool changes_nothing(std::string_view method) {
  return method == "GET" || method == "HEAD" || method == "OPTIONS" || method == "TRACE";
}

std::unexpected<Failure> invalid(std::string why) {
  return std::unexpected(Failure{.fault = Fault::kInvalid,
                                 .message = std::move(why),
                                 .unprocessed = true,
                                 .unanswered = true});
}

// What would break out of its line, or be read as something else, is not sent.
Outcome<> check(const ClientRequest& request) {
  if (request.to.host.empty() || !all_are(request.to.host, kTarget) ||
      request.to.host.find_first_of("/@?\\") != std::string::npos || request.to.port == 0) {
    return invalid("not a host and port that can be asked");
  }
  if (request.method.empty() || !all_are(request.method, kToken) || request.method == "CONNECT") {
    return invalid("not a method that can be sent");
  }
  if (!all_are(request.target, kTarget) ||
      (!request.target.starts_with('/') && request.target != "*")) {
    return invalid("not a path that can be asked for");
  }
  for (const Header& header : request.headers.all()) {
    if (header.name.empty() || !all_are(header.name, kToken)) {
      return invalid("not a header that can be sent");
    }
    if (!all_are(header.value, kValue)) {
      return invalid(fmt::format("the value of the header {} cannot be sent", header.name));
    }
  }
  if (!all_are(request.upgrade, kValue)) return invalid("not a protocol to upgrade to");
  return {};
}

// What the Host header says: the port only when it is not the scheme's own.
std::string authority_of(const ClientRequest& request) {
  if (const std::string_view given = request.headers.get("Host"); !given.empty()) {
    return std::string(given);
  }
  const std::string whole = host_and_port(request.to.host, request.to.port);
  if (request.to.port != (request.to.tls ? 443 : 80)) return whole;
  return whole.substr(0, whole.rfind(':'));
}

}  // namespace

bool is_sent_header(std::string_view name) {
  return equals_ignoring_case(name, "date") ||
         (!is_hop_header(name) && !equals_ignoring_case(name, "host"));
}

struct Client::Impl {
  std::vector<std::shared_ptr<ClientPool>> pools;

  // Of the loop that asks; null on any other thread.
  std::shared_ptr<ClientPool> pool_on(const async::Executor& executor) const {
    for (const auto& pool : pools) {
      if (pool->executor() == executor) return pool;
    }
    return nullptr;
  }
};

Client::Client(const async::Loops& loops, ClientOptions options) : impl_(std::make_unique<Impl>()) {
  for (std::size_t i = 0; i < loops.size(); ++i) {
    impl_->pools.push_back(std::make_shared<ClientPool>(loops.at(i), options));
  }
}

Client::Client(const async::Executor& loop, ClientOptions options)
    : impl_(std::make_unique<Impl>()) {
  impl_->pools.push_back(std::make_shared<ClientPool>(loop, options));
}

Client::~Client() {
  for (const auto& pool : impl_->pools) {
    asio::post(pool->executor(), [pool] { pool->close(); });
  }
}

namespace {

Exchange<ClientResponse> try_once(std::shared_ptr<ClientPool> pool,
                                  std::shared_ptr<Sending> sending, bool fresh, bool& was_used) {
  const ClientRequest& request = sending->request;
  const auto wait = std::make_shared<ClientWait>(
      pool->executor(), request.deadline.or_earlier(Deadline::after(request.try_timeout)),
      request.cancel);
  STRAKE_CO_TRY(Lease lease, co_await pool->acquire(request.to, wait, fresh));
  was_used = lease->was_used();
  ClientConnection& connection = *lease.connection();
  co_return co_await connection.exchange(std::move(lease), sending, wait);
}

}  // namespace

Exchange<ClientResponse> Client::send(ClientRequest request) {
  const std::shared_ptr<ClientPool> pool = impl_->pool_on(co_await asio::this_coro::executor);
  if (!pool) co_return invalid("the client is not used on one of its loops");
  if (Outcome<> checked = check(request); !checked) {
    co_return std::unexpected(std::move(checked).error());
  }
  const auto sending = std::make_shared<Sending>();
  sending->authority = authority_of(request);
  sending->target = request.target;
  // Only HTTP/1.1 can change to something else.
  if (!request.upgrade.empty()) request.to.protocol = Upstream::Protocol::kHttp1;
  const bool asks_proxy =
      request.to.proxy && request.to.proxy->kind == Proxy::Kind::kHttp && !request.to.tls;
  if (asks_proxy) {
    sending->target = fmt::format("http://{}{}", sending->authority, request.target);
    const std::string who = proxy_authorization(*request.to.proxy);
    if (!who.empty()) request.headers.set("Proxy-Authorization", who);
  }
  sending->request = std::move(request);
  ++pool->requests;
  bool fresh = false;
  for (int tries = 1;; ++tries) {
    bool was_used = false;
    Outcome<ClientResponse> response = co_await try_once(pool, sending, fresh, was_used);
    if (response || tries == kMostTries || sending->stream_taken) co_return response;
    const Failure& why = response.error();
    // A request is sent again only when no effect can happen twice. Either it is known that the
    // server did not process it (GOAWAY, REFUSED_STREAM, nothing sent yet), or a kept connection
    // turned out to be closed before any byte of an answer, and the method is safe. A body stream
    // that has been taken cannot be read again, so such a request fails at once.
    const bool was_refused = why.fault == Fault::kClosed && why.unprocessed;
    const bool was_stale = why.fault == Fault::kClosed && why.unanswered && was_used &&
                           changes_nothing(sending->request.method);
    if (!was_refused && !was_stale) co_return response;
    // When one that was kept is closed, the others may be too.
    fresh = was_used && why.unanswered;
    ++pool->retries;
  }
}

asio::awaitable<ClientStats> Client::stats() const {
  const std::shared_ptr<ClientPool> pool = impl_->pool_on(co_await asio::this_coro::executor);
  co_return pool ? pool->stats() : ClientStats();
}

}  // namespace strake::http
