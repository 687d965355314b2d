#pragma once
// DNS records as they are applied.
#include <cstdint>
#include <string>
#include <vector>

namespace strake::provider {

struct DnsRecordSet {
  std::string fqdn;                     // a dot at the end may be left out
  std::string type;                     // A, AAAA, CNAME, TXT, MX, NS, SRV, CAA
  std::uint32_t ttl = 0;                // 0: the provider's default
  std::vector<std::string> rdata = {};  // in presentation form; none: delete
  friend bool operator==(const DnsRecordSet&, const DnsRecordSet&) = default;
};

}  // namespace strake::provider
