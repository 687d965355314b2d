#include "server/key_folder.h"

#include <algorithm>

#include "base/log.h"

namespace strake::server {
namespace {

using http::CertifiedKey;

bool is_address(std::string_view host) {
  return host.contains(':') || host.find_first_not_of("0123456789.") == std::string_view::npos;
}

bool names_all(const http::CertificateInfo& info, const http::CertificateSpec& spec) {
  const auto has_all = [](const std::vector<std::string>& have,
                          const std::vector<std::string>& wanted) {
    return std::ranges::all_of(
        wanted, [&](const std::string& one) { return std::ranges::find(have, one) != have.end(); });
  };
  return has_all(info.dns_names, spec.dns_names) && has_all(info.ip_addresses, spec.ip_addresses);
}

}  // namespace

http::Validity validity(const Clock& clock, std::chrono::hours life) {
  return {.from = clock.now() - std::chrono::hours(1), .until = clock.now() + life};
}

http::CertificateSpec serving_spec(const std::vector<std::string>& hosts, const Clock& clock) {
  http::CertificateSpec spec;
  spec.common_name = "strake";
  spec.validity = validity(clock, kCertificateLife);
  for (const std::string& host : hosts)
    (is_address(host) ? spec.ip_addresses : spec.dns_names).push_back(host);
  return spec;
}

Result<std::optional<CertifiedKey>> KeyFolder::read_pair(const std::string& name) const {
  Result<std::string> certificate = folder_.read(name + ".crt");
  Result<std::string> key = folder_.read(name + ".key");
  const auto absent = [](const Result<std::string>& one) {
    return !one && one.error().code() == Code::kNotFound;
  };
  if (absent(certificate) || absent(key)) return std::optional<CertifiedKey>();
  if (!certificate) return std::unexpected(certificate.error());
  if (!key) return std::unexpected(key.error());
  return CertifiedKey{.certificate_pem = *std::move(certificate),
                      .key_pem = Secret(*std::move(key))};
}

Result<> KeyFolder::write_pair(const std::string& name, const CertifiedKey& pair) const {
  STRAKE_CHECK(folder_.write(name + ".key", pair.key_pem.reveal(), 0600));
  return folder_.write(name + ".crt", pair.certificate_pem, 0644);
}

Result<CertifiedKey> KeyFolder::keep_or_issue(const std::string& name, const CertifiedKey& ca,
                                              const http::CertificateSpec& spec,
                                              const Clock& clock) const {
  STRAKE_TRY(std::optional<CertifiedKey> pair, read_pair(name));
  if (pair && http::check_certificate(*pair, ca.certificate_pem, clock.now() + kRenewBefore)) {
    const auto info = http::read_certificate(pair->certificate_pem);
    if (info && names_all(*info, spec)) return *std::move(pair);
  }
  STRAKE_TRY(CertifiedKey made, http::issue_certificate(ca, spec));
  if (const Result<> written = write_pair(name, made); !written)
    log::get("server").warn("a new certificate could not be kept", {{"error", written.error()}});
  return made;
}

Result<CertifiedKey> KeyFolder::authority(const std::string& name, std::string_view common_name,
                                          const Clock& clock) const {
  STRAKE_TRY(std::optional<CertifiedKey> pair, read_pair(name));
  if (pair) {
    const Result<> good = http::check_certificate(*pair, pair->certificate_pem, clock.now());
    if (good) return *std::move(pair);
    return fail(Code::kInvalid, "the authority in {}/{}.crt cannot be used: {}", folder_.path(),
                name, good.error().message());
  }
  STRAKE_TRY(CertifiedKey made, http::make_ca(common_name, validity(clock, kAuthorityLife)));
  STRAKE_CHECK(write_pair(name, made));
  return made;
}

}  // namespace strake::server
