#pragma once
// Where the service of an APIService is reached: by its ready endpoints, by the name of an
// ExternalName service, or by the map of --service-resolver-file, in this order.
#include <cstddef>
#include <cstdint>
#include <expected>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "aggregator/services/service_map.h"
#include "api/cache/informer.h"
#include "api/request/service_backends.h"
#include "http/client.h"

namespace strake::aggregator {

struct Located {
  std::string host;  // a name or an address
  std::uint16_t port = 0;
  std::vector<http::Address> addresses;  // to be tried in this order; none when the host is a name
};

// What is missing.
struct NotLocated {
  enum class Lack : std::uint8_t { kService, kPort, kEndpoints, kReadyEndpoints };
  Lack lack = Lack::kService;
  bool has_cluster_ip = false;  // the service is of the type ClusterIP
  std::string port_name;        // of the port that has no endpoints
  std::string message;          // as kube-apiserver 1.36 says it when a request meets it
};

class ServiceAddresses {
 public:
  // Where an address is really reached. Only tests, whose endpoints are on this machine, have one.
  using Detour = std::function<http::Address(const http::Address&)>;

  // Follows services and their endpoints until it is destroyed; the hub must outlive it.
  explicit ServiceAddresses(api::Hub& hub, Detour detour = {});
  ~ServiceAddresses();

  // From any thread. Endpoints take turns.
  std::expected<Located, NotLocated> find(const ServiceReference& service);

  void set_map(ServiceMap map);
  // Called after each set_map, on its thread, perhaps once more after it was taken back.
  void tell_of_map(std::function<void()> changed);

  // For InformerBase::Follower: services, EndpointSlices and Endpoints. The facts are the service
  // that an object belongs to.
  api::InformerBase& changes();
  // NAMESPACE/NAME of that service, as it was before the note and as it is; empty for none.
  std::vector<std::string> services_of(const api::InformerBase::Note& note);

 private:
  class Objects;
  using Found = std::expected<Located, NotLocated>;

  Found look_up(const ServiceReference& service);

  api::Hub& hub_;
  const std::unique_ptr<Objects> objects_;
  api::ServiceBackends backends_;
  const Detour detour_;
  std::mutex mu_;
  std::function<void()> map_changed_;          // guarded by mu_
  ServiceMap map_;                             // guarded by mu_
  api::Revision known_at_ = 0;                 // guarded by mu_: what known_ is of
  std::map<std::string, Found, std::less<>> known_;  // guarded by mu_
  std::size_t turn_ = 0;                       // guarded by mu_
};

}  // namespace strake::aggregator
