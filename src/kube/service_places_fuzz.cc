// Any bytes as the map of services: refused in words, or every service leads to a place that can be
// asked, and is written as it was read.
#include <cstdint>
#include <string_view>

#include "base/assert.h"
#include "kube/service_places.h"

using namespace strake;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto places = kube::read_service_places(text);
  if (!places) {
    STRAKE_ASSERT(!places.error().message().empty());
    return 0;
  }
  for (const auto& [service, place] : *places) {
    STRAKE_ASSERT(!place.host.empty() && place.port != 0);
    STRAKE_ASSERT(place.host.find_first_of("/@?# \r\n[]") == std::string::npos);
  }
  const auto again = kube::read_service_places(kube::write_service_places(*places));
  STRAKE_ASSERT(again && *again == *places);
  return 0;
}
