#pragma once
// Where services are reached that have no endpoints here: the file of --service-resolver-file. A
// YAML or JSON mapping from NAMESPACE/NAME, or NAMESPACE/NAME:PORT, to HOST:PORT.
//
//   default/wardle: 10.0.0.7:6443
//   default/wardle:8443: wardle.example.com:443
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "aggregator/services/api_services.h"
#include "base/result.h"

namespace strake::aggregator {

class ServiceMap {
 public:
  struct Place {
    std::string host;  // a name or an address, without brackets
    std::uint16_t port = 0;
    friend bool operator==(const Place&, const Place&) = default;
  };

  // Fails with kInvalid, naming the entry that is wrong.
  static Result<ServiceMap> parse(std::string_view text);

  // The entry of this port, or that of all ports.
  std::optional<Place> find(const ServiceReference& service) const;
  std::size_t size() const { return places_.size(); }

 private:
  std::map<std::string, Place, std::less<>> places_;
};

}  // namespace strake::aggregator
