// Any bytes as the map of services: refused in words, or every service leads to a place that can be
// asked.
#include <cstdint>
#include <string_view>

#include "aggregator/services/service_map.h"
#include "base/assert.h"

using namespace strake;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto map = aggregator::ServiceMap::parse(text);
  if (!map) {
    STRAKE_ASSERT(!map.error().message().empty());
    return 0;
  }
  for (const std::uint16_t port : {std::uint16_t{443}, std::uint16_t{8443}}) {
    const auto place = map->find({.namespace_name = "default", .name = "a", .port = port});
    if (!place) continue;
    STRAKE_ASSERT(!place->host.empty() && place->port != 0);
    STRAKE_ASSERT(place->host.find_first_of("/@?# \r\n[]") == std::string::npos);
  }
  return 0;
}
