#include "provider/local/settings.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <optional>

#include "base/ip_address.h"
#include "base/quote.h"
#include "meta/names.h"
#include "provider/names/dns_names.h"
#include "provider/names/setting_list.h"
#include "provider/names/sizes.h"

namespace strake::provider::local {
namespace {

constexpr std::size_t kMostZones = 1000;
constexpr std::size_t kLongestHost = 253;

std::string setting(const Settings& all, std::string_view key, std::string_view fallback) {
  const auto found = all.find(key);
  return found == all.end() || found->second.empty() ? std::string(fallback) : found->second;
}

std::unexpected<Failure> bad(std::string_view key, std::string_view wanted, std::string_view text) {
  return refuse(FailureClass::kValidation, "setting {} must be {}, got {}", key, wanted,
                quote(text));
}

template <typename Number>
std::optional<Number> read_number(std::string_view text) {
  Number out = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return out;
}

Outcome<std::chrono::seconds> read_seconds(const Settings& all, std::string_view key,
                                           std::string_view fallback) {
  constexpr unsigned kMost = 3600;
  const std::string text = setting(all, key, fallback);
  const auto number = read_number<unsigned>(text);
  if (!number || *number == 0 || *number > kMost)
    return bad(key, "a number of seconds from 1 to 3600", text);
  return std::chrono::seconds(*number);
}

bool is_host(std::string_view host) {
  return !host.empty() && host.size() <= kLongestHost && std::ranges::all_of(host, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '-' || c == ':' || c == '[' || c == ']';
  });
}

}  // namespace

Outcome<ProviderSettings> read_settings(const ProviderEntity& provider,
                                        const DriverEnvironment& from) {
  ProviderSettings out;
  out.root = setting(provider.settings, "LOCAL_ROOT", from.data_folder);
  out.program = setting(provider.settings, "LOCAL_PROGRAM", from.program);
  std::vector<std::string_view> missing;
  if (out.program.empty()) missing.emplace_back("LOCAL_PROGRAM");
  if (out.root.empty()) missing.emplace_back("LOCAL_ROOT");
  if (!missing.empty()) {
    return refuse(FailureClass::kValidation, "missing required local settings: {}",
                  fmt::join(missing, ", "));
  }
  if (!std::filesystem::path(out.root).is_absolute())
    return bad("LOCAL_ROOT", "an absolute path", out.root);
  while (out.root.size() > 1 && out.root.ends_with('/')) out.root.pop_back();
  if (!std::filesystem::path(out.program).is_absolute())
    return bad("LOCAL_PROGRAM", "an absolute path", out.program);
  const std::string most = setting(provider.settings, "LOCAL_MAX_DISK_SIZE", "16Ti");
  const Outcome<std::int64_t> bytes = parse_size(most);
  if (!bytes || *bytes <= 0) return bad("LOCAL_MAX_DISK_SIZE", "a quantity above 0", most);
  out.most_disk_bytes = *bytes;
  return out;
}

Outcome<ClusterSettings> read_settings(const Cluster& cluster) {
  ClusterSettings out;
  const std::string listen = setting(cluster.settings, "LOCAL_LISTEN", "127.0.0.1:0");
  const std::size_t colon = listen.rfind(':');
  const auto port = colon == std::string::npos
                        ? std::nullopt
                        : read_number<std::uint16_t>(std::string_view(listen).substr(colon + 1));
  out.host = listen.substr(0, colon);
  if (!port || !is_host(out.host)) return bad("LOCAL_LISTEN", "HOST:PORT", listen);
  out.port = *port;
  STRAKE_TRY(out.start, read_seconds(cluster.settings, "LOCAL_START_SECONDS", "60"));
  STRAKE_TRY(out.stop, read_seconds(cluster.settings, "LOCAL_STOP_SECONDS", "20"));
  const std::string ip = setting(cluster.settings, "LOCAL_INGRESS_IP", "127.0.0.1");
  const auto address = parse_ip_address(ip);
  if (!address || address->has_zone) return bad("LOCAL_INGRESS_IP", "an IP address", ip);
  out.ingress_ip = address->address.to_string();
  for (const std::string& word :
       split_setting_list(setting(cluster.settings, "LOCAL_DNS_ZONES", ""))) {
    std::string zone = canonical_dns_name(word);
    // It names a file, too.
    if (!meta::check_dns1123_subdomain(zone).empty())
      return bad("LOCAL_DNS_ZONES", "a list of domain names", word);
    if (std::ranges::find(out.zones, zone) == out.zones.end()) out.zones.push_back(std::move(zone));
  }
  if (out.zones.size() > kMostZones) {
    return refuse(FailureClass::kValidation, "setting LOCAL_DNS_ZONES must have at most {} names",
                  kMostZones);
  }
  const std::string server = setting(cluster.settings, "LOCAL_DNS_NAMESERVER", "localhost.");
  out.name_server = canonical_dns_name(server);
  if (!meta::check_dns1123_subdomain(out.name_server).empty())
    return bad("LOCAL_DNS_NAMESERVER", "a host name", server);
  out.name_server += '.';
  return out;
}

}  // namespace strake::provider::local
