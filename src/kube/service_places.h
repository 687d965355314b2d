#pragma once
// The file of --service-resolver-file: where services are that have no address of their own. A YAML
// or JSON mapping from NAMESPACE/NAME, or NAMESPACE/NAME:PORT, to HOST:PORT.
//
//   default/wardle: 10.0.0.7:6443
//   default/wardle:8443: wardle.example.com:443
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace strake::kube {

struct ServicePlace {
  std::string host;  // a name or an address, without brackets
  std::uint16_t port = 0;

  // HOST:PORT, with brackets around an IPv6 address.
  static std::optional<ServicePlace> parse(std::string_view text);
  std::string to_string() const;
  friend bool operator==(const ServicePlace&, const ServicePlace&) = default;
};

using ServicePlaces = std::map<std::string, ServicePlace, std::less<>>;

// An empty text is an empty map. Fails with kParse or kInvalid, naming the entry that is wrong.
Result<ServicePlaces> read_service_places(std::string_view text);
// As JSON, an entry a line.
std::string write_service_places(const ServicePlaces& places);

}  // namespace strake::kube
