#pragma once
// What is the same for every provider of DNS: the form of a record set, the zone that a name
// belongs to, and the name within it. Names are compared whatever the case of letters.
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "provider/failure.h"
#include "provider/model/dns.h"

namespace strake::provider {

struct DnsZone {
  std::string id;
  std::string name;
};

struct DnsZoneChoice {
  const DnsZone* zone = nullptr;  // one of those given, never null
  bool hint_unmatched = false;    // there was a hint, and it was none of them: a warning
};

// The zone whose id or name is `hint`; else the one with the longest name that `fqdn` is or ends
// in, on the boundary of a label. Fails with kValidation: "no DNS zones configured", "no matching
// DNS zone found for FQDN <fqdn>".
Outcome<DnsZoneChoice> choose_zone(std::string_view fqdn, std::string_view hint,
                                   std::span<const DnsZone> zones);

// "@" for the zone itself. A name outside the zone, which a hint may lead to, stays as it is.
std::string zone_relative_name(std::string_view fqdn, std::string_view zone);

// What a provider takes.
struct DnsSupport {
  std::vector<std::string_view> types = {"A", "AAAA", "CNAME"};
  std::uint32_t default_ttl = 300;
};

inline constexpr std::size_t kMaxRecords = 400;      // of one set
inline constexpr std::size_t kMaxRecordData = 4096;  // bytes of one

// The same records in one form: the name in small letters without a dot at its end, the type in
// capitals, a TTL, addresses as they are usually written and each once. Fails with kValidation,
// also when there is nothing to write but the name or type is wrong.
Outcome<DnsRecordSet> normalize_records(const DnsRecordSet& records,
                                        const DnsSupport& support = {});

// A host name as it is compared: small letters, without a dot at its end.
std::string canonical_dns_name(std::string_view name);

}  // namespace strake::provider
