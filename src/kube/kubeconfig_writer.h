#pragma once
// A kubeconfig with one cluster, one user with a client certificate, and the context of both.
#include <string>

#include "base/secret.h"

namespace strake::kube {

struct NewKubeconfig {
  std::string cluster = {};  // names inside the file
  std::string user = {};
  std::string context = {};
  std::string server = {};
  std::string ca_pem = {};           // empty: the system's authorities
  std::string tls_server_name = {};  // this and the next ones are left out when empty
  std::string proxy_url = {};
  std::string namespace_name = {};
  bool insecure = false;
  std::string certificate_pem = {};
  Secret key_pem = {};
};

// As YAML. It holds the key: write it where nobody else can read it.
Secret write_kubeconfig(const NewKubeconfig& config);

}  // namespace strake::kube
