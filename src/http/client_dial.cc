#include "http/client_dial.h"

#include <fmt/format.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <algorithm>
#include <boost/asio/ip/tcp.hpp>
#include <cerrno>
#include <cstring>

#include "http/client_proxy.h"

namespace strake::http {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;

// No address gets less, so that the first one does not use up what the others need (as Go does).
constexpr std::chrono::seconds kLeastForAddress{2};

struct Found {
  bool done = false;
  boost::system::error_code error;
  std::vector<tcp::endpoint> endpoints;
};

std::string text_of(const tcp::endpoint& endpoint) {
  const std::string ip = endpoint.address().to_string();
  return endpoint.address().is_v6() ? fmt::format("[{}]:{}", ip, endpoint.port())
                                    : fmt::format("{}:{}", ip, endpoint.port());
}

class Dial {
 public:
  Dial(std::shared_ptr<Dialler> dialler, Upstream to, std::shared_ptr<ClientWait> wait)
      : dialler_(std::move(dialler)), to_(std::move(to)), wait_(std::move(wait)) {}

  Exchange<Dialled> run() {
    STRAKE_CO_TRY(const std::vector<tcp::endpoint> endpoints, co_await find_endpoints());
    STRAKE_CO_TRY(std::shared_ptr<Transport> transport, co_await connect(endpoints));
    transport->set_listener([wait = wait_] { wait->notify(); });
    if (Outcome<> ready = co_await prepare(*transport); !ready) {
      transport->close_now();
      co_return std::unexpected(std::move(ready).error());
    }
    transport->set_listener(nullptr);
    const bool is_h2 =
        to_.tls ? transport->speaks_h2() : to_.protocol == Upstream::Protocol::kHttp2;
    if (to_.protocol == Upstream::Protocol::kHttp2 && !is_h2) {
      transport->close_now();
      co_return failed(Fault::kProtocol, "the server does not speak HTTP/2");
    }
    co_return Dialled{std::move(transport), is_h2};
  }

 private:
  Exchange<> prepare(Transport& transport) {
    if (to_.proxy) STRAKE_CO_CHECK(co_await pass_proxy(transport, to_, *wait_));
    if (to_.tls) STRAKE_CO_CHECK(co_await shake_hands(transport));
    co_return Outcome<>();
  }

  // Of the proxy, when there is one: it knows the way to the host.
  Exchange<std::vector<tcp::endpoint>> find_endpoints() {
    std::vector<tcp::endpoint> endpoints;
    boost::system::error_code error;
    for (const Address& address : to_.addresses) {
      if (to_.proxy) break;
      const auto ip = asio::ip::make_address(address.ip, error);
      if (error) {
        co_return failed(Fault::kInvalid, fmt::format("not an address: \"{}\"", address.ip));
      }
      endpoints.emplace_back(ip, address.port);
    }
    if (!endpoints.empty()) co_return endpoints;
    const std::string& host = to_.proxy ? to_.proxy->host : to_.host;
    const std::uint16_t port = to_.proxy ? to_.proxy->port : to_.port;
    const auto ip = asio::ip::make_address(host, error);
    if (!error) {
      endpoints.emplace_back(ip, port);
      co_return endpoints;
    }
    co_return co_await resolve(host, port);
  }

  Exchange<std::vector<tcp::endpoint>> resolve(std::string host, std::uint16_t port) {
    // Shared: who gives up waiting does not stop the look-up.
    const auto found = std::make_shared<Found>();
    tcp::resolver resolver(dialler_->loop->executor());
    resolver.async_resolve(host, "", tcp::resolver::flags(),
                           [found, port, wait = wait_](boost::system::error_code error,
                                                       const tcp::resolver::results_type& all) {
                             found->done = true;
                             found->error = error;
                             for (const auto& one : all) {
                               found->endpoints.emplace_back(one.endpoint().address(), port);
                             }
                             wait->notify();
                           });
    while (!found->done) {
      if (Outcome<> waited = co_await wait_->wait(); !waited) {
        co_return std::unexpected(std::move(waited).error());
      }
    }
    if (found->error || found->endpoints.empty()) {
      co_return failed(to_.proxy ? Fault::kProxy : Fault::kResolve,
                       fmt::format("the name {} is not known: {}", host, found->error.message()));
    }
    co_return found->endpoints;
  }

  // One address after the other, each with an equal share of the time that is left. What ran out is
  // then the share of one address, which is a failed connection and no timeout of the request.
  Exchange<std::shared_ptr<Transport>> connect(std::vector<tcp::endpoint> endpoints) {
    const Deadline whole = wait_->deadline();
    Failure last{.fault = Fault::kConnect, .message = "it has no addresses"};
    for (std::size_t i = 0; i < endpoints.size(); ++i) {
      if (dialler_->connect_timeout)
        wait_->set_deadline(whole.or_earlier(Deadline::after(*dialler_->connect_timeout)));
      if (!whole.is_never() && !dialler_->connect_timeout) {
        const auto share = whole.remaining() / static_cast<std::int64_t>(endpoints.size() - i);
        wait_->set_deadline(whole.or_earlier(
            Deadline::after(std::max<std::chrono::nanoseconds>(share, kLeastForAddress))));
      }
      Outcome<std::shared_ptr<Transport>> connected = co_await connect_to(endpoints[i]);
      wait_->set_deadline(whole);
      if (connected) co_return connected;
      last = std::move(connected).error();
      if (last.fault == Fault::kCancelled || whole.expired()) break;
      if (last.fault == Fault::kTimeout) last.fault = Fault::kConnect;
    }
    last.unanswered = last.unprocessed = true;
    co_return std::unexpected(std::move(last));
  }

  Exchange<std::shared_ptr<Transport>> connect_to(tcp::endpoint endpoint) {
    const auto socket = std::make_shared<Transport::Socket>(dialler_->loop->executor());
    boost::system::error_code error;
    socket->open(endpoint.protocol(), error);
    if (!error) socket->native_non_blocking(true, error);
    const auto broken = [&](int code) {
      return std::unexpected(Failure{
          .fault = to_.proxy ? Fault::kProxy : Fault::kConnect,
          .message = fmt::format("cannot connect to {}:{}: {}", endpoint.address().to_string(),
                                 endpoint.port(), std::strerror(code)),
          .address = text_of(endpoint),
          .system_error = code});
    };
    if (error) co_return broken(error.value());
    const int on = 1;
    ::setsockopt(socket->native_handle(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
    ::setsockopt(socket->native_handle(), SOL_SOCKET, SO_KEEPALIVE, &on, sizeof(on));
    const int begun = ::connect(socket->native_handle(), endpoint.data(),
                                static_cast<socklen_t>(endpoint.size()));
    if (begun != 0 && errno != EINPROGRESS) co_return broken(errno);
    const auto ready = std::make_shared<bool>(begun == 0);
    if (!*ready) {
      socket->async_wait(Transport::Socket::wait_write,
                         [ready, socket, wait = wait_](boost::system::error_code) {
                           *ready = true;
                           wait->notify();
                         });
    }
    while (!*ready) {
      if (Outcome<> waited = co_await wait_->wait(); !waited) {
        boost::system::error_code ignored;
        socket->close(ignored);
        Failure why = std::move(waited).error();
        if (why.fault == Fault::kTimeout) {
          why.message = fmt::format("cannot connect to {}:{} in time",
                                    endpoint.address().to_string(), endpoint.port());
          why.address = text_of(endpoint);
        }
        co_return std::unexpected(std::move(why));
      }
    }
    // Writable says only that connecting ended; SO_ERROR says how.
    int code = 0;
    socklen_t size = sizeof(code);
    ::getsockopt(socket->native_handle(), SOL_SOCKET, SO_ERROR, &code, &size);
    if (code != 0) co_return broken(code);
    // The socket's own operation has ended, and nobody else has it.
    const std::shared_ptr<LoopContext> loop = dialler_->loop;
    co_return std::shared_ptr<Transport>(
        new Transport(loop, std::move(*socket), nullptr, dialler_->transport_options),
        [dialler = dialler_](Transport* transport) {
          dialler->loop->remove(*transport);
          delete transport;
        });
  }

  Exchange<> shake_hands(Transport& transport) {
    const bool offers_h2 = to_.protocol != Upstream::Protocol::kHttp1;
    transport.start_tls(to_.tls_context ? to_.tls_context : dialler_->system_tls,
                        {.server_name = to_.server_name.empty() ? to_.host : to_.server_name,
                         .offers_h2 = offers_h2});
    while (true) {
      const TlsStep step = transport.handshake_now();
      if (step == TlsStep::kDone) co_return Outcome<>();
      if (step != TlsStep::kMore) {
        const std::string_view why = transport.tls_failure();
        co_return std::unexpected(
            Failure{.fault = Fault::kTls,
                    .message = fmt::format("no TLS with the server: {}",
                                           why.empty() ? "it closed the connection" : why),
                    .unprocessed = true,
                    .unanswered = true,
                    .certificate = transport.certificate_fault()});
      }
      transport.arm_read();
      if (transport.staged() > 0) transport.arm_write();
      STRAKE_CO_CHECK(co_await wait_->wait());
    }
  }

  std::shared_ptr<Dialler> dialler_;
  Upstream to_;
  std::shared_ptr<ClientWait> wait_;
};

}  // namespace

Exchange<Dialled> dial(std::shared_ptr<Dialler> dialler, Upstream to,
                       std::shared_ptr<ClientWait> wait) {
  Dial dial(std::move(dialler), std::move(to), std::move(wait));
  co_return co_await dial.run();
}

}  // namespace strake::http
