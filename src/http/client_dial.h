#pragma once
// A new connection: names become addresses, addresses sockets, and through a proxy and TLS what can
// be spoken on. Internal to http.
#include <memory>

#include "http/client.h"
#include "http/client_wait.h"
#include "http/transport.h"

namespace strake::http {

struct Dialled {
  std::shared_ptr<Transport> transport;  // leaves its loop's list when it is destroyed
  bool is_h2 = false;
};

// What a dial needs of its client, for as long as connections live.
struct Dialler {
  std::shared_ptr<LoopContext> loop;
  TransportOptions transport_options{.side = Side::kClient};
  std::shared_ptr<const TlsContext> system_tls;  // for upstreams that bring none
  std::optional<std::chrono::milliseconds> connect_timeout = {};
};

// The wait is the caller's. Fails with kResolve, kConnect, kProxy, kTls, kProtocol, kTimeout or
// kCancelled.
Exchange<Dialled> dial(std::shared_ptr<Dialler> dialler, Upstream to,
                       std::shared_ptr<ClientWait> wait);

}  // namespace strake::http
