#pragma once
// The server that is put under load, and how to reach it: read from a kubeconfig or given by flags.
// The same load runs against any server that speaks the Kubernetes API.
#include <netinet/in.h>
#include <sys/socket.h>

#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/secret.h"

struct ssl_ctx_st;

namespace strake::load {

struct Target {
  std::string url;  // https://HOST:PORT
  std::string ca_pem;
  std::string certificate_pem;
  Secret key_pem;
  Secret token;
  std::string tls_server_name;  // empty takes the host of the URL
  bool insecure = false;        // the server's certificate is not checked
};

// The cluster and user of the current context. Certificates inline in base64 or as files, relative
// to the kubeconfig.
Result<Target> read_kubeconfig(const std::string& path);

Result<std::string> read_file(const std::string& path);

// What connections share: the address looked up once, TLS set up once.
struct Endpoint {
  std::string host_header;
  std::string server_name;
  bool server_is_address = false;  // the certificate must name an IP address
  bool insecure = false;
  std::string authorization;  // a whole header line, or empty
  sockaddr_storage address{};
  socklen_t address_size = 0;
  std::shared_ptr<ssl_ctx_st> tls;
};

Result<Endpoint> prepare(const Target& target);

}  // namespace strake::load
