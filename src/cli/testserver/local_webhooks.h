#pragma once
// Webhooks of a cluster that run on this machine while tests do: what configurations and
// definitions say of a service becomes a URL, as envtest of controller-runtime has it.
#include <string>

#include "value/document.h"

namespace strake::cli {

struct LocalWebhooks {
  std::string address;  // HOST:PORT; empty: configurations stay as they are
  std::string ca_pem;   // who vouches for its certificate
};

// Of a webhook configuration, or a definition with a conversion webhook; anything else stays as it
// is, and so does a clientConfig that has a URL.
void use_local_webhooks(value::Value& object, const LocalWebhooks& webhooks, Arena& arena);

}  // namespace strake::cli
