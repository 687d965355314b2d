#pragma once
// What the flags of `strake webhook` say.
#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "cli/command/args.h"
#include "cli/io/io.h"
#include "cli/serve/listen.h"
#include "cli/validate/validate_options.h"

namespace strake::cli {

// A Service of the cluster that leads to the webhook.
struct ServiceName {
  std::string namespace_name;
  std::string name;
  std::uint16_t port = 443;
};

struct WebhookOptions {
  ValidateOptions validate;  // what is judged, and how
  Address listen;
  std::string cert_dir;  // empty with files of the user's
  std::string tls_certificate_file;
  std::string tls_key_file;
  std::string ca_file;
  std::vector<std::string> hosts;      // of the certificate
  std::optional<ServiceName> service;  // how the cluster reaches it, or else
  std::string url;                     // this; may be empty while nobody has to know
  std::string name;                    // of the configuration
  std::string failure_policy;
  std::uint64_t timeout_seconds = 10;
  std::chrono::seconds drain_timeout{30};
};

// Code::kUsage for what makes no sense.
Result<WebhookOptions> read_webhook_options(const Arguments& args, const Io& io);

}  // namespace strake::cli
