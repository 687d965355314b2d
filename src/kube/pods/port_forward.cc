#include "kube/pods/port_forward.h"

#include <fmt/format.h>

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <list>

#include "async/signal.h"
#include "http/message.h"
#include "kube/own_loop.h"
#include "kube/pods/beside.h"
#include "kube/pods/dial.h"
#include "kube/pods/links.h"

namespace strake::kube {
namespace {

namespace asio = boost::asio;
using asio::awaitable;
using asio::ip::tcp;

// The streams of a connection: what goes wrong is told on the first, what is sent goes over the
// second.
constexpr std::uint32_t kErrors = 1;
constexpr std::uint32_t kData = 3;
constexpr std::size_t kMostError = 4096;
constexpr std::size_t kChunk = 32 * 1024;

class Forwarder {
 public:
  Forwarder(const Client& cluster, const PortForwardRequest& request, ForwardEvents& events,
            http::Client& http, const Caller& caller, const async::Executor& executor)
      : cluster_(cluster),
        request_(request),
        events_(events),
        http_(http),
        caller_(caller),
        executor_(executor),
        changed_(std::make_shared<async::Signal>(executor)) {}

  async::Task<> run() {
    STRAKE_CO_TRY(spare_, co_await dial());
    STRAKE_CO_CHECK(listen());
    std::vector<ForwardedPort> ports;
    for (const Listener& one : listeners_) ports.push_back(one.port);
    events_.on_listening(request_.address, ports);
    std::vector<std::unique_ptr<Beside>> takers;
    for (Listener& one : listeners_)
      takers.push_back(std::make_unique<Beside>(executor_, take_connections(one)));
    // Whoever cancels may be on any thread, and what is posted may outlive this object.
    const CancelRegistration heard =
        cluster_.cancel().on_cancel([executor = executor_, changed = changed_] {
          asio::post(executor, [changed] { changed->notify(); });
        });
    while (cluster_.check() && !over_) {
      if (!co_await changed_->wait(cluster_.deadline())) break;
      forget_ended();
    }
    for (const auto& one : takers) co_await one->stop();
    for (const auto& one : connections_) co_await one->work->stop();
    if (over_) co_return std::unexpected(*over_);
    co_return cluster_.check();
  }

 private:
  struct Listener {
    Listener(tcp::acceptor opened, ForwardedPort of, const async::Executor& executor)
        : acceptor(std::move(opened)), port(of), room(executor) {}
    tcp::acceptor acceptor;
    ForwardedPort port;
    async::Signal room;  // a connection has ended
    std::size_t open = 0;
  };
  struct Connection {
    explicit Connection(Listener& of) : listener(of) {}
    Listener& listener;
    std::unique_ptr<Beside> work;
    bool ended = false;
  };

  async::Task<std::unique_ptr<SpdyLink>> dial() {
    STRAKE_CO_CHECK(cluster_.check());
    STRAKE_CO_TRY(
        PodStream opened,
        co_await open_pod_stream(http_, caller_, cluster_,
                                 {.path = fmt::format("/api/v1/namespaces/{}/pods/{}/portforward",
                                                      http::percent_encode(request_.namespace_name),
                                                      http::percent_encode(request_.pod)),
                                  .websocket_protocol = "SPDY/3.1+portforward.k8s.io",
                                  .spdy_protocol = "portforward.k8s.io"}));
    std::unique_ptr<http::RawStream> bytes = std::move(opened.stream);
    if (opened.websocket)
      bytes = websocket_bytes(std::make_unique<WebSocketLink>(std::move(bytes), executor_));
    co_return std::make_unique<SpdyLink>(std::move(bytes), executor_);
  }

  Result<> listen() {
    boost::system::error_code error;
    const asio::ip::address address = asio::ip::make_address(request_.address, error);
    if (error) return fail(Code::kUsage, "not an IP address to listen at: {}", request_.address);
    for (const ForwardedPort& one : request_.ports) {
      const tcp::endpoint endpoint(address, one.local);
      tcp::acceptor acceptor(executor_);
      acceptor.open(endpoint.protocol(), error);
      if (!error) acceptor.set_option(tcp::acceptor::reuse_address(true), error);
      if (!error) acceptor.bind(endpoint, error);
      if (!error) acceptor.listen(asio::socket_base::max_listen_connections, error);
      if (error)
        return fail(Code::kIo, "cannot listen at {} port {}: {}", request_.address, one.local,
                    error.message());
      const ForwardedPort port{.local = acceptor.local_endpoint().port(), .pod = one.pod};
      listeners_.emplace_back(std::move(acceptor), port, executor_);
    }
    return {};
  }

  awaitable<void> take_connections(Listener& from) {
    while (true) {
      while (from.open >= request_.max_connections) {
        if (!co_await from.room.wait(Deadline::never())) co_return;
      }
      boost::system::error_code error;
      tcp::socket socket =
          co_await from.acceptor.async_accept(asio::redirect_error(asio::use_awaitable, error));
      if (error == asio::error::operation_aborted) co_return;
      if (error) {
        // Too many open files, say: what is open has to end first.
        if (!co_await async::sleep_for(std::chrono::milliseconds(100))) co_return;
        continue;
      }
      Connection& connection = *connections_.emplace_back(std::make_unique<Connection>(from));
      ++from.open;
      connection.work = std::make_unique<Beside>(
          executor_, serve(std::make_shared<tcp::socket>(std::move(socket)), connection));
    }
  }

  awaitable<void> serve(std::shared_ptr<tcp::socket> socket, Connection& connection) {
    const ForwardedPort port = connection.listener.port;
    const Result<> served = co_await pass(std::move(socket), port);
    if (!served && served.error().code() == Code::kNotFound) {
      over_ = served.error();
    } else if (!served && cluster_.check()) {
      events_.on_failure(port, served.error());
    }
    connection.ended = true;
    --connection.listener.open;
    connection.listener.room.notify();
    changed_->notify();
  }

  void forget_ended() {
    std::erase_if(connections_, [](const auto& one) { return one->ended; });
  }

  async::Task<> pass(std::shared_ptr<tcp::socket> socket, ForwardedPort port) {
    co_await asio::this_coro::throw_if_cancelled(false);
    std::shared_ptr<SpdyLink> link = std::move(spare_);
    const bool was_spare = link != nullptr;
    if (!link) {
      STRAKE_CO_TRY(link, co_await dial());
    }
    Trouble early;
    Result<> opened = co_await open(*link, port, early);
    if (!opened && was_spare) {
      // It has waited, perhaps too long.
      STRAKE_CO_TRY(link, co_await dial());
      opened = co_await open(*link, port, early);
    }
    STRAKE_CO_CHECK(opened);
    Beside sender(executor_, send_local(socket, link));
    const Result<> received = co_await receive(*socket, *link, std::move(early));
    boost::system::error_code ignored;
    socket->close(ignored);
    link->stream().close();
    co_await sender.stop();
    co_return received;
  }

  // What the pod's side says has gone wrong.
  struct Trouble {
    std::string text;
    bool ended = false;  // it will not say more

    void take(const SpdyEvent& event) {
      if (text.size() < kMostError) text += event.data;
      ended |= event.last || event.kind == SpdyEvent::Kind::kReset;
    }
  };

  // The stream of errors before that of data, each once it is taken.
  async::Task<> open(SpdyLink& link, ForwardedPort port, Trouble& early) {
    const StreamLimit limit(executor_, cluster_, link.stream());
    const std::string number = fmt::format("{}", port.pod);
    for (const auto& [id, type] : {std::pair(kErrors, "error"), std::pair(kData, "data")}) {
      STRAKE_CO_CHECK(
          co_await link.open(id, {{"streamtype", type}, {"port", number}, {"requestid", "0"}}));
      // Nothing is said on it by this side.
      if (id == kErrors) STRAKE_CO_CHECK(co_await link.send(id, "", true));
      while (true) {
        STRAKE_CO_TRY(const std::optional<SpdyEvent> event, co_await link.next());
        if (!event || (event->kind == SpdyEvent::Kind::kReset && event->id == id))
          co_return fail(Code::kServiceUnavailable, "the pod did not take a connection to port {}",
                         port.pod);
        if (event->kind == SpdyEvent::Kind::kOpened && event->id == id) break;
        if (event->id == kErrors) early.take(*event);
      }
    }
    co_return Result<>();
  }

  // Until both sides have said all. What comes is written before more is read.
  async::Task<> receive(tcp::socket& socket, SpdyLink& link, Trouble trouble) {
    const StreamLimit limit(executor_, cluster_, link.stream());
    bool data_ended = false;
    // After trouble the pod says nothing more.
    while (!(trouble.ended && (data_ended || !trouble.text.empty()))) {
      Result<std::optional<SpdyEvent>> event = co_await link.next();
      if (!event) co_return std::unexpected(limit.reason_or(std::move(event).error()));
      if (!*event) {
        if (!trouble.text.empty()) break;
        co_return std::unexpected(limit.reason_or(
            Error(Code::kServiceUnavailable, "the connection to the pod was closed")));
      }
      SpdyEvent& one = **event;
      if (one.id == kErrors) trouble.take(one);
      if (one.id != kData) continue;
      boost::system::error_code error;
      if (!one.data.empty()) {
        co_await asio::async_write(socket, asio::buffer(one.data),
                                   asio::redirect_error(asio::use_awaitable, error));
        // The local side has left, which is its right.
        if (error) co_return Result<>();
      }
      if (one.last || one.kind == SpdyEvent::Kind::kReset) {
        data_ended = true;
        socket.shutdown(tcp::socket::shutdown_send, error);
      }
    }
    if (trouble.text.empty()) co_return Result<>();
    co_return fail(Code::kServiceUnavailable, "{}", trouble.text);
  }

  // May go on for a moment when the one that waits for it is cancelled: it shares what it uses.
  static awaitable<void> send_local(std::shared_ptr<tcp::socket> socket,
                                    std::shared_ptr<SpdyLink> link) {
    std::string chunk(kChunk, '\0');
    while (true) {
      boost::system::error_code error;
      const std::size_t count = co_await socket->async_read_some(
          asio::buffer(chunk), asio::redirect_error(asio::use_awaitable, error));
      if (error == asio::error::eof) break;
      if (error) {
        // It was broken off, not finished: so is the other side.
        if (error != asio::error::operation_aborted) link->stream().close();
        co_return;
      }
      if (!co_await link->send(kData, std::string_view(chunk).substr(0, count), false)) co_return;
    }
    static_cast<void>(co_await link->send(kData, "", true));
  }

  const Client& cluster_;
  const PortForwardRequest& request_;
  ForwardEvents& events_;
  http::Client& http_;
  const Caller& caller_;
  const async::Executor executor_;
  const std::shared_ptr<async::Signal> changed_;  // a connection has ended, or this should
  std::unique_ptr<SpdyLink> spare_;               // the first one, until somebody connects
  std::list<Listener> listeners_;
  std::list<std::unique_ptr<Connection>> connections_;
  std::optional<Error> over_;  // why it cannot go on
};

}  // namespace

Result<> forward_ports(const Client& cluster, const PortForwardRequest& request,
                       ForwardEvents& events) {
  if (request.ports.empty()) return fail(Code::kUsage, "there are no ports to forward");
  STRAKE_CHECK(cluster.wait_for_turn());
  STRAKE_TRY(const Caller caller, cluster.caller());
  OwnLoop loop;
  Forwarder forwarder(cluster, request, events, loop.client(), caller, loop.executor());
  return loop.run(forwarder.run());
}

}  // namespace strake::kube
