#include "http/server.h"

#include <fcntl.h>
#include <sys/socket.h>

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <cerrno>
#include <cstring>
#include <mutex>

#include "async/gate.h"
#include "async/run.h"
#include "async/signal.h"
#include "base/log.h"
#include "http/connection.h"
#include "http/loop_context.h"
#include "http/tls.h"
#include "http/transport.h"

namespace strake::http {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using LoopExecutor = LoopContext::LoopExecutor;
using Acceptor = asio::basic_socket_acceptor<tcp, LoopExecutor>;

// A burst of new connections must not keep those that are there waiting.
constexpr int kAcceptsInTurn = 64;
constexpr std::chrono::milliseconds kAcceptPause{20};
constexpr std::chrono::minutes kReportPeriod{1};

const log::Logger& logger() {
  static const log::Logger logger = log::get("http");
  return logger;
}

// An address as it is; a name as the system knows it, by its IPv4 address when it has one. Only
// done at the start, so it may block.
asio::ip::address find_address(const std::string& host, boost::system::error_code& error) {
  const asio::ip::address address = asio::ip::make_address(host, error);
  if (!error) return address;
  asio::io_context context;
  const auto found = tcp::resolver(context).resolve(host, "", tcp::resolver::passive, error);
  if (error || found.empty()) return {};
  for (const auto& entry : found) {
    if (entry.endpoint().address().is_v4()) return entry.endpoint().address();
  }
  return found.begin()->endpoint().address();
}

std::chrono::milliseconds shortest_timeout(const ServerOptions& options) {
  return std::min({options.header_timeout, options.body_timeout, options.idle_timeout,
                   options.write_timeout, options.handshake_timeout});
}

LoopExecutor loop_executor(const async::Loops& loops, std::size_t index) {
  return *loops.at(index).target<LoopExecutor>();
}

}  // namespace

struct Server::Impl : std::enable_shared_from_this<Server::Impl> {
  Impl(ServerOptions server_options, async::Loops& server_loops, Handler& server_handler)
      : options(std::move(server_options)),
        loops(server_loops),
        handler(server_handler),
        acceptor(loop_executor(server_loops, 0)),
        input(std::make_shared<InputBudget>(options.max_input_bytes,
                                            options.max_unauthenticated_input_bytes)) {
    for (std::size_t i = 0; i < loops.size(); ++i) {
      contexts.push_back(
          std::make_shared<LoopContext>(loop_executor(loops, i), shortest_timeout(options), input));
    }
  }

  Result<> bind();
  Result<> take_over_socket();
  asio::awaitable<void> accept_all();
  void make_room();
  void report_closed(std::size_t closed);
  void start(int descriptor);
  std::size_t connection_count() const;
  std::shared_ptr<const TlsContext> current_tls() const;

  // To every connection, on its loop.
  void drain_connections();
  void kill_connections();
  void close_acceptor();

  const ServerOptions options;
  const TransportOptions transport_options{.side = Side::kServer,
                                           .handshake_timeout = options.handshake_timeout,
                                           .write_timeout = options.write_timeout};
  async::Loops& loops;
  Handler& handler;
  Acceptor acceptor;  // on the first loop
  const std::shared_ptr<InputBudget> input;
  std::string host;
  std::uint16_t port = 0;
  std::vector<std::shared_ptr<LoopContext>> contexts;
  std::size_t turn = 0;
  std::size_t room_turn = 0;
  async::Gate gate;  // every connection is inside, and the acceptor

  mutable std::mutex mu;
  std::shared_ptr<const TlsContext> tls;              // guarded by mu
  std::size_t closed_for_room = 0;                    // guarded by mu; since the last report
  std::chrono::steady_clock::time_point next_report;  // guarded by mu
};

Result<> Server::Impl::take_over_socket() {
  const int descriptor = options.listening_socket;
  const auto refuse = [&](std::string_view why) {
    return fail(Code::kIo, "cannot listen on descriptor {}: {}", descriptor, why);
  };
  const auto option = [&](int name) {
    int value = -1;
    socklen_t size = sizeof value;
    return ::getsockopt(descriptor, SOL_SOCKET, name, &value, &size) == 0 ? value : -1;
  };
  const int family = option(SO_DOMAIN);
  if (family < 0) return refuse(std::strerror(errno));
  if ((family != AF_INET && family != AF_INET6) || option(SO_TYPE) != SOCK_STREAM)
    return refuse("not a TCP socket");
  if (option(SO_ACCEPTCONN) != 1) return refuse("the socket does not listen");
  // Whoever has made it may have left it open to programs that are started here.
  ::fcntl(descriptor, F_SETFD, FD_CLOEXEC);
  boost::system::error_code error;
  acceptor.assign(family == AF_INET ? tcp::v4() : tcp::v6(), descriptor, error);
  if (!error) acceptor.native_non_blocking(true, error);
  if (error) return refuse(error.message());
  const tcp::endpoint bound = acceptor.local_endpoint(error);
  host = bound.address().to_string();
  port = bound.port();
  return {};
}

Result<> Server::Impl::bind() {
  if (options.listening_socket >= 0) return take_over_socket();
  boost::system::error_code error;
  const auto failed = [this](std::string_view what, const boost::system::error_code& why) {
    return fail(Code::kIo, "cannot {} {}:{}: {}", what, options.host, options.port, why.message());
  };
  const asio::ip::address address = find_address(options.host, error);
  if (error) return failed("find the address of", error);
  const tcp::endpoint endpoint(address, options.port);
  acceptor.open(endpoint.protocol(), error);
  if (error) return failed("open a socket for", error);
  acceptor.set_option(Acceptor::reuse_address(true), error);
  if (!error) acceptor.bind(endpoint, error);
  if (error) return failed("listen on", error);
  acceptor.listen(4096, error);
  if (!error) acceptor.native_non_blocking(true, error);
  if (error) return failed("listen on", error);
  const tcp::endpoint bound = acceptor.local_endpoint(error);
  host = bound.address().to_string();
  port = bound.port();
  return {};
}

asio::awaitable<void> Server::Impl::accept_all() {
  asio::steady_timer pause(co_await asio::this_coro::executor);
  while (acceptor.is_open()) {
    boost::system::error_code error;
    co_await acceptor.async_wait(Acceptor::wait_read,
                                 asio::redirect_error(asio::use_awaitable, error));
    if (error || !acceptor.is_open()) break;
    make_room();
    if (connection_count() >= options.max_connections) {
      // Newcomers wait in the kernel's queue until someone leaves.
      pause.expires_after(kAcceptPause);
      co_await pause.async_wait(asio::redirect_error(asio::use_awaitable, error));
      continue;
    }
    for (int i = 0; i < kAcceptsInTurn && connection_count() < options.max_connections; ++i) {
      const int descriptor =
          ::accept4(acceptor.native_handle(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
      if (descriptor >= 0) {
        start(descriptor);
        continue;
      }
      const int why = errno;
      if (why == EMFILE || why == ENFILE || why == ENOMEM || why == ENOBUFS) {
        logger().warn("cannot accept a connection", {{"error", std::strerror(why)}});
        pause.expires_after(kAcceptPause);
        co_await pause.async_wait(asio::redirect_error(asio::use_awaitable, error));
      }
      if (why != EINTR && why != ECONNABORTED) break;
    }
  }
}

// Called when someone wants to come in. Unauthenticated clients may hold every connection: when the
// table is nearly full, those of them that were quiet longest are closed, so that whoever comes
// next can show who it is.
void Server::Impl::make_room() {
  const std::size_t reserve = std::min<std::size_t>(options.max_connections / 16, 1000);
  const std::size_t count = connection_count();
  if (count + reserve < options.max_connections) return;
  // In turn: one loop may have nobody who must go.
  const std::shared_ptr<LoopContext> loop = contexts[room_turn++ % contexts.size()];
  if (loop->making_room.exchange(true)) return;
  const std::size_t excess = count + reserve - options.max_connections + 1;
  asio::post(loop->executor(), [self = shared_from_this(), loop, excess] {
    const std::size_t closed = loop->close_idlest(excess);
    loop->making_room = false;
    if (closed > 0) self->report_closed(closed);
  });
}

void Server::Impl::report_closed(std::size_t closed) {
  const std::lock_guard lock(mu);
  closed_for_room += closed;
  const auto now = std::chrono::steady_clock::now();
  if (now < next_report) return;
  next_report = now + kReportPeriod;
  logger().warn(
      "the connection table is full; closed idle unauthenticated connections",
      {{"closed", std::exchange(closed_for_room, 0)}, {"limit", options.max_connections}});
}

void Server::Impl::start(int descriptor) {
  std::shared_ptr<LoopContext> loop = contexts[turn++ % contexts.size()];
  loop->connections.fetch_add(1, std::memory_order_relaxed);
  // A pass is the loop's thread's own from here.
  auto pass = std::make_shared<async::Gate::Pass>(gate.enter());
  asio::post(loop->executor(), [self = shared_from_this(), loop, descriptor, pass] {
    Transport::Socket socket(loop->executor());
    boost::system::error_code error;
    const int on = 1;
    sockaddr_storage name{};
    socklen_t size = sizeof(name);
    ::getsockname(descriptor, reinterpret_cast<sockaddr*>(&name), &size);
    socket.assign(name.ss_family == AF_INET6 ? tcp::v6() : tcp::v4(), descriptor, error);
    if (error || !*pass || loop->stopped) {
      if (error) ::close(descriptor);
      loop->connections.fetch_sub(1, std::memory_order_relaxed);
      return;
    }
    ::setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
    ::setsockopt(descriptor, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof(on));
    socket.native_non_blocking(true, error);
    auto transport = std::make_shared<Transport>(loop, std::move(socket), self->current_tls(),
                                                 self->transport_options);
    asio::co_spawn(loop->executor(), serve_connection(transport, self->options, self->handler),
                   asio::bind_cancellation_slot(
                       transport->cancellation_slot(),
                       [self, loop, transport, pass](const std::exception_ptr& failure) {
                         if (failure) {
                           logger().error("a connection failed");
                           transport->kill();
                         }
                         loop->remove(*transport);
                         loop->connections.fetch_sub(1, std::memory_order_relaxed);
                         *pass = {};
                       }));
  });
}

std::size_t Server::Impl::connection_count() const {
  std::size_t count = 0;
  for (const auto& loop : contexts) count += loop->connections.load(std::memory_order_relaxed);
  return count;
}

std::shared_ptr<const TlsContext> Server::Impl::current_tls() const {
  const std::lock_guard lock(mu);
  return tls;
}

void Server::Impl::close_acceptor() {
  asio::post(acceptor.get_executor(), [self = shared_from_this()] {
    boost::system::error_code ignored;
    self->acceptor.close(ignored);
  });
}

void Server::Impl::drain_connections() {
  for (const auto& loop : contexts) {
    asio::post(loop->executor(), [loop] {
      loop->draining = true;
      for (const auto& transport : loop->all()) transport->drain();
    });
  }
}

void Server::Impl::kill_connections() {
  for (const auto& loop : contexts) {
    asio::post(loop->executor(), [loop] {
      loop->draining = loop->stopped = true;
      for (const auto& transport : loop->all()) transport->kill();
    });
  }
}

// ---- Server

Server::Server(std::shared_ptr<Impl> impl) : impl_(std::move(impl)) {}

Result<std::unique_ptr<Server>> Server::listen(ServerOptions options, async::Loops& loops,
                                               Handler& handler) {
  std::shared_ptr<const TlsContext> tls = std::move(options.tls_context);
  if (options.tls) {
    if (!tls) {
      STRAKE_TRY(tls, TlsContext::make(*options.tls));
    }
    options.tls->key_pem.clear();
  }
  auto impl = std::make_shared<Impl>(std::move(options), loops, handler);
  impl->tls = std::move(tls);
  STRAKE_CHECK(impl->bind());
  auto pass = std::make_shared<async::Gate::Pass>(impl->gate.enter());
  asio::co_spawn(impl->acceptor.get_executor(), impl->accept_all(),
                 [impl, pass](const std::exception_ptr&) { *pass = {}; });
  return std::unique_ptr<Server>(new Server(std::move(impl)));
}

Server::~Server() {
  impl_->close_acceptor();
  impl_->gate.shut();
  impl_->kill_connections();
  (void)async::run_blocking(impl_->loops.at(0), impl_->gate.close());
}

std::uint16_t Server::port() const { return impl_->port; }

std::string Server::host() const { return impl_->host; }

ServerStats Server::stats() const {
  ServerStats stats;
  stats.input_bytes = impl_->input->held_bytes();
  for (const auto& loop : impl_->contexts) {
    stats.connections += loop->connections.load(std::memory_order_relaxed);
    stats.requests_in_flight += loop->in_flight.load(std::memory_order_relaxed);
    stats.requests += loop->requests.load(std::memory_order_relaxed);
  }
  return stats;
}

Result<> Server::set_tls(const TlsOptions& tls) {
  STRAKE_TRY(std::shared_ptr<const TlsContext> made, TlsContext::make(tls));
  const std::lock_guard lock(impl_->mu);
  impl_->tls = std::move(made);
  return {};
}

async::Task<> Server::drain(Deadline deadline) {
  // The server may be destroyed by whoever hears of the end first.
  const std::shared_ptr<Impl> impl = impl_;
  impl->close_acceptor();
  impl->gate.shut();
  impl->drain_connections();
  asio::steady_timer limit(co_await asio::this_coro::executor);
  if (!deadline.is_never()) {
    limit.expires_at(deadline.time());
    limit.async_wait([impl](boost::system::error_code error) {
      if (!error) impl->kill_connections();
    });
  }
  co_return co_await impl->gate.close();
}

}  // namespace strake::http
