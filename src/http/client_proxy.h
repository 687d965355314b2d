#pragma once
// The way through a proxy, on a connection to it: CONNECT for TLS, or SOCKS5. Internal to http.
#include "http/client.h"
#include "http/client_wait.h"
#include "http/transport.h"

namespace strake::http {

// At its end the transport leads to the host, when `to` has TLS or a SOCKS5 proxy. A plain request
// through an HTTP proxy needs nothing here: it names the whole URL. The transport's listener must
// notify the wait. Fails with kProxy, kTimeout or kCancelled.
Exchange<> pass_proxy(Transport& transport, const Upstream& to, ClientWait& wait);

// "Basic ..." for Proxy-Authorization; empty when the proxy needs nobody.
std::string proxy_authorization(const Proxy& proxy);

// "host:port", with brackets where an address needs them.
std::string host_and_port(std::string_view host, std::uint16_t port);

}  // namespace strake::http
