#include "server/certificate_metrics.h"

#include "base/metrics.h"

namespace strake::server {
namespace {

GaugeFamily certificate_ends("strake_tls_certificate_expiration_timestamp_seconds",
                             "When a certificate of the server runs out, in seconds since unix "
                             "epoch.",
                             {"certificate"});

void note(std::string_view name, std::string_view pem) {
  const auto validity = http::read_validity(pem);
  if (!validity) return;
  certificate_ends.at({name}).set(
      std::chrono::duration<double>(validity->until.time_since_epoch()).count());
}

}  // namespace

void note_certificates(const Identity& identity, std::string_view serving_pem) {
  note("serving", serving_pem);
  note("ca", identity.ca_pem);
  note("admin", identity.admin.certificate_pem);
  note("front-proxy-ca", identity.front_proxy_ca.certificate_pem);
  note("front-proxy-client", identity.front_proxy_client.certificate_pem);
}

}  // namespace strake::server
