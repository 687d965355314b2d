#include "cli/webhook/webhook_certificates.h"

#include "base/private_folder.h"
#include "http/pki.h"
#include "server/key_folder.h"

namespace strake::cli {
namespace {

constexpr std::string_view kAuthorityName = "strake-webhook-ca";

Result<WebhookCertificates> given_certificates(const WebhookOptions& options) {
  WebhookCertificates out;
  STRAKE_TRY(out.tls.certificate_pem, read_file(options.tls_certificate_file));
  STRAKE_TRY(out.tls.key_pem, read_file(options.tls_key_file));
  // A certificate that nobody else has signed is its own authority.
  out.ca_pem = out.tls.certificate_pem;
  if (!options.ca_file.empty()) {
    STRAKE_TRY(out.ca_pem, read_file(options.ca_file));
  }
  return out;
}

Result<WebhookCertificates> own_certificates(const WebhookOptions& options, const Clock& clock) {
  STRAKE_TRY(const PrivateFolder folder, PrivateFolder::open(options.cert_dir));
  const server::KeyFolder keys(folder);
  STRAKE_TRY(const http::CertifiedKey ca, keys.authority("ca", kAuthorityName, clock));
  STRAKE_TRY(const http::CertifiedKey serving,
             keys.keep_or_issue("webhook", ca, server::serving_spec(options.hosts, clock), clock));
  return WebhookCertificates{.tls = {.certificate_pem = serving.certificate_pem,
                                     .key_pem = serving.key_pem.reveal(),
                                     .client_ca_pem = {}},
                             .ca_pem = ca.certificate_pem,
                             .good_until = {}};
}

}  // namespace

Result<WebhookCertificates> load_certificates(const WebhookOptions& options, const Clock& clock) {
  STRAKE_TRY(WebhookCertificates out, options.cert_dir.empty() ? given_certificates(options)
                                                               : own_certificates(options, clock));
  auto info = http::read_certificate(out.tls.certificate_pem);
  if (!info) return std::unexpected(Error(info.error()).in(options.tls_certificate_file));
  out.good_until = info->validity.until;
  return out;
}

}  // namespace strake::cli
