#pragma once
// Where a webhook is: a URL, or a service by its name; whom to trust there, and how messages name
// it.
#include <string>

#include "http/client.h"
#include "value/value.h"

namespace strake::admission {

struct Target {
  http::Upstream upstream;
  std::string path;     // cleaned, as Go's path.Join does
  std::string url;      // as messages name it: "https://127.0.0.1:8443/admit"
  std::string service;  // the name of the service, when it is one
  std::string fault;    // why it cannot be called, as kube-apiserver 1.36 says; empty when it can

  // From the clientConfig of a webhook, which has been validated but for its caBundle.
  static Target of(const value::Value& client_config);
};

}  // namespace strake::admission
