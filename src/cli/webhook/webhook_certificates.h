#pragma once
// The certificate that a webhook shows, and the authority by which clusters know it.
#include <string>

#include "base/result.h"
#include "base/time.h"
#include "cli/webhook/webhook_options.h"
#include "http/tls_options.h"

namespace strake::cli {

struct WebhookCertificates {
  http::TlsOptions tls;
  std::string ca_pem;   // for the caBundle
  WallTime good_until;  // of the certificate
};

// From the files of the options, or from an authority of our own, which is made at the first time:
// a certificate that is about to run out, or does not name all hosts, is made anew.
Result<WebhookCertificates> load_certificates(const WebhookOptions& options, const Clock& clock);

}  // namespace strake::cli
