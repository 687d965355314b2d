#include "server/aggregation_setup.h"

namespace strake::server {

aggregator::Aggregation::Options aggregation_options(const Options& options) {
  const auth::FrontProxyOptions& proxy = options.front_proxy;
  std::vector<std::string> names = proxy.username_headers;
  for (const auto* list : {&proxy.group_headers, &proxy.uid_headers})
    names.insert(names.end(), list->begin(), list->end());
  return {.user_headers = api::UserHeaders(names, proxy.extra_prefixes), .detour = {}};
}

Result<> show_proxy_certificate(aggregator::Aggregation& aggregation, const Options& options,
                                const Identity& identity) {
  if (options.proxy_client_certificate_file.empty() != options.proxy_client_key_file.empty())
    return fail(Code::kUsage, "the certificate and the key of the proxy must be given together");
  if (options.proxy_client_certificate_file.empty()) {
    const http::CertifiedKey& own = identity.front_proxy_client;
    aggregation.set_checked_client_certificate(own.certificate_pem, own.key_pem);
    return {};
  }
  STRAKE_TRY(std::string certificate, read_file(options.proxy_client_certificate_file));
  STRAKE_TRY(std::string key, read_file(options.proxy_client_key_file));
  auto shown = aggregation.set_client_certificate(std::move(certificate), Secret(std::move(key)));
  if (!shown)
    return std::unexpected(Error(shown.error()).in(options.proxy_client_certificate_file));
  return {};
}

Result<> use_service_map(aggregator::Aggregation& aggregation, const Options& options,
                         const kube::ServicePlaces& members) {
  const std::string& file = options.service_resolver_file;
  kube::ServicePlaces all;
  if (!file.empty()) {
    STRAKE_TRY(const std::string text, read_file(file));
    auto read = kube::read_service_places(text);
    if (!read) return std::unexpected(Error(read.error()).in(file));
    all = *std::move(read);
  }
  for (const auto& [service, place] : members) all[service] = place;
  aggregation.set_service_map(aggregator::ServiceMap(std::move(all)));
  return {};
}

}  // namespace strake::server
