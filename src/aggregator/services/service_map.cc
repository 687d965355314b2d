#include "aggregator/services/service_map.h"

#include <fmt/format.h>

namespace strake::aggregator {

std::optional<kube::ServicePlace> ServiceMap::find(const ServiceReference& service) const {
  if (places_.empty()) return std::nullopt;
  const std::string name = fmt::format("{}/{}", service.namespace_name, service.name);
  auto found = places_.find(fmt::format("{}:{}", name, service.port));
  if (found == places_.end()) found = places_.find(name);
  return found == places_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace strake::aggregator
