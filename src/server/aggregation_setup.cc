#include "server/aggregation_setup.h"

namespace strake::server {

aggregator::Aggregation::Options aggregation_options(const Options& options) {
  const auth::FrontProxyOptions& proxy = options.front_proxy;
  std::vector<std::string> names = proxy.username_headers;
  for (const auto* list : {&proxy.group_headers, &proxy.uid_headers})
    names.insert(names.end(), list->begin(), list->end());
  return {.user_headers = aggregator::UserHeaders(names, proxy.extra_prefixes), .detour = {}};
}

Result<> show_proxy_certificate(aggregator::Aggregation& aggregation, const Options& options,
                                const Identity& identity) {
  if (options.proxy_client_certificate_file.empty() != options.proxy_client_key_file.empty())
    return fail(Code::kUsage, "the certificate and the key of the proxy must be given together");
  if (options.proxy_client_certificate_file.empty()) {
    const http::CertifiedKey& own = identity.front_proxy_client;
    return aggregation.set_client_certificate(own.certificate_pem, own.key_pem);
  }
  STRAKE_TRY(std::string certificate, read_file(options.proxy_client_certificate_file));
  STRAKE_TRY(std::string key, read_file(options.proxy_client_key_file));
  auto shown = aggregation.set_client_certificate(std::move(certificate), Secret(std::move(key)));
  if (!shown)
    return std::unexpected(Error(shown.error()).in(options.proxy_client_certificate_file));
  return {};
}

Result<> use_service_map(aggregator::Aggregation& aggregation, const Options& options,
                         const extension::ServiceAddresses& members) {
  const std::string& file = options.service_resolver_file;
  std::string text;
  if (!file.empty()) {
    STRAKE_TRY(text, read_file(file));
  }
  if (!members.empty()) {
    auto all = extension::read_service_addresses(text);
    if (!all) return std::unexpected(Error(all.error()).in(file));
    for (const auto& [service, address] : members) (*all)[service] = address;
    text = extension::write_service_addresses(*all);
  }
  auto map = aggregator::ServiceMap::parse(text);
  if (!map) return std::unexpected(Error(map.error()).in(file));
  aggregation.set_service_map(*std::move(map));
  return {};
}

}  // namespace strake::server
