#include "provider/names/dns_names.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>

#include "base/ip_address.h"
#include "meta/names.h"
#include "provider/names/quote_briefly.h"

namespace strake::provider {
namespace {

constexpr std::size_t kMaxDnsName = 253;
constexpr std::size_t kMaxDnsLabel = 63;
constexpr std::uint32_t kMaxTtl = std::numeric_limits<std::int32_t>::max();  // RFC 2181, 8

template <typename... Args>
std::unexpected<Failure> wrong_record(fmt::format_string<Args...> format, Args&&... args) {
  return refuse(FailureClass::kValidation, format, std::forward<Args>(args)...);
}

// Without the dot at its end. Underscores are those of service records; a star stands for a label
// only as the first one.
bool is_dns_name(std::string_view name) {
  if (name.empty() || name.size() > kMaxDnsName) return false;
  for (bool first = true;; first = false) {
    const std::size_t dot = name.find('.');
    const std::string_view label = name.substr(0, dot);
    const bool star = first && label == "*" && dot != std::string_view::npos;
    const bool good = !label.empty() && label.size() <= kMaxDnsLabel && label.front() != '-' &&
                      label.back() != '-' && std::ranges::all_of(label, [](char c) {
                        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                               (c >= '0' && c <= '9') || c == '-' || c == '_';
                      });
    if (!star && !good) return false;
    if (dot == std::string_view::npos) return true;
    name.remove_prefix(dot + 1);
  }
}

std::string_view without_last_dot(std::string_view name) {
  if (name.ends_with('.')) name.remove_suffix(1);
  return name;
}

bool is_in_zone(std::string_view fqdn, std::string_view zone) {
  if (zone.empty() || !fqdn.ends_with(zone)) return false;
  return fqdn.size() == zone.size() || fqdn[fqdn.size() - zone.size() - 1] == '.';
}

// The value in one form, so that the same records are the same texts.
Outcome<std::string> normalize_value(std::string_view type, std::string_view fqdn,
                                     const std::string& value) {
  if (type == "A" || type == "AAAA") {
    const auto address = parse_ip_address(value);
    const bool v4 = type == "A";
    if (!address || address->has_zone || address->address.v4 != v4) {
      return wrong_record("{} record of {} must be an {} address, got {}", type, fqdn,
                          v4 ? "IPv4" : "IPv6", quote_briefly(value));
    }
    return address->address.to_string();
  }
  if (type == "CNAME") {
    if (!is_dns_name(without_last_dot(value))) {
      return wrong_record("CNAME record of {} must be a domain name, got {}", fqdn,
                          quote_briefly(value));
    }
    return value;
  }
  const bool printable = std::ranges::none_of(
      value, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; });
  if (value.empty() || value.size() > kMaxRecordData || !printable) {
    return wrong_record("{} record of {} must be 1 to {} bytes without control characters, got {}",
                        type, fqdn, kMaxRecordData, quote_briefly(value));
  }
  return value;
}

}  // namespace

std::string canonical_dns_name(std::string_view name) {
  return meta::to_lower_ascii(without_last_dot(name));
}

Outcome<DnsZoneChoice> choose_zone(std::string_view fqdn, std::string_view hint,
                                   std::span<const DnsZone> zones) {
  if (zones.empty()) return wrong_record("no DNS zones configured");
  DnsZoneChoice out;
  if (!hint.empty()) {
    const std::string id = meta::to_lower_ascii(hint);
    const std::string name = canonical_dns_name(hint);
    for (const DnsZone& zone : zones) {
      if (meta::to_lower_ascii(zone.id) != id && canonical_dns_name(zone.name) != name) continue;
      out.zone = &zone;
      return out;
    }
    out.hint_unmatched = true;
  }
  const std::string wanted = canonical_dns_name(fqdn);
  std::size_t longest = 0;
  for (const DnsZone& zone : zones) {
    const std::string name = canonical_dns_name(zone.name);
    if (!is_in_zone(wanted, name) || name.size() <= longest) continue;
    out.zone = &zone;
    longest = name.size();
  }
  if (out.zone == nullptr)
    return wrong_record("no matching DNS zone found for FQDN {}", quote_briefly(fqdn));
  return out;
}

std::string zone_relative_name(std::string_view fqdn, std::string_view zone) {
  std::string name = canonical_dns_name(fqdn);
  const std::string origin = canonical_dns_name(zone);
  if (!is_in_zone(name, origin)) return name;
  if (name.size() == origin.size()) return "@";
  name.resize(name.size() - origin.size() - 1);
  return name;
}

Outcome<DnsRecordSet> normalize_records(const DnsRecordSet& records, const DnsSupport& support) {
  DnsRecordSet out;
  out.fqdn = canonical_dns_name(records.fqdn);
  if (out.fqdn.empty()) return wrong_record("FQDN is required");
  if (!is_dns_name(out.fqdn))
    return wrong_record("FQDN must be a domain name, got {}", quote_briefly(records.fqdn));

  for (const char c : records.type)
    out.type += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  if (std::ranges::find(support.types, out.type) == support.types.end()) {
    return wrong_record("unsupported DNS record type {}, want {}", quote_briefly(records.type),
                        fmt::join(support.types, ", "));
  }

  if (records.ttl > kMaxTtl)
    return wrong_record("TTL of {} must be at most {}, got {}", out.fqdn, kMaxTtl, records.ttl);
  out.ttl = records.ttl == 0 ? support.default_ttl : records.ttl;

  if (records.rdata.size() > kMaxRecords) {
    return wrong_record("{} record of {} must have at most {} values, got {}", out.type, out.fqdn,
                        kMaxRecords, records.rdata.size());
  }
  if (out.type == "CNAME" && records.rdata.size() > 1) {
    return wrong_record("CNAME record of {} must have exactly one value, got {}", out.fqdn,
                        records.rdata.size());
  }
  for (const std::string& value : records.rdata) {
    STRAKE_TRY(std::string one, normalize_value(out.type, out.fqdn, value));
    if (std::ranges::find(out.rdata, one) == out.rdata.end()) out.rdata.push_back(std::move(one));
  }
  return out;
}

}  // namespace strake::provider
