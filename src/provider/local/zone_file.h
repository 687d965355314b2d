#pragma once
// DNS zones as master files (RFC 1035, 5), in the one form that to_text() writes: a line a record,
// names relative to $ORIGIN, the owner's tags as comments at the top. What is written is always a
// zone that name servers load: one SOA, a name server, no CNAME beside other records, and no name
// server or mail exchanger inside of the zone that has no address there.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "provider/names/tags.h"

namespace strake::provider::local {

struct ZoneRecord {
  std::string name;  // relative; "@" for the zone itself
  std::string type;
  std::uint32_t ttl = 0;
  std::string rdata;  // as canonical_rdata() gives it
  friend bool operator==(const ZoneRecord&, const ZoneRecord&) = default;
};

struct Zone {
  std::string origin;  // without a dot at its end
  Tags tags;
  std::uint32_t serial = 0;
  std::string name_server;          // used while no NS record names one; with a dot at its end
  std::vector<ZoneRecord> records;  // besides SOA; sorted
  friend bool operator==(const Zone&, const Zone&) = default;
};

inline constexpr std::uint64_t kMostZoneBytes = std::uint64_t{64} << 20;

std::string to_text(const Zone& zone);
// Fails with kInternal and the line when it is not in that form: others have changed it, and it is
// not ours to write over.
Outcome<Zone> read_zone(std::string_view text);

// The data of a record as the file has it: names whole, with a dot at their end and in small
// letters; texts in quotes, cut into strings of 255 bytes. Fails with kValidation.
Outcome<std::string> canonical_rdata(std::string_view type, std::string_view rdata);

// The set of that name and type becomes this; none: it goes. False when it is so already. Fails
// with kValidation when the zone would be none that loads.
Outcome<bool> set_records(Zone& zone, const std::string& name, const std::string& type,
                          std::uint32_t ttl, const std::vector<std::string>& rdata);

// A serial that is newer (RFC 1982), and not less than the time.
std::uint32_t next_serial(std::uint32_t before, std::int64_t unix_seconds);

}  // namespace strake::provider::local
