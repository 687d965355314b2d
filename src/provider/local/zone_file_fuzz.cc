// Zone files of any content: what is read is written and read again as the same, and stays readable
// when records are put in and taken out.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "provider/local/zone_file.h"

namespace {

using strake::provider::local::canonical_rdata;
using strake::provider::local::read_zone;
using strake::provider::local::set_records;
using strake::provider::local::to_text;

void require(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const std::string_view type : {"A", "AAAA", "CNAME", "TXT", "MX", "NS", "SRV", "CAA"}) {
    const auto once = canonical_rdata(type, text);
    if (!once) continue;
    require(once->find('\n') == std::string::npos);
    const auto twice = canonical_rdata(type, *once);
    require(twice && *twice == *once);
  }
  auto zone = read_zone(text);
  if (!zone) return 0;
  const std::string written = to_text(*zone);
  auto again = read_zone(written);
  require(again.has_value() && *again == *zone);
  const auto changed = set_records(*again, "fuzz", "TXT", 60, {"text"});
  if (!changed) return 0;
  const auto with = read_zone(to_text(*again));
  require(with.has_value() && *with == *again);
  return 0;
}
