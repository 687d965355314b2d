#pragma once
// Where services are reached that have no endpoints here (kube/service_places.h).
#include <optional>
#include <utility>

#include "aggregator/services/api_services.h"
#include "kube/service_places.h"

namespace strake::aggregator {

class ServiceMap {
 public:
  explicit ServiceMap(kube::ServicePlaces places = {}) : places_(std::move(places)) {}

  // The entry of this port, or that of all ports.
  std::optional<kube::ServicePlace> find(const ServiceReference& service) const;

 private:
  kube::ServicePlaces places_;
};

}  // namespace strake::aggregator
